import { OF_MEMBERS } from './handling.ts';
import { insertedTable } from './table.ts';

export interface ReturnRecord {
  returnReference: string;
  sourceReference: string;
  transactionId: string;
  returnAmountMinor: number;
  pointsClawedBack: number;
  /** Points that were due to this return and that the member did not have. */
  shortfall: number;
  createdAt: Date;
  /** Stored with the transaction. */
  receipt: object;
}

/** A return, by its own reference. */
export interface ReturnSubject {
  kind: 'return';
  returnReference: string;
}

export const returns = insertedTable<ReturnRecord, ReturnSubject>({
  name: 'returns',
  handling: {
    owner: { through: 'orders', on: 'returns.source_reference = orders.source_reference' },
    exported: { ids: { transaction_id: 'txn' }, order: ['created_at', 'return_reference'] },
    erasure: 'own_step',
    ...OF_MEMBERS,
  },
  columns: {
    returnReference: 'text',
    sourceReference: 'text',
    transactionId: 'uuid',
    returnAmountMinor: 'bigint',
    pointsClawedBack: 'bigint',
    shortfall: 'bigint',
    createdAt: 'timestamptz',
    receipt: { type: 'json', joined: true },
  },
  primaryKey: ['returnReference'],
  checks: {
    returns_return_amount_minor_check: (row) => row.returnAmountMinor >= 0,
    returns_points_check: (row) => row.pointsClawedBack >= 0 && row.shortfall >= 0,
  },
  references: [
    { to: 'orders', constraint: 'returns_order_fkey', properties: { sourceReference: 'sourceReference' } },
    { to: 'transactions', constraint: 'returns_transaction_fkey', properties: { id: 'transactionId' } },
  ],
  lookUps: [
    {
      name: 'load_returns',
      keyProperties: { return: ['returnReference'] },
      join: {
        sql: `cross join lateral (
        select receipt from transactions
        where environment_id = $1::uuid and id = r.transaction_id
        limit 1
      ) t`,
        gives: { receipt: 't.receipt' },
      },
    },
  ],
});
