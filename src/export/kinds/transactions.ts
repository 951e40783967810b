import { TEMPLATE_KEY } from '../../ledger/receipts/stored-receipt.ts';
import { type Column, type Kind, selectList } from './kind.ts';

const columns: readonly Column[] = [
  { name: 'transaction_id', type: 'id', prefix: 'txn', sql: 't.id', description: 'txn_…' },
  { name: 'created_at', type: 'instant', sql: 't.created_at', description: 'when it was posted' },
  { name: 'occurred_at', type: 'instant', sql: 't.occurred_at', description: 'when it happened' },
  { name: 'program_id', type: 'text', sql: 't.program_id', description: 'the program' },
  { name: 'member_id', type: 'id', prefix: 'mem', sql: 't.member_id', description: 'mem_…' },
  {
    name: 'external_customer_id',
    type: 'text',
    sql: 'm.external_customer_id',
    description: "the merchant's id of the member",
  },
  { name: 'event_type', type: 'text', sql: 't.event_type', description: 'such as purchase.completed' },
  {
    name: 'source_reference',
    type: 'text',
    sql: 't.source_reference',
    description: "the merchant's reference",
  },
  {
    name: 'state',
    type: 'text',
    sql: `case when r.id is null then 'committed' else 'reversed' end`,
    description: 'committed or reversed, at the end of the period',
  },
  { name: 'points', type: 'integer', sql: 't.points', description: 'the sum of its postings' },
  {
    name: 'reversal_of',
    type: 'id',
    prefix: 'txn',
    sql: 't.reversal_of',
    description: 'the transaction that it reverses',
  },
  {
    name: 'reversed_by',
    type: 'id',
    prefix: 'txn',
    sql: 'r.id',
    description: 'the transaction that reversed it within the period',
  },
  {
    name: 'order_amount_minor',
    type: 'integer',
    sql: 'o.amount_minor',
    description: 'of a purchase: its amount, in minor units',
  },
  { name: 'order_currency', type: 'text', sql: 'o.currency', description: 'of a purchase: ISO 4217' },
  {
    name: 'order_channel',
    type: 'text',
    // In the templates of earlier versions stands a place for it, and the value is one of many without a name.
    sql: `case when t.event_type = 'purchase.completed'
      then nullif(coalesce(s.channel, t.receipt #>> '{evidence,channel}'), '=') end`,
    description: 'of a purchase: the channel, such as web; empty where it was recorded before exports had it',
  },
  {
    name: 'order_lines',
    type: 'json',
    sql: `case when json_typeof(o.lines) = 'array'
      then (select json_agg(line -> 'lineReference') from json_array_elements(o.lines) line) end`,
    description: 'of a purchase with items: a list of lineReferences',
  },
];

/** Transactions of a period. What reverses one after the period does not count: a period over is always the same. */
export const transactions: Kind = {
  name: 'transactions',
  columns,
  time: 'created_at',
  isHistory: true,
  totals: {
    labels: ['program_id', 'event_type'],
    counts: { transactions: 'all', transactions_with_points: { column: 'points', isNot: '0' } },
    sums: ['points'],
  },
  statement: `select ${selectList(columns)}
    from transactions t
    join members m on m.environment_id = $1::uuid and m.id = t.member_id
    left join transactions r
      on r.environment_id = $1::uuid and r.id = t.reversed_by and r.created_at < $3::timestamptz
    left join orders o
      on o.environment_id = $1::uuid and o.source_reference = t.source_reference and o.transaction_id = t.id
    left join (
      select id, template #>> '{evidence,channel}' as channel from receipt_templates where environment_id = $1::uuid
    ) s on s.id = t.receipt ->> '${TEMPLATE_KEY}'
    where t.environment_id = $1::uuid and t.created_at > '-infinity'
      and t.created_at >= $2::timestamptz and t.created_at < $3::timestamptz
    order by t.created_at, t.id`,
  count: `select count(*) as count from transactions
    where environment_id = $1::uuid and created_at > '-infinity'
      and created_at >= $2::timestamptz and created_at < $3::timestamptz`,
};
