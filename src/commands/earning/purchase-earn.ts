import type { CartItemInput, EarnedLine, PurchaseEarnInput } from '../../contract/generated/types.ts';
import { toTypeId } from '../../ids.ts';
import { Book, issueLot } from '../../ledger/books/book.ts';
import { expireLapsed, settleDue } from '../../ledger/books/settle.ts';
import type { Subject } from '../../ledger/command.ts';
import { type DecisionPart, mergeDecisions } from '../../ledger/merge-decisions.ts';
import type { State } from '../../ledger/state.ts';
import { isActive, type MemberRecord } from '../../ledger/tables/members.ts';
import type { ProfileRecord } from '../../ledger/tables/program-profiles.ts';
import type { TransactionRecord } from '../../ledger/tables/transactions.ts';
import type { PublishedProgram } from '../../programs/published/published-program.ts';
import { isRefusal, programNotFound, type Refusal, refuse } from '../../refusal.ts';
import { memberFactsOf } from '../../rules/conditions/member-facts.ts';
import type { PurchaseEvaluation } from '../../rules/earning/evaluate-purchase.ts';
import type { EvaluationRequest } from '../../rules/earning/pick-version.ts';
import { standingAt } from '../../rules/standing.ts';
import { refuseAmountOverflow, refuseOverflow } from '../shared/balance-limit.ts';
import { bookedParts } from '../shared/booked-decision.ts';
import { type Caller, envelope } from '../shared/caller.ts';
import { grantChoices, grantsForTier } from '../shared/choice-grants.ts';
import { noActiveMember } from '../shared/no-active-member.ts';
import type { CommandOf, DecisionOf } from '../shared/operation-command.ts';
import { pointsEarned } from '../shared/points-earned.ts';
import { memberReference } from '../shared/receipts.ts';
import { referralCodeFrom } from '../shared/referral-code.ts';
import { refuseErased } from '../shared/refuse-erased.ts';
import { tierChange } from '../shared/tier-change.ts';
import { refuseTooFarAhead } from '../shared/too-far-ahead.ts';
import { assessPurchase, type Buyer, evaluationRequest, withTrimmedCode } from './assess-purchase.ts';
import { campaignAwardsOf } from './campaign-awards.ts';
import { capsReached } from './cap-reached.ts';
import {
  countersAfter,
  type EarningUse,
  type Purchase,
  sharedCountersOf,
  storedCode,
} from './earning-counters.ts';
import { purchaseReceipt, type ReceiptHead } from './purchase-receipt.ts';
import { awardReferral, referralOf, referrerOf } from './referral.ts';

/**
 * Awards points for a completed purchase (specification, `POST /events`, GraphQL `purchaseEarn`). Refusals:
 * `program_not_found`, `member_not_found`, `source_reference_conflict`, `enrollment_required`, `invalid_event`,
 * `configuration_not_effective`, `currency_mismatch`, `unknown_tier`, `member_limit_reached`, `balance_limit_exceeded`,
 * `cart_too_large`.
 * @param referrerId externalCustomerId of the member whose referral code came with the purchase; null where the
 *   purchase has no code or nobody has that code
 */
export function purchaseEarn(
  rawInput: PurchaseEarnInput,
  caller: Caller,
  referrerId: string | null = null,
): CommandOf<'purchaseEarn'> {
  const input = withTrimmedCode(rawInput);
  const { programId, externalCustomerId, sourceReference } = input;
  const request = evaluationRequest(input);
  const pinned = request.mode === 'event_time_pinned_configuration';
  const at = pinned ? (request.occurredAt ?? null) : null;
  const subjects: Subject[] = [
    { kind: 'member', externalCustomerId },
    { kind: 'profile', programId, externalCustomerId },
    { kind: 'limitCounters', programId, externalCustomerId, at },
    { kind: 'order', sourceReference },
    { kind: 'due', programId, externalCustomerId },
    { kind: 'sharedCounters', programId, counterIds: sharedCountersOf(request, input.couponCode) },
  ];
  if (input.couponCode) subjects.push({ kind: 'couponCode', programId, code: input.couponCode });
  if (referrerId !== null && referrerId !== externalCustomerId) {
    subjects.push(
      { kind: 'member', externalCustomerId: referrerId },
      { kind: 'profile', programId, externalCustomerId: referrerId },
      { kind: 'due', programId, externalCustomerId: referrerId },
    );
  }
  return {
    ...envelope('purchaseEarn', rawInput, caller),
    laneKey: externalCustomerId,
    subjects,
    decide: (state, now) => decide(input, request, referrerId, state, now),
  };
}

/**
 * Admits the purchase, picks the version, evaluates, decides on the referral, posts and makes the receipt, in this
 * order.
 */
function decide(
  input: PurchaseEarnInput,
  request: EvaluationRequest,
  referrerId: string | null,
  state: State,
  now: Date,
): DecisionOf<'purchaseEarn'> {
  const { programId, sourceReference } = input;
  const admitted = admit(input, request, state, now);
  if (isRefusal(admitted)) return admitted;
  const { program, member, profile } = admitted;
  const { externalCustomerId } = member;

  const buyer: Buyer = {
    standingIn: (document) => standingAt(document, profile, now),
    member: memberFactsOf(profile, member),
  };
  // The member's own name, also where it came with that of a member who was merged into it.
  const memberInput = { ...input, externalCustomerId };
  const assessed = assessPurchase(memberInput, request, { program, buyer }, state, now);
  if (isRefusal(assessed)) return assessed;
  const { purchase, presentDocument, standingAfter, buyerFacts, evaluation } = assessed;
  const { occurredAt, picked } = purchase;
  const { points } = evaluation;
  const overflow = refuseOverflow(profile, points) ?? refuseAmountOverflow(profile, input.amountMinor);
  if (overflow) return overflow;

  const referrer = referrerOf(memberInput, referrerId, state);
  const { referral: section = null } = picked.version.document;
  const referral = referralOf(input, section, { profile, points }, referrer);

  const book = new Book(profile, state, now);
  const settled = settleDue(book, externalCustomerId, state);
  // The purchase is activity: it extends the new lot and the member's other lots under an inactivity policy. Lots that
  // had lapsed before it were expired by settleDue above, even where no sweep had reached them, and are not extended.
  book.setProfile({ ...standingAfter, ...historyAfter(profile, purchase), lastActivityAt: now });
  if (presentDocument.referral && profile.referralCode === null) {
    book.setProfile({ referralCode: referralCodeFrom(state.newId()) });
  }
  const entry = book.open({ eventType: 'purchase.completed', sourceReference, occurredAt });
  const lot = points > 0 ? issueLot(book, entry, points, evaluation) : null;
  const head = { id: toTypeId('txn', entry.id), member: memberReference(member, standingAfter.tier) };
  const receipt = purchaseReceipt(head, purchase, buyerFacts, evaluation, referral);
  const transaction = book.close(entry, receipt);
  // An event may arrive so late that its points have lapsed by now.
  if (lot) expireLapsed(book, [lot.id]);
  const referred = referral && awardReferral(referral, purchase, { member, book, settled }, state);
  const grantee = { member, programId, now, newId: () => state.newId() };
  return {
    receipt,
    receiptOf: transaction,
    ...mergeDecisions(
      ...bookedParts(book, referred?.settled ?? settled),
      recorded(input, purchase, head, evaluation, transaction),
      counted(purchase, member.id, buyerFacts, evaluation),
      redeemedCode(purchase, transaction, evaluation, state),
      tierChange(profile, standingAfter),
      grantChoices(grantsForTier(presentDocument, profile.tier, standingAfter.tier, grantee)),
      ...(referred?.parts ?? []),
    ),
  };
}

/** The member who buys is not enrolled. */
export const enrollmentRequired = refuse(
  'enrollment_required',
  'The member is not enrolled in this program: PUT the enrollment first.',
);

/** The program, the member and the profile of a purchase that was admitted. */
interface Admitted {
  program: PublishedProgram;
  member: MemberRecord;
  profile: ProfileRecord;
}

/** Refuses a purchase that may not earn. Where there are several reasons, the first one in this order is given. */
function admit(
  input: PurchaseEarnInput,
  { occurredAt }: EvaluationRequest,
  state: State,
  now: Date,
):
  | Admitted
  | Refusal<
      | 'enrollment_required'
      | 'invalid_event'
      | 'member_not_found'
      | 'program_not_found'
      | 'source_reference_conflict'
    > {
  const program = state.program(input.programId);
  if (!program) return programNotFound;
  const member = state.member(input.externalCustomerId);
  if (!isActive(member)) return noActiveMember;
  const existing = state.row('orders', input.sourceReference);
  if (existing) {
    return refuse(
      'source_reference_conflict',
      `Another Idempotency-Key already recorded this order reference: ${toTypeId('txn', existing.transactionId)}.`,
    );
  }
  const erased = refuseErased('source_reference_conflict', state, 'order', input.sourceReference);
  if (erased) return erased;
  const profile = state.profile(input.programId, input.externalCustomerId);
  if (!profile?.enrolled) return enrollmentRequired;
  const tooFarAhead = occurredAt && refuseTooFarAhead('invalid_event', occurredAt, now);
  return tooFarAhead ?? { program, member, profile };
}

/** The purchase history of the profile, with this purchase included. */
function historyAfter(profile: ProfileRecord, { input, occurredAt }: Purchase) {
  const { firstPurchaseAt, lastPurchaseAt } = profile;
  return {
    purchaseCount: profile.purchaseCount + 1,
    purchaseAmountMinor: profile.purchaseAmountMinor + input.amountMinor,
    firstPurchaseAt: firstPurchaseAt && firstPurchaseAt < occurredAt ? firstPurchaseAt : occurredAt,
    lastPurchaseAt: lastPurchaseAt && lastPurchaseAt > occurredAt ? lastPurchaseAt : occurredAt,
  } satisfies Partial<ProfileRecord>;
}

/** What is written about the purchase itself: the order, which returns look up later, the audit and the event. */
function recorded(
  input: PurchaseEarnInput,
  { picked }: Purchase,
  { id: transactionId, member }: ReceiptHead,
  evaluation: PurchaseEvaluation,
  transaction: TransactionRecord,
): DecisionPart {
  const { points, basePoints, campaignPoints, lines, activatesAt } = evaluation;
  const { sourceReference, amountMinor, items } = input;
  const { programId } = transaction;
  return {
    inserts: {
      orders: [
        {
          sourceReference,
          programId,
          memberId: transaction.memberId,
          transactionId: transaction.id,
          state: 'active',
          amountMinor,
          currency: picked.version.document.currency,
          points,
          returnedMinor: 0,
          clawedBack: 0,
          lines: items && lines ? withPoints(items, lines) : (items ?? null),
          returnedLines: null,
        },
      ],
      campaignAwards: campaignAwardsOf(transaction, amountMinor, evaluation),
    },
    audits: [
      {
        action: 'purchase.completed',
        targetType: 'transaction',
        targetId: transactionId,
        changes: { programId, points },
      },
    ],
    webhookEvents: pointsEarned(
      transaction,
      { basePoints, campaignPoints, activatesAt },
      { transactionId, memberId: member.id },
    ),
  };
}

/** What is written about caps and limits: the counters, and the events of caps that are reached. */
function counted(
  purchase: Purchase,
  memberId: string,
  buyerFacts: EarningUse,
  evaluation: PurchaseEvaluation,
): DecisionPart {
  return {
    updates: countersAfter(purchase, memberId, buyerFacts, evaluation),
    webhookEvents: capsReached(purchase, buyerFacts, evaluation),
  };
}

/** The use of a code of a pool, where the purchase redeems one. */
function redeemedCode(
  purchase: Purchase,
  { id: transactionId, memberId, programId }: TransactionRecord,
  { coupon }: PurchaseEvaluation,
  state: State,
): DecisionPart {
  const stored = coupon?.redeemed ? storedCode(purchase, state) : null;
  if (!stored) return {};
  const { codeHash } = stored;
  return {
    updates: { couponCodes: [{ ...stored, uses: stored.uses + 1 }] },
    inserts: { couponRedemptions: [{ transactionId, programId, codeHash, memberId }] },
  };
}

/** The items of the order, each with the points that it earned: returns by line take these back. */
function withPoints(items: readonly CartItemInput[], lines: readonly EarnedLine[]) {
  const pointsAt = new Map(lines.map(({ index, points }) => [index, points]));
  return items.map((item, index) => ({ ...item, points: pointsAt.get(index) ?? 0 }));
}
