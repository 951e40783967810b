import { assignCouponCode } from '../../src/commands/earning/assign-coupon-code.ts';
import { operation } from '../client/intent.ts';
import { codeName } from '../model/codes.ts';

interface Input {
  programId: string;
  code: string;
  externalCustomerId: string;
}

export const assignCouponCodeOperation = operation<Input>({
  name: 'assignCouponCode',
  weight: 6,
  invent({ random, customers, programIds, codes }) {
    const code = codes.length > 0 && random.chance(0.95) ? random.pick(codes.slice(-30)) : 'SUMMER-NONE1';
    return {
      programId: random.pick(programIds),
      code: random.chance(0.3) ? code.toLowerCase() : code,
      externalCustomerId: random.pick(customers),
    };
  },
  alter: (input) => ({ ...input, code: `${input.code}-` }),
  command: assignCouponCode,
  predict(model, { programId, code, externalCustomerId }) {
    if (!model.programs.get(programId)) return { code: 'program_not_found' };
    if (!model.isActive(externalCustomerId)) return { code: 'member_not_found' };
    const name = codeName(programId, code);
    const couponCode = model.codes.get(name);
    if (!couponCode) return { code: 'coupon_code_not_found' };
    const isTheirs = couponCode.assigned === externalCustomerId;
    if (couponCode.assigned !== null && !isTheirs) return { code: 'coupon_code_unavailable' };
    const isUsedUp = couponCode.uses >= couponCode.allowed;
    if (!isTheirs && (couponCode.disabled || isUsedUp)) return { code: 'coupon_code_unavailable' };
    model.codes.set(name, { ...couponCode, assigned: externalCustomerId });
    const open = isUsedUp ? 'used_up' : 'open';
    const { pool: poolId, uses, allowed: usesAllowed } = couponCode;
    const state = couponCode.disabled ? 'disabled' : open;
    return { receipt: { couponCode: { programId, poolId, state, uses, usesAllowed, externalCustomerId } } };
  },
});
