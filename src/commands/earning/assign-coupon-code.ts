import type { AssignCouponCodeInput, CouponCode } from '../../contract/generated/types.ts';
import { toTypeId } from '../../ids.ts';
import type { State } from '../../ledger/state.ts';
import { type CouponCodeRecord, couponCodeState } from '../../ledger/tables/coupon-codes.ts';
import { isActive } from '../../ledger/tables/members.ts';
import { programNotFound, refuse } from '../../refusal.ts';
import { type Caller, envelope } from '../shared/caller.ts';
import { noActiveMember } from '../shared/no-active-member.ts';
import type { CommandOf, DecisionOf } from '../shared/operation-command.ts';

/**
 * Gives a code of a pool to a member: nobody else can redeem it then. A code that is the member's already stays so.
 * Refusals: `program_not_found`, `member_not_found`, `coupon_code_not_found`, `coupon_code_unavailable` where the code
 * is another member's, used up or disabled.
 */
export function assignCouponCode(
  input: AssignCouponCodeInput,
  caller: Caller,
): CommandOf<'assignCouponCode'> {
  const { programId, code, externalCustomerId } = input;
  return {
    ...envelope('assignCouponCode', input, caller),
    laneKey: externalCustomerId,
    subjects: [
      { kind: 'member', externalCustomerId },
      { kind: 'couponCode', programId, code },
    ],
    decide: (state) => decide(input, state),
  };
}

function decide(
  { programId, code, externalCustomerId }: AssignCouponCodeInput,
  state: State,
): DecisionOf<'assignCouponCode'> {
  if (!state.program(programId)) return programNotFound;
  const member = state.member(externalCustomerId);
  if (!isActive(member)) return noActiveMember;
  const couponCode = state.couponCode(programId, code);
  if (!couponCode) return unknownCode;
  if (couponCode.assignedTo !== null && couponCode.assignedTo !== member.id) {
    return refuse('coupon_code_unavailable', 'The code is assigned to another member.');
  }
  const assigned: CouponCodeRecord = { ...couponCode, assignedTo: member.id };
  const receipt = { couponCode: couponCodeView(assigned, member.externalCustomerId) };
  const unchanged = { receipt, inserts: {}, updates: {}, audits: [], webhookEvents: [] };
  if (couponCode.assignedTo === member.id) return unchanged;
  const codeState = couponCodeState(couponCode);
  if (codeState !== 'open') {
    const why = codeState === 'disabled' ? 'The code is disabled.' : 'The code is used up.';
    return refuse('coupon_code_unavailable', why);
  }
  return {
    ...unchanged,
    updates: { couponCodes: [assigned] },
    audits: [
      {
        action: 'coupon_code.assigned',
        targetType: 'member',
        targetId: toTypeId('mem', member.id),
        changes: { programId, poolId: couponCode.poolId },
      },
    ],
  };
}

/** No pool of the program has the code. */
export const unknownCode = refuse('coupon_code_not_found', 'No pool of this program has this code.');

/** A code as receipts and reads show it. @param externalCustomerId of the only member who may redeem it */
export function couponCodeView(couponCode: CouponCodeRecord, externalCustomerId: string | null): CouponCode {
  const { programId, poolId, prefix, uses, usesAllowed } = couponCode;
  return {
    programId,
    poolId,
    prefix,
    state: couponCodeState(couponCode),
    uses,
    usesAllowed,
    externalCustomerId,
  };
}
