import type { RecordReturnInput } from '../../contract/generated/types.ts';
import type { Receipt } from '../../contract/receipt.ts';
import { toTypeId } from '../../ids.ts';
import { Book } from '../../ledger/books/book.ts';
import { settle } from '../../ledger/books/settle.ts';
import { type DecisionPart, mergeDecisions } from '../../ledger/merge-decisions.ts';
import type { ResourceOwner } from '../../ledger/resource-owner.ts';
import type { State } from '../../ledger/state.ts';
import type { OrderRecord } from '../../ledger/tables/orders.ts';
import type { ProfileRecord } from '../../ledger/tables/program-profiles.ts';
import { versionAt } from '../../programs/published/published-program.ts';
import { refuse } from '../../refusal.ts';
import { pointsDue, pointsDueByLine } from '../../rules/clawback.ts';
import { bookedParts } from '../shared/booked-decision.ts';
import type { DecisionOf } from '../shared/operation-command.ts';
import { clawBackReferral } from './referral-clawback.ts';
import { linesOf, quantities, type ReturnedValue } from './returned-value.ts';
import { pointsClawedBack, takeBack } from './take-back.ts';

/** A return that has been valued, with what its clawback is computed from. */
export interface ValuedReturn {
  input: RecordReturnInput;
  owner: ResourceOwner;
  profile: ProfileRecord;
  /** Before the return. */
  order: OrderRecord;
  value: ReturnedValue;
  state: State;
  now: Date;
}

/**
 * The decision that writes a valued return: the transaction that claws the points back from the order's own lots, the
 * claim on those lots for the shortfall, the same for the rewards of a referral, the order, the return and its receipt.
 * Refusal: `points_not_recoverable`.
 */
export function clawbackDecision(valued: ValuedReturn): DecisionOf<'recordReturn'> {
  const { input, owner, value, state, now } = valued;
  const { sourceReference, returnReference } = input;
  const book = new Book(valued.profile, state, now);
  // Settled first: points of an expired hold may pay an earlier claim, and expired points cannot be clawed back.
  const settled = settle(book, state.loadedPoints(owner.programId, owner.externalCustomerId), state);
  const order = book.order(valued.order);
  const dueOf = (points: number): number =>
    pointsDue(points, { ...order, ...value.order }) - pointsDue(points, order);
  const entry = book.open({ eventType: 'order.returned', sourceReference });
  const result = takeBack(book, entry, lotsOf(order, state), dueOfOrder(order, { ...order, ...value.order }));
  const { clawedBack, shortfall } = result;
  const transactionId = toTypeId('txn', entry.id);
  const references = { returnId: transactionId, sourceReference, returnReference };
  const referral = clawBackReferral({ ...references, owner, dueOf, book, settled, state });
  const missing = shortfall + referral.total.shortfall;
  if (missing > 0) {
    const program = state.program(order.programId);
    const policy = program && versionAt(program, now)?.document.returns?.onShortfall;
    if (policy === 'refuse') {
      const total = clawedBack + referral.total.clawedBack;
      return refuse(
        'points_not_recoverable',
        `${total + missing} points are due back, and ${total} of them are left: the program refuses such returns.`,
      );
    }
  }
  book.setOrder({ ...order, ...value.order, clawedBack: order.clawedBack + clawedBack });
  const { returnAmountMinor } = value;
  book.setProfile({ purchaseAmountMinor: book.profile.purchaseAmountMinor - returnAmountMinor });
  const receipt: Receipt<'recordReturn'> & { evidence: object } = {
    id: transactionId,
    status: 'committed',
    return: {
      sourceReference,
      returnReference,
      returnAmountMinor,
      pointsClawedBack: clawedBack,
      shortfall,
      orderStatus: value.order.state,
      referral: referral.receipt,
    },
    // Stored and not shown: with the order, the clawback can be computed again from it.
    evidence: { returnReference, lines: value.lines, returnedMinor: value.order.returnedMinor },
  };
  const transaction = book.close(entry, receipt);
  const facts = { returnAmountMinor, pointsClawedBack: clawedBack, shortfall };
  const ownPart: DecisionPart = {
    inserts: {
      returns: [
        { sourceReference, returnReference, ...facts, transactionId: entry.id, createdAt: now, receipt },
      ],
    },
    audits: [
      {
        action: 'order.returned',
        targetType: 'transaction',
        targetId: transactionId,
        changes: { programId: order.programId, ...facts },
      },
    ],
    webhookEvents: pointsClawedBack(book, entry, references, result),
  };
  const parts = [...bookedParts(book, referral.settled), ownPart, ...referral.parts];
  return { receipt, receiptOf: transaction, ...mergeDecisions(...parts) };
}

/** The points of an order that a return makes due. @param after the order with the return */
function dueOfOrder(before: OrderRecord, after: OrderRecord): number {
  const lines = linesOf(before);
  const byLine = lines.some(({ points }) => points !== undefined);
  const due = (order: OrderRecord): number =>
    byLine ? pointsDueByLine(order.points, order, lines, quantities(order)) : pointsDue(order.points, order);
  return due(after) - due(before);
}

/** The lots that the order's purchase granted: none where it earned nothing. */
function lotsOf({ transactionId, points }: OrderRecord, state: State): string[] {
  if (points === 0) return [];
  const ids = state.postingsOf(transactionId).map(({ lotId }) => lotId);
  return [...new Set(ids)].filter((id) => id !== null);
}
