import type { Receipt } from '../contract/receipt.ts';
import { toTypeId } from '../ids.ts';
import { Book } from '../ledger/book.ts';
import type { Decision, WebhookEvent } from '../ledger/command.ts';
import type { HoldChanges } from '../ledger/holds.ts';
import type { ChoiceGrantRecord, OrderRecord, ProfileRecord, TransactionRecord } from '../ledger/records.ts';
import { expireLapsed, settle } from '../ledger/settle.ts';
import type { Refusal } from '../refusal.ts';
import { refuseOverflow } from './balance-limit.ts';
import { bookedDecision } from './booked-decision.ts';
import { grantsForTier } from './choice-grants.ts';
import { type EvaluatedPurchase, purchaseReceipt } from './purchase-receipt.ts';
import { joined, referredDecision } from './referral-award.ts';
import { referralCodeFrom } from './referral-code.ts';
import { tierChange } from './tier-change.ts';

/** Turns an evaluated purchase into what is written: transaction, order, lot and posting, profile, receipt. */
export function awardDecision(purchase: EvaluatedPurchase): Decision<Receipt<'purchaseEarn'>> | Refusal {
  const { input, profile, evaluation, counters, occurredAt, state, now } = purchase;
  const { points } = evaluation;
  const overflow = refuseOverflow(profile, points);
  if (overflow) return overflow;
  const book = new Book(profile, state, now);
  const holding = state.dueHolding(input.programId, input.externalCustomerId);
  const settled: HoldChanges = { reservations: [], stocks: new Map() };
  if (holding) settle(book, holding, state, settled);
  // Points under an inactivity policy live on from here, and so does what the member already has. What was over before
  // stays over, also where no sweep has seen it yet.
  book.setProfile({ ...purchase.standing, ...historyAfter(purchase), lastActivityAt: now });
  const entry = book.open({
    eventType: 'purchase.completed',
    sourceReference: input.sourceReference,
    occurredAt,
  });
  const { activatesAt, expiresAt, inactivityDays } = evaluation;
  const lot = points > 0 ? book.addLot(entry, points, { activatesAt, expiresAt, inactivityDays }) : null;
  if (lot) {
    const pending = activatesAt !== null && activatesAt > now;
    book.move(entry, lot.id, 'program.issuance', pending ? 'member.pending' : 'member.available', points);
  }
  const receipt = purchaseReceipt(purchase, entry.id, book.profile.tier);
  const transaction = book.close(entry, receipt);
  // Of an event that comes so late that its points would have lapsed by now.
  if (lot) expireLapsed(book, [lot.id]);
  const referred = referredDecision(purchase, book, settled);
  const outerId = toTypeId('txn', transaction.id);
  const decision = bookedDecision(book, settled, {
    receipt,
    inserts: {
      orders: [orderOf(purchase, transaction)],
      choiceGrants: tierGrants(purchase),
    },
    updates: counters,
    audits: [
      {
        action: 'purchase.completed',
        targetType: 'transaction',
        targetId: outerId,
        changes: { programId: input.programId, sourceReference: input.sourceReference, points },
      },
      ...tierChange(profile, purchase.standing),
    ],
    webhookEvents: [earnedEvent(purchase, outerId)],
  });
  const whole = referred ? joined(decision, referred) : decision;
  return { ...whole, receipt, receiptOf: transaction };
}

/** The order as returns find it. */
function orderOf(
  { input, document, member, evaluation }: EvaluatedPurchase,
  { id }: TransactionRecord,
): OrderRecord {
  return {
    sourceReference: input.sourceReference,
    programId: input.programId,
    memberId: member.id,
    transactionId: id,
    state: 'active',
    amountMinor: input.amountMinor,
    currency: document.currency,
    points: evaluation.points,
    returnedMinor: 0,
    clawedBack: 0,
    lines: input.items ?? null,
    returnedLines: null,
  };
}

/** @param transactionId outer id */
function earnedEvent(
  { input, member, evaluation, occurredAt }: EvaluatedPurchase,
  transactionId: string,
): WebhookEvent {
  return {
    type: 'points.earned',
    data: {
      transactionId,
      programId: input.programId,
      memberId: toTypeId('mem', member.id),
      externalCustomerId: member.externalCustomerId,
      sourceReference: input.sourceReference,
      points: evaluation.points,
      basePoints: evaluation.basePoints,
      campaignPoints: evaluation.campaignPoints,
      occurredAt: occurredAt.toISOString(),
    },
  };
}

/** What the member's history says with this purchase; and the member's own code, where it has none yet. */
function historyAfter({ input, profile, present, occurredAt, state }: EvaluatedPurchase) {
  const { firstPurchaseAt, lastPurchaseAt } = profile;
  const givesCode = present.referral && profile.referralCode === null;
  return {
    purchaseCount: profile.purchaseCount + 1,
    purchaseAmountMinor: Math.min(profile.purchaseAmountMinor + input.amountMinor, Number.MAX_SAFE_INTEGER),
    firstPurchaseAt: firstPurchaseAt && firstPurchaseAt < occurredAt ? firstPurchaseAt : occurredAt,
    lastPurchaseAt: lastPurchaseAt && lastPurchaseAt > occurredAt ? lastPurchaseAt : occurredAt,
    referralCode: givesCode ? referralCodeFrom(state.newId()) : profile.referralCode,
  } satisfies Partial<ProfileRecord>;
}

/** What the present configuration grants for a tier that the purchase has led to. */
function tierGrants({
  profile,
  present,
  standing,
  member,
  state,
  now,
}: EvaluatedPurchase): ChoiceGrantRecord[] {
  if (standing.tier === profile.tier) return [];
  const { programId } = profile;
  const grantee = { member, programId, now, newId: () => state.newId() };
  return grantsForTier(present, profile.tier, standing.tier, grantee);
}
