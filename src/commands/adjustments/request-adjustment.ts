import type { RequestAdjustmentInput } from '../../contract/generated/types.ts';
import { toTypeId } from '../../ids.ts';
import type { State } from '../../ledger/state.ts';
import type { AdjustmentRecord } from '../../ledger/tables/adjustments.ts';
import { isActive } from '../../ledger/tables/members.ts';
import { profileNotFound, programNotFound, refuse } from '../../refusal.ts';
import { type Caller, envelope } from '../shared/caller.ts';
import { noActiveMember } from '../shared/no-active-member.ts';
import type { CommandOf, DecisionOf } from '../shared/operation-command.ts';
import { adjustmentEvent, adjustmentReceipt } from './adjustment-receipt.ts';

/** How long a request waits for a decision. */
const LIFETIME_MS = 14 * 86_400_000;

/**
 * Requests a credit or debit of points, which another principal decides on (decisions, "Adjustments"). Moves no points:
 * a debit larger than the balance can be requested. Refusals: `program_not_found`, `member_not_found`, for a credit
 * `enrollment_required`, for a debit `profile_not_found`.
 */
export function requestAdjustment(
  input: RequestAdjustmentInput,
  caller: Caller,
): CommandOf<'requestAdjustment'> {
  const { programId, externalCustomerId } = input;
  return {
    ...envelope('requestAdjustment', input, caller),
    laneKey: externalCustomerId,
    subjects: [
      { kind: 'member', externalCustomerId },
      { kind: 'profile', programId, externalCustomerId },
    ],
    decide: (state, now) => decide(input, caller, state, now),
  };
}

function decide(
  input: RequestAdjustmentInput,
  caller: Caller,
  state: State,
  now: Date,
): DecisionOf<'requestAdjustment'> {
  const { programId, direction, points, reason, evidence } = input;
  if (!state.program(programId)) {
    return programNotFound;
  }
  const member = state.member(input.externalCustomerId);
  if (!isActive(member)) return noActiveMember;
  const { externalCustomerId } = member;
  const profile = state.profile(programId, externalCustomerId);
  if (direction === 'credit' && !profile?.enrolled) {
    return refuse('enrollment_required', 'The member is not enrolled in this program: a credit needs it.');
  }
  if (!profile) return profileNotFound;
  const adjustment: AdjustmentRecord = {
    id: state.newId(),
    programId,
    memberId: member.id,
    direction,
    points,
    reason,
    evidence,
    state: 'requested',
    requestedBy: caller.actor.id,
    requestedAt: now,
    expiresAt: new Date(now.getTime() + LIFETIME_MS),
    decidedBy: null,
    decidedAt: null,
    decisionReason: null,
    reversedBy: null,
    transactionId: null,
    reversalTransactionId: null,
  };
  return {
    receipt: adjustmentReceipt(adjustment, externalCustomerId),
    inserts: { adjustments: [adjustment] },
    updates: {},
    audits: [
      {
        action: 'adjustment.requested',
        targetType: 'adjustment',
        targetId: toTypeId('adj', adjustment.id),
        changes: { programId, direction, points },
      },
    ],
    webhookEvents: [{ type: 'adjustment.requested', data: adjustmentEvent(adjustment, externalCustomerId) }],
  };
}
