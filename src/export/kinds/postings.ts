import { type Column, type Kind, selectList } from './kind.ts';

const columns: readonly Column[] = [
  { name: 'transaction_id', type: 'id', prefix: 'txn', sql: 'p.transaction_id', description: 'txn_…' },
  { name: 'line', type: 'integer', sql: 'p.line', description: 'from 1 within the transaction' },
  { name: 'created_at', type: 'instant', sql: 'p.created_at', description: 'when it was posted' },
  { name: 'program_id', type: 'text', sql: 'p.program_id', description: 'the program' },
  { name: 'member_id', type: 'id', prefix: 'mem', sql: 'p.member_id', description: 'mem_…' },
  { name: 'event_type', type: 'text', sql: 't.event_type', description: 'of the transaction' },
  {
    name: 'debit_account',
    type: 'text',
    sql: 'p.debit_account',
    description: 'the account that the points leave',
  },
  {
    name: 'credit_account',
    type: 'text',
    sql: 'p.credit_account',
    description: 'the account that they enter',
  },
  { name: 'points', type: 'integer', sql: 'p.amount', description: 'in the smallest loyalty unit' },
  { name: 'lot_id', type: 'id', prefix: 'lot', sql: 'p.lot_id', description: 'lot_…, whose points they are' },
];

/** Postings of a period. The index of transactions by time gives their order, without a sort. */
export const postings: Kind = {
  name: 'postings',
  columns,
  time: 'created_at',
  isHistory: true,
  totals: {
    labels: ['program_id', 'event_type', 'debit_account', 'credit_account'],
    counts: { postings: 'all', transactions: { column: 'line', is: '1' } },
    sums: ['points'],
  },
  statement: `select ${selectList(columns)}
    from transactions t
    join postings p on p.environment_id = $1::uuid and p.transaction_id = t.id
    where t.environment_id = $1::uuid and t.created_at > '-infinity'
      and t.created_at >= $2::timestamptz and t.created_at < $3::timestamptz
    order by t.created_at, t.id, p.line`,
  count: `select count(*) as count from postings
    where environment_id = $1::uuid and created_at >= $2::timestamptz and created_at < $3::timestamptz`,
};
