import type { documents } from '../../rest-adapter/generated/documents.ts';
import { type Example, requestId } from './example.ts';

const code = { programId: 'coffee-club', code: 'SUMMER-7KQ3M9TX' };

const couponCode = {
  programId: 'coffee-club',
  poolId: 'SUMMER',
  prefix: 'SUMMER-7',
  state: 'open',
  uses: 0,
  usesAllowed: 1,
  externalCustomerId: 'customer-1001',
};

type Documented = keyof typeof documents & ('couponCode' | 'assignCouponCode');

export const couponExamples: Readonly<Record<Documented, Example>> = {
  couponCode: {
    request: code,
    response: { requestId, couponCode: { ...couponCode, externalCustomerId: null } },
  },
  assignCouponCode: {
    request: { ...code, externalCustomerId: 'customer-1001' },
    response: { requestId, idempotent: false, couponCode },
  },
};
