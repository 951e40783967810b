import { toTypeId } from '../ids.ts';
import { Book } from '../ledger/book.ts';
import type { Decision } from '../ledger/command.ts';
import { MAX_POINTS } from '../ledger/posting.ts';
import type { ChoiceGrantRecord, StockRecord } from '../ledger/records.ts';
import { expireLapsed, settle } from '../ledger/settle.ts';
import { versionAt } from '../programs/published-program.ts';
import { type Refusal, refuse } from '../refusal.ts';
import { bookedDecision } from './booked-decision.ts';
import { grantsForTier } from './choice-grants.ts';
import { type EvaluatedPurchase, purchaseReceipt } from './purchase-receipt.ts';
import { tierChange } from './tier-change.ts';

/** Turns an evaluated purchase into what is written: transaction, order, lot and posting, profile, receipt. */
export function awardDecision(purchase: EvaluatedPurchase): Decision | Refusal {
  const { input, member, evaluation, limitCounter, occurredAt, state, now } = purchase;
  const { points } = evaluation;
  const { available, pending, reserved } = purchase.before;
  if (available + pending + reserved + points > MAX_POINTS) {
    return refuse('balance_limit_exceeded', 'The balance would exceed 2^53-1 points.');
  }
  const book = new Book(purchase.before, state, now);
  const holding = state.dueHolding(input.programId, input.externalCustomerId);
  const settled = holding
    ? settle(book, holding, state)
    : { reservations: [], stocks: new Map<string, StockRecord>() };
  // Points under an inactivity policy live on from here, and so does what the member already has. What was over before
  // stays over, also where no sweep has seen it yet.
  book.setProfile({ ...purchase.standing, lastActivityAt: now });
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
  const outerId = toTypeId('txn', transaction.id);
  const decision = bookedDecision(book, settled, {
    receipt,
    inserts: {
      orders: [
        {
          sourceReference: input.sourceReference,
          programId: input.programId,
          memberId: member.id,
          transactionId: transaction.id,
          state: 'active',
          amountMinor: input.amountMinor,
          currency: purchase.currency,
          points,
          returnedMinor: 0,
          clawedBack: 0,
          lines: input.items ?? null,
          returnedLines: null,
        },
      ],
      choiceGrants: tierGrants(purchase),
    },
    updates: { limitCounters: limitCounter ? [limitCounter] : [] },
    audits: [
      {
        action: 'purchase.completed',
        targetType: 'transaction',
        targetId: outerId,
        changes: { programId: input.programId, sourceReference: input.sourceReference, points },
      },
      ...tierChange(purchase.before, purchase.standing),
    ],
    webhookEvents: [
      {
        type: 'points.earned',
        data: {
          transactionId: outerId,
          programId: input.programId,
          memberId: toTypeId('mem', member.id),
          externalCustomerId: member.externalCustomerId,
          sourceReference: input.sourceReference,
          points,
          basePoints: evaluation.basePoints,
          campaignPoints: evaluation.campaignPoints,
          occurredAt: occurredAt.toISOString(),
        },
      },
    ],
  });
  return { ...decision, receiptOf: transaction };
}

/** What the present configuration grants for a tier that the purchase has led to. */
function tierGrants({
  before,
  standing,
  member,
  picked,
  state,
  now,
}: EvaluatedPurchase): ChoiceGrantRecord[] {
  if (standing.tier === before.tier) return [];
  const { programId } = before;
  const program = state.program(programId);
  const { document } = (program && versionAt(program, now)) ?? picked.version;
  const grantee = { member, programId, now, newId: () => state.newId() };
  return grantsForTier(document, before.tier, standing.tier, grantee);
}
