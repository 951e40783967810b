import { OF_MEMBERS } from './handling.ts';
import { insertedTable } from './table.ts';

/** The redemption of a code of a pool by a purchase. */
export interface CouponRedemptionRecord {
  transactionId: string;
  programId: string;
  codeHash: string;
  memberId: string;
}

export const couponRedemptions = insertedTable<CouponRedemptionRecord, never>({
  name: 'coupon_redemptions',
  handling: {
    owner: { through: 'transactions', on: 'coupon_redemptions.transaction_id = transactions.id' },
    exported: {
      ids: { member_id: 'mem', transaction_id: 'txn' },
      order: ['transactions.created_at', 'transactions.id'],
    },
    erasure: 'nothing',
    ...OF_MEMBERS,
  },
  columns: {
    transactionId: 'uuid',
    programId: 'text',
    codeHash: 'uuid',
    memberId: 'uuid',
  },
  primaryKey: ['transactionId'],
  references: [
    {
      to: 'transactions',
      constraint: 'coupon_redemptions_transaction_fkey',
      properties: { id: 'transactionId' },
    },
    {
      to: 'coupon_codes',
      constraint: 'coupon_redemptions_code_fkey',
      properties: { programId: 'programId', codeHash: 'codeHash' },
    },
  ],
});
