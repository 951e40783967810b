import { arrayLiteral } from '../../db/array-literal.ts';
import { packReceipts } from '../receipts/pack-receipts.ts';
import { receiptSql, templateSql } from '../receipts/stored-receipt.ts';
import { isOrderOfAnother, OF_MEMBERS } from './handling.ts';
import { AppendedRows } from './record-set.ts';
import { updatedTable } from './table.ts';

/** The event that a transaction was posted for. */
export type EventType =
  | 'purchase.completed'
  | 'order.returned'
  | 'challenge.awarded'
  | 'referral.awarded'
  | 'points.activated'
  | 'points.expired'
  | 'redemption.reserved'
  | 'redemption.committed'
  | 'redemption.released'
  | 'redemption.expired'
  | 'redemption.reversed'
  | 'adjustment.posted'
  | 'adjustment.reversed'
  | 'exchange.settled'
  | 'exchange.reversed'
  | 'member.merged'
  | 'member.unmerged';

export interface TransactionRecord {
  id: string;
  programId: string;
  memberId: string;
  eventType: EventType;
  sourceReference: string | null;
  state: 'committed' | 'reversed';
  /** The sum of its postings. */
  points: number;
  occurredAt: Date;
  createdAt: Date;
  reversalOf: string | null;
  reversedBy: string | null;
  receipt: object;
}

/** The only columns of a transaction that ever change, with its id. */
export type ReversedTransaction = Pick<TransactionRecord, 'id' | 'state' | 'reversedBy'>;

export const transactions = updatedTable<TransactionRecord, never, AppendedRows<TransactionRecord>>({
  name: 'transactions',
  handling: {
    owner: { members: ['member_id'] },
    exported: {
      ids: { id: 'txn', member_id: 'mem', reversal_of: 'txn', reversed_by: 'txn' },
      order: ['created_at', 'id'],
      more: {
        columns: `${receiptSql('transactions')} as receipt,
          transactions.event_type in ('referral.awarded', 'order.returned')
            and ${isOrderOfAnother('transactions.source_reference')} as of_another_order`,
        join: templateSql('transactions'),
      },
    },
    erasure: 'own_step',
    ...OF_MEMBERS,
  },
  columns: {
    id: 'uuid',
    programId: 'text',
    memberId: 'uuid',
    eventType: 'text',
    sourceReference: 'text',
    state: 'text',
    points: 'bigint',
    occurredAt: 'timestamptz',
    createdAt: 'timestamptz',
    reversalOf: 'uuid',
    reversedBy: 'uuid',
    receipt: 'json',
  },
  primaryKey: ['id'],
  constant: [
    'programId',
    'memberId',
    'eventType',
    'sourceReference',
    'points',
    'occurredAt',
    'createdAt',
    'reversalOf',
    'receipt',
  ],
  references: [
    {
      to: 'program_profiles',
      constraint: 'transactions_profile_fkey',
      properties: { programId: 'programId', memberId: 'memberId' },
    },
    { to: 'transactions', constraint: 'transactions_reversal_of_fkey', properties: { id: 'reversalOf' } },
    { to: 'transactions', constraint: 'transactions_reversed_by_fkey', properties: { id: 'reversedBy' } },
  ],
  packed: packReceipts,
  newRows: () => new AppendedRows(),
  change: {
    statements: (environmentId, rows) => {
      const ids = arrayLiteral(rows.map((row) => row.id));
      return [
        // Erasures rewrite transactions without the locks of a batch. The update would silently miss a row that one of
        // them has changed since the update began. So the rows are locked by a statement before it: the update begins
        // after any such change was committed, and none can follow.
        {
          name: 'lock_reversed_transactions',
          text: `select
      from unnest($2::uuid[]) as wanted(id)
      cross join lateral (
        select from transactions where environment_id = $1::uuid and id = wanted.id limit 1 for no key update
      ) row`,
          values: [environmentId, ids],
        },
        // A subquery finds each row by its whole key, and the row is updated by its ctid: the join of a plain
        // UPDATE … FROM may read the whole environment.
        {
          name: 'reverse_transactions',
          text: `update transactions t
      set state = 'reversed', reversed_by = r.reversed_by
      from (
        select row.ctid as place, wanted.reversed_by
        from unnest($2::uuid[], $3::uuid[]) as wanted(id, reversed_by)
        cross join lateral (
          select ctid from transactions where environment_id = $1::uuid and id = wanted.id limit 1
        ) row
      ) r
      where t.environment_id = $1::uuid and t.ctid = r.place`,
          values: [environmentId, ids, arrayLiteral(rows.map((row) => row.reversedBy))],
        },
      ];
    },
    inMemory: (before, reversed) => ({ ...before, ...reversed }),
  },
});
