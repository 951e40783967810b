import type { RecordReturnInput } from '../../contract/generated/types.ts';
import type { Receipt } from '../../contract/receipt.ts';
import { toTypeId } from '../../ids.ts';
import type { ResourceOwner } from '../../ledger/resource-owner.ts';
import type { State } from '../../ledger/state.ts';
import { isRefusal, type Refusal, refuse } from '../../refusal.ts';
import { type Caller, envelope } from '../shared/caller.ts';
import { retryChangedOwner } from '../shared/changed-owner.ts';
import type { CommandOf, DecisionOf, RefusalOf } from '../shared/operation-command.ts';
import { presentName } from '../shared/present-name.ts';
import { repeatedDecision } from '../shared/receipts.ts';
import { refuseErased } from '../shared/refuse-erased.ts';
import { clawbackDecision } from './clawback-decision.ts';
import { referralSubjects } from './referral-clawback.ts';
import { returnedValue } from './returned-value.ts';

/**
 * Takes points back for a full or partial return of an order (specification, `POST /returns`, GraphQL `recordReturn`).
 * The member need not be enrolled any more. Points that were already spent stay due as a claim. Where the order had
 * qualified a referral, its points are taken back from both members in the same proportion. Refusals:
 * `return_form_invalid`, `order_not_found`, `return_reference_conflict`, `unknown_line`, `return_exceeds_remaining`,
 * `points_not_recoverable`.
 * @param owner the member who placed the order, with the rewards of the order's referral; null where there is no such
 *   order
 */
export function recordReturn(
  input: RecordReturnInput,
  owner: ResourceOwner | null,
  caller: Caller,
): CommandOf<'recordReturn'> | RefusalOf<'recordReturn'> {
  const { sourceReference, returnReference } = input;
  const byAmount = (input.returnAmountMinor ?? null) !== null;
  const byLines = (input.items ?? []).length > 0;
  if (byAmount === byLines) {
    return refuse(
      'return_form_invalid',
      byAmount ? 'Send returnAmountMinor or items, not both.' : 'Send returnAmountMinor or items.',
    );
  }
  const common = { ...envelope('recordReturn', input, caller), repeatsWhileLocked: true };
  if (!owner) return { ...common, laneKey: sourceReference, subjects: [], decide: orderNotFound };
  const { programId, externalCustomerId } = owner;
  return {
    ...common,
    laneKey: externalCustomerId,
    subjects: [
      { kind: 'member', externalCustomerId },
      { kind: 'profile', programId, externalCustomerId },
      { kind: 'order', sourceReference },
      { kind: 'return', returnReference },
      { kind: 'orderLots', sourceReference },
      { kind: 'points', programId, externalCustomerId, points: 0 },
      ...referralSubjects(owner),
    ],
    decide: (state, now) => decide(input, owner, state, now),
  };
}

function orderNotFound(): Refusal<'order_not_found'> {
  return refuse('order_not_found', 'This environment has no order of this sourceReference.');
}

function decide(
  input: RecordReturnInput,
  owner: ResourceOwner,
  state: State,
  now: Date,
): DecisionOf<'recordReturn'> {
  const order = state.row('orders', input.sourceReference);
  if (!order) return orderNotFound();
  const earlier = state.row('returns', input.returnReference);
  if (earlier) {
    if (earlier.sourceReference !== input.sourceReference) {
      return refuse(
        'return_reference_conflict',
        `This returnReference names a return of another order: ${toTypeId('txn', earlier.transactionId)}.`,
      );
    }
    return {
      ...repeatedDecision<Receipt<'recordReturn'>>(earlier.receipt),
      receiptOf: { id: earlier.transactionId },
    };
  }
  const erased = refuseErased('return_reference_conflict', state, 'return', input.returnReference);
  if (erased) return erased;
  const value = returnedValue(input, order);
  if (isRefusal(value)) return value;
  const rewards = owner.referral ?? [];
  for (const { memberId, externalCustomerId } of [{ ...owner, memberId: order.memberId }, ...rewards]) {
    const changed = retryChangedOwner(memberId, externalCustomerId, state);
    if (changed) return changed;
  }
  const profile = state.profile(owner.programId, owner.externalCustomerId);
  if (!profile) throw new Error(`the profile of order ${input.sourceReference} is gone`);
  return clawbackDecision({ input, owner: present(owner, state), profile, order, value, state, now });
}

/** The owner of an order with the names of the members that it, and those of its referral, have been merged into. */
function present(owner: ResourceOwner, state: State): ResourceOwner {
  const { externalCustomerId, referral } = owner;
  return {
    ...owner,
    externalCustomerId: presentName(externalCustomerId, state),
    ...(referral && {
      referral: referral.map((reward) => ({
        ...reward,
        externalCustomerId: presentName(reward.externalCustomerId, state),
      })),
    }),
  };
}
