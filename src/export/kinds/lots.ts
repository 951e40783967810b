import { type Column, type Kind, selectList } from './kind.ts';

const columns: readonly Column[] = [
  { name: 'lot_id', type: 'id', prefix: 'lot', sql: 'l.id', description: 'lot_…' },
  { name: 'created_at', type: 'instant', sql: 'l.created_at', description: 'when it was granted' },
  { name: 'program_id', type: 'text', sql: 'l.program_id', description: 'the program' },
  { name: 'member_id', type: 'id', prefix: 'mem', sql: 'l.member_id', description: 'mem_…' },
  {
    name: 'transaction_id',
    type: 'id',
    prefix: 'txn',
    sql: 'l.transaction_id',
    description: 'the transaction that granted it',
  },
  { name: 'granted', type: 'integer', sql: 'l.granted', description: 'points that it began with' },
  { name: 'pending', type: 'integer', sql: 'l.pending', description: 'points that are not available yet' },
  { name: 'available', type: 'integer', sql: 'l.available', description: 'points that can be spent' },
  { name: 'reserved', type: 'integer', sql: 'l.reserved', description: 'points that are held' },
  { name: 'claimed', type: 'integer', sql: 'l.claimed', description: 'points that a return still claims' },
  {
    name: 'lent',
    type: 'integer',
    sql: 'l.lent',
    description: 'points that reversals took in place of others; negative where it owes them',
  },
  { name: 'activates_at', type: 'instant', sql: 'l.activates_at', description: 'empty: at once' },
  { name: 'expires_at', type: 'instant', sql: 'l.expires_at', description: 'empty: never' },
  {
    name: 'inactivity_days',
    type: 'integer',
    sql: 'l.inactivity_days',
    description: "days after the member's last activity at which it expires",
  },
];

/** Lots that were granted in a period, as they are now. */
export const lots: Kind = {
  name: 'lots',
  columns,
  time: 'created_at',
  isHistory: false,
  totals: {
    labels: ['program_id'],
    counts: { lots: 'all' },
    sums: ['granted', 'pending', 'available', 'reserved'],
  },
  statement: `select ${selectList(columns)}
    from lots l
    where l.environment_id = $1::uuid and l.created_at >= $2::timestamptz and l.created_at < $3::timestamptz
    order by l.created_at, l.id`,
  count: `select count(*) as count from lots
    where environment_id = $1::uuid and created_at >= $2::timestamptz and created_at < $3::timestamptz`,
};
