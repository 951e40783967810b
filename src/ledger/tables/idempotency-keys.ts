import { readReceipt, receiptSql, saysOtherPoints, templateSql } from '../receipts/stored-receipt.ts';
import { OF_MEMBERS } from './handling.ts';
import { insertedTable } from './table.ts';

export interface IdempotencyRecord {
  operation: string;
  key: string;
  /** Of the input: as many bytes as are stored (`storedFingerprint`). */
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

/**
 * The bytes of a fingerprint that are stored, of 32. Another input with the same 128 bits of SHA-256 is found by chance
 * in one of 10^38 tries, and on purpose in 10^19. Who did would be answered with the receipt of its own first input: a
 * key belongs to an environment.
 */
const STORED_BYTES = 16;

/** What is stored of the fingerprint of an input. */
export function storedFingerprint(fingerprint: Buffer): Buffer {
  return fingerprint.subarray(0, STORED_BYTES);
}

/**
 * Whether an input is the one that a key was used with.
 * @param stored the fingerprint under the key: 16 bytes of it, or all 32, as they were stored before
 * @param fingerprint of the input
 */
export function isOfInput(stored: Buffer, fingerprint: Buffer): boolean {
  return stored.length >= STORED_BYTES && stored.equals(fingerprint.subarray(0, stored.length));
}

export const idempotency = insertedTable<IdempotencyRecord, IdempotencySubject>({
  name: 'idempotency_keys',
  handling: {
    owner: 'environment',
    exported: 'by_ids',
    erasure: 'own_step',
    ...OF_MEMBERS,
  },
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
  checks: { idempotency_keys_fingerprint_check: (row) => [16, 32].includes(row.fingerprint.length) },
  references: [
    { to: 'transactions', constraint: 'idempotency_transaction_fkey', properties: { id: 'transactionId' } },
  ],
  // A copy through JSON, as the database would return it.
  asStored: (row) => ({ ...row, receipt: JSON.parse(JSON.stringify(row.receipt)) as object }),
  lookUps: [
    {
      name: 'load_idempotency',
      keyProperties: { idempotencyKey: ['operation', 'key'] },
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
      fill: (rows, records) => {
        for (const row of records)
          rows.load({ ...row, receipt: readReceipt(row.receipt, row.transactionId) });
      },
    },
  ],
});
