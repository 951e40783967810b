import type { ErrorCode } from '../../contract/generated/error-codes.ts';
import type { DecideAdjustmentInput, Mutation } from '../../contract/generated/types.ts';
import { toTypeId } from '../../ids.ts';
import { Book } from '../../ledger/books/book.ts';
import type { HoldChanges } from '../../ledger/books/holds.ts';
import { settle } from '../../ledger/books/settle.ts';
import type { Command, Decided, Decision, Subject, Updates } from '../../ledger/command.ts';
import type { OwnedResource } from '../../ledger/resource-owner.ts';
import type { State } from '../../ledger/state.ts';
import type { AdjustmentRecord } from '../../ledger/tables/adjustments.ts';
import { isActive } from '../../ledger/tables/members.ts';
import type { TransactionRecord } from '../../ledger/tables/transactions.ts';
import { adjustmentNotFound, type Refusal, refuse } from '../../refusal.ts';
import { bookedDecision, type OwnDecision } from '../shared/booked-decision.ts';
import { type Caller, envelope } from '../shared/caller.ts';
import { retryChangedOwner } from '../shared/changed-owner.ts';
import { presentName } from '../shared/present-name.ts';
import { type AdjustmentReceipt, adjustmentEvent, adjustmentReceipt } from './adjustment-receipt.ts';

/** The adjustment that a command names, with its owner. */
export type OwnedAdjustment = Omit<OwnedResource, 'rewardId'>;

/** The input of a decision on an adjustment: the command's input, the locked adjustment and the state. */
export interface AdjustmentCase {
  input: DecideAdjustmentInput;
  resource: OwnedAdjustment;
  /** The principal who submits the command. */
  principal: string;
  adjustment: AdjustmentRecord;
  state: State;
  now: Date;
}

/**
 * A command on an existing adjustment.
 * @param resource null where the environment has no such adjustment: the command is then refused as
 *   `adjustment_not_found`, but only after replays, reused keys and the Production lock have been handled
 * @param decide receives the locked adjustment
 */
export function adjustmentCommand<Code extends ErrorCode = never>(
  operation: keyof Mutation,
  input: DecideAdjustmentInput,
  resource: OwnedAdjustment | null,
  caller: Caller,
  decide: (adjustmentCase: AdjustmentCase) => Decided<AdjustmentReceipt, Code>,
): Command<AdjustmentReceipt, Code | 'adjustment_not_found'> {
  return {
    ...envelope(operation, input, caller),
    laneKey: resource?.externalCustomerId ?? input.adjustmentId,
    subjects: resource ? subjectsOf(resource) : [],
    decide(state, now) {
      const adjustment = resource && state.row('adjustments', resource.id);
      if (!adjustment) return adjustmentNotFound;
      const changed = retryChangedOwner(adjustment.memberId, resource.externalCustomerId, state);
      if (changed) return changed;
      return decide({
        input,
        resource: { ...resource, externalCustomerId: presentName(resource.externalCustomerId, state) },
        principal: caller.actor.id,
        adjustment,
        state,
        now,
      });
    },
  };
}

function subjectsOf({ id, programId, externalCustomerId, points }: OwnedAdjustment): Subject[] {
  return [
    { kind: 'member', externalCustomerId },
    { kind: 'profile', programId, externalCustomerId },
    { kind: 'adjustment', id },
    { kind: 'points', programId, externalCustomerId, points },
  ];
}

/** Refuses with `invalid_adjustment_state` where the adjustment has already been decided or has expired. */
export function refuseDecided({
  adjustment,
  now,
}: AdjustmentCase): Refusal<'invalid_adjustment_state'> | null {
  if (adjustment.state === 'requested' && adjustment.expiresAt > now) return null;
  const state = adjustment.state === 'requested' ? 'expired' : adjustment.state;
  return refuse(
    'invalid_adjustment_state',
    `The adjustment is ${state}: only a requested one can be decided.`,
  );
}

/**
 * Refuses to give points to a member who is not active, or not enrolled in the program. Checked at each posting that
 * gives points (decisions, "Adjustments").
 */
export function refuseEntry({
  state,
  resource,
}: AdjustmentCase): Refusal<'enrollment_required' | 'member_not_found'> | null {
  const { programId, externalCustomerId } = resource;
  if (!isActive(state.member(externalCustomerId))) {
    return refuse('member_not_found', 'The member of the adjustment is not active any more.');
  }
  if (state.profile(programId, externalCustomerId)?.enrolled) return null;
  return refuse('enrollment_required', 'The member is not enrolled in this program: points cannot enter.');
}

/** The book of the member's profile, in which everything that is due by now has been settled. */
export interface SettledBook {
  book: Book;
  settled: HoldChanges;
}

export function settledBook({ state, resource, now }: AdjustmentCase): SettledBook {
  const { programId, externalCustomerId } = resource;
  const profile = state.profile(programId, externalCustomerId);
  if (!profile) throw new Error(`the profile of adjustment ${resource.id} is gone`);
  const book = new Book(profile, state, now);
  return { book, settled: settle(book, state.loadedPoints(programId, externalCustomerId), state) };
}

/** The book and the transaction that was posted in it for an adjustment. */
interface Posted extends SettledBook {
  transaction: TransactionRecord;
  /** The update of the transaction that `transaction` reverses. */
  reversed?: Updates['transactions'];
}

/**
 * The decision that writes a changed adjustment.
 * @param posted what was posted for it; undefined where no points moved
 */
export function adjustmentDecision(
  { resource }: AdjustmentCase,
  adjustment: AdjustmentRecord & { state: 'posted' | 'rejected' | 'reversed' },
  posted?: Posted,
): Decision<AdjustmentReceipt> {
  const { state, programId, direction, points, requestedBy } = adjustment;
  const action = `adjustment.${state}` as const;
  const transactionId = posted ? { transactionId: toTypeId('txn', posted.transaction.id) } : {};
  const ownPart: OwnDecision<AdjustmentReceipt> = {
    receipt: adjustmentReceipt(adjustment, resource.externalCustomerId),
    updates: { adjustments: [adjustment], transactions: posted?.reversed ?? [] },
    audits: [
      {
        action,
        targetType: 'adjustment',
        targetId: toTypeId('adj', adjustment.id),
        changes: { programId, direction, points, requestedBy, ...transactionId },
      },
    ],
    webhookEvents: [{ type: action, data: adjustmentEvent(adjustment, resource.externalCustomerId) }],
  };
  return posted
    ? bookedDecision(posted.book, posted.settled, ownPart)
    : { inserts: {}, updates: {}, ...ownPart };
}
