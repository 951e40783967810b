import { readReceipt, receiptSql, saysOtherPoints, templateSql } from '../receipts/stored-receipt.ts';
import { insertedTable } from './table.ts';

export interface IdempotencyRecord {
  operation: string;
  key: string;
  fingerprint: Buffer;
  /** An UnreadableReceipt where what is stored was damaged. */
  receipt: object;
  /** The transaction that the receipt is stored with; null where it is stored with the key. */
  transactionId: string | null;
  createdAt: Date;
}

/** The receipt stored under a key. It is read after the locks, so that it sees what they waited for. */
export interface IdempotencySubject {
  kind: 'idempotencyKey';
  operation: string;
  key: string;
}

export const idempotency = insertedTable<IdempotencyRecord, IdempotencySubject>({
  name: 'idempotency_keys',
  columns: {
    operation: 'text',
    key: 'text',
    fingerprint: 'bytea',
    // A receipt is stored once: with its transaction, where it has one.
    receipt: { type: 'json', stored: (row) => (row.transactionId ? null : row.receipt) },
    transactionId: 'uuid',
    createdAt: 'timestamptz',
  },
  primaryKey: ['operation', 'key'],
  checks: { idempotency_keys_fingerprint_check: (row) => row.fingerprint.length === 32 },
  references: [
    { to: 'transactions', constraint: 'idempotency_transaction_fkey', properties: { id: 'transactionId' } },
  ],
  // A copy through JSON, as the database would return it.
  asStored: (row) => ({ ...row, receipt: JSON.parse(JSON.stringify(row.receipt)) as object }),
  lookUps: [
    {
      name: 'load_idempotency',
      wantedBy: { idempotencyKey: ['operation', 'key'] },
      join: {
        sql: `left join lateral (
        select * from transactions
        where environment_id = $1::uuid and id = r.transaction_id
        limit 1
      ) t on true
      ${templateSql('t')}`,
        gives: {
          receipt: `coalesce(r.receipt, case when not ${saysOtherPoints('t')} then ${receiptSql('t')} end)`,
        },
      },
      fill: (rows, found) => {
        for (const row of found) rows.load({ ...row, receipt: readReceipt(row.receipt, row.transactionId) });
      },
    },
  ],
});
