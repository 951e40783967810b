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

type Documented = keyof typeof documents &
  ('couponCode' | 'assignCouponCode' | 'codePools' | 'generateCouponCodes');

export const couponExamples: Readonly<Record<Documented, Example>> = {
  codePools: {
    request: null,
    response: {
      requestId,
      programId: 'coffee-club',
      pools: [{ poolId: 'SUMMER', codes: 1000, used: 12, uses: 12, assigned: 3, disabled: 1 }],
    },
  },
  generateCouponCodes: {
    request: { count: 2, pattern: 'SUMMER-########' },
    response: {
      ...{ requestId, programId: 'coffee-club', poolId: 'SUMMER', count: 2, poolCodes: 1002 },
      codes: ['SUMMER-7KQ3M9TX', 'SUMMER-0B4C8DZH'],
    },
  },
  couponCode: {
    request: code,
    response: { requestId, couponCode: { ...couponCode, externalCustomerId: null } },
  },
  assignCouponCode: {
    request: { ...code, externalCustomerId: 'customer-1001' },
    response: { requestId, idempotent: false, couponCode },
  },
};
