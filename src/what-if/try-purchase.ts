import { purchaseEarn } from '../commands/earning/purchase-earn.ts';
import { enrollMember } from '../commands/members/enroll-member.ts';
import type { Caller } from '../commands/shared/caller.ts';
import type { PurchaseEarnInput } from '../contract/generated/types.ts';
import { newUuid } from '../ids.ts';
import { withoutRetry } from '../ledger/retry.ts';
import type { LotRecord } from '../ledger/tables/lot-rows.ts';
import type { MemberRecord } from '../ledger/tables/members.ts';
import type { ProfileRecord } from '../ledger/tables/program-profiles.ts';
import type { ProgramDocument } from '../programs/document/program-document.ts';
import { type PublishedProgram, versionAt } from '../programs/published/published-program.ts';
import type { OrderLines, PurchaseReceipt } from '../queries/transactions/recorded-award.ts';
import { verifyAward } from '../queries/transactions/verify-award.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import { limitPeriodStart } from '../rules/calendar/limit-period.ts';
import { memberLimitId } from '../rules/earning/member-limit.ts';
import { tierFor } from '../rules/shared/tiers.ts';
import { SimulatedState } from './simulated-state.ts';

/** The member who buys, as a file describes it. Missing fields are those of a new member. Instants are RFC 3339. */
export interface DescribedMember {
  tier?: string;
  qualificationPoints?: number;
  purchaseCount?: number;
  purchaseAmountMinor?: number;
  firstPurchaseAt?: string;
  lastPurchaseAt?: string;
  tags?: string[];
  lists?: string[];
  /** Points that count against the member limit already. */
  memberLimitUsed?: number;
}

/** A stored member, with the counters of its limits and of the program's shared limits. */
export interface CustomerState {
  member: MemberRecord;
  profile: ProfileRecord | null;
  counters: readonly { limitId: string; periodStart: Date; points: number }[];
  shared: readonly { counterId: string; taken: number }[];
}

export interface Trial {
  /** The program with the draft, as `withDraft` returns it. */
  program: PublishedProgram;
  /** The name of the draft in explanations: its file. */
  draftName: string;
  purchase: PurchaseEarnInput;
  buyer: { described: DescribedMember } | { known: CustomerState };
  now: Date;
}

/** The award that a purchase would get, and how it comes about. */
export interface TriedPurchase
  extends Pick<PurchaseReceipt, 'award' | 'campaigns' | 'coupon' | 'ruleDecisions'> {
  programId: string;
  /** The tier after the purchase. */
  tier: string;
  /** RFC 3339; null where the points are available at once, or where there are none. */
  activatesAt: string | null;
  /** RFC 3339; null for never, or where there are no points. */
  expiresAt: string | null;
  /** The facts and the configuration that were evaluated: the sentences of `verify award`. */
  circumstances: string[];
  /** How each point came about: the sentences of `verify award`. */
  steps: string[];
}

/**
 * Decides one purchase under a draft with the command `purchaseEarn`, and explains the award. Writes nothing.
 * @returns the command's refusal where the purchase would be refused
 */
export function tryPurchase({ program, draftName, purchase, buyer, now }: Trial): TriedPurchase | Refusal {
  const environmentId = newUuid();
  const caller: Caller = { environmentId, actor: { type: 'operator', id: 'try' }, requestId: 'try' };
  const state = new SimulatedState(environmentId, program);
  const refused =
    'known' in buyer
      ? addCustomer(state, buyer.known)
      : addDescribed(state, buyer.described, { program, purchase, caller, now });
  if (refused) return refused;
  const decision = withoutRetry(purchaseEarn(purchase, caller).decide(state, now));
  if (isRefusal(decision)) return decision;
  const receipt = decision.receipt as PurchaseReceipt;
  const lines = (decision.inserts.orders?.[0]?.lines ?? null) as OrderLines;
  const { circumstances, steps } = explain(receipt, { program, draftName, purchase, lines });
  const lot: LotRecord | undefined = decision.inserts.lots?.[0];
  return {
    programId: program.programId,
    award: receipt.award,
    campaigns: receipt.campaigns,
    coupon: receipt.coupon,
    tier: receipt.member?.tier ?? '',
    activatesAt: lot?.activatesAt?.toISOString() ?? null,
    expiresAt: lot?.expiresAt?.toISOString() ?? null,
    circumstances,
    steps,
    ruleDecisions: receipt.ruleDecisions,
  };
}

/**
 * Explains the award as `verify award` does.
 * @throws where the award cannot be computed again, which would be a defect
 */
function explain(
  receipt: PurchaseReceipt,
  {
    program,
    draftName,
    purchase,
    lines,
  }: Pick<Trial, 'program' | 'draftName' | 'purchase'> & { lines: OrderLines },
) {
  const { points } = receipt.award ?? { points: 0 };
  const version = program.versions.find((each) => each.version === receipt.configurationVersion);
  const verdict = verifyAward({
    transactionId: '',
    environmentId: '',
    programId: program.programId,
    externalCustomerId: purchase.externalCustomerId,
    sourceReference: purchase.sourceReference,
    posted: { transaction: points, postings: points, lots: points, order: points },
    amountMinor: purchase.amountMinor,
    currency: version?.document.currency ?? '',
    lines,
    // Receipts are stored as JSON, in which dates are strings.
    receipt: JSON.parse(JSON.stringify(receipt)) as PurchaseReceipt,
    document: version?.document ?? null,
    draftName,
  });
  const [difference] = verdict.differences;
  if (difference) throw new Error(`the award cannot be computed again: ${JSON.stringify(difference)}`);
  return verdict;
}

function addCustomer(state: SimulatedState, { member, profile, counters, shared }: CustomerState): null {
  const owner = state.add(member, profile);
  for (const { limitId, periodStart, points } of counters) {
    state.setCounter(owner, limitId, periodStart, points);
  }
  for (const { counterId, taken } of shared) state.setShared(counterId, taken);
  return null;
}

function addDescribed(
  state: SimulatedState,
  described: DescribedMember,
  { program, purchase, caller, now }: Pick<Trial, 'program' | 'purchase' | 'now'> & { caller: Caller },
): Refusal | null {
  const document = versionAt(program, now)?.document;
  const { externalCustomerId } = purchase;
  const owner = state.add(memberOf(externalCustomerId, described, now));
  const enrolling = enrollMember(
    {
      idempotencyKey: externalCustomerId,
      programId: program.programId,
      externalCustomerId,
      consentStatus: 'opted_in',
      noticeVersion: 'try',
      evidence: {},
    },
    caller,
  );
  const enrollment = withoutRetry(enrolling.decide(state, now));
  if (isRefusal(enrollment)) return enrollment;
  state.apply(enrollment);
  if (!owner.profile || !document) return null;
  owner.profile = { ...owner.profile, ...standingOf(described, document, now), ...historyOf(described) };
  const { memberLimit } = document;
  if (memberLimit && described.memberLimitUsed) {
    const { period } = memberLimit;
    const start = limitPeriodStart(period, now);
    state.setCounter(owner, `${memberLimitId}.${period}`, start, described.memberLimitUsed);
  }
  return null;
}

function standingOf(
  { tier, qualificationPoints = 0 }: DescribedMember,
  { tiers, qualification }: ProgramDocument,
  now: Date,
): Pick<ProfileRecord, 'tier' | 'qualificationPoints'> & Partial<ProfileRecord> {
  const rolling = qualification.window === 'rolling_12_months';
  return {
    tier: tier ?? tierFor(tiers, qualificationPoints).id,
    qualificationPoints,
    ...(rolling ? { qualificationDays: { [now.toISOString().slice(0, 10)]: qualificationPoints } } : {}),
  };
}

function historyOf({
  purchaseCount = 0,
  purchaseAmountMinor = 0,
  firstPurchaseAt,
  lastPurchaseAt,
}: DescribedMember) {
  return {
    purchaseCount,
    purchaseAmountMinor,
    firstPurchaseAt: firstPurchaseAt ? new Date(firstPurchaseAt) : null,
    lastPurchaseAt: lastPurchaseAt ? new Date(lastPurchaseAt) : null,
  };
}

function memberOf(
  externalCustomerId: string,
  { tags = [], lists = [] }: DescribedMember,
  now: Date,
): MemberRecord {
  return {
    id: newUuid(),
    externalCustomerId,
    displayName: null,
    status: 'active',
    identityStatus: 'verified',
    consentStatus: 'granted',
    noticeVersion: 'try',
    consentAt: now,
    createdAt: now,
    tags,
    lists,
    mergedInto: null,
  };
}
