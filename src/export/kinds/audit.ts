import { type Column, type Kind, selectList } from './kind.ts';

const columns: readonly Column[] = [
  { name: 'audit_event_id', type: 'id', prefix: 'aud', sql: 'e.id', description: 'aud_…' },
  { name: 'at', type: 'instant', sql: 'e.at', description: 'when the change was made' },
  { name: 'action', type: 'text', sql: 'e.action', description: 'such as member.created' },
  { name: 'target_type', type: 'text', sql: 'e.target_type', description: 'such as member' },
  { name: 'target_id', type: 'text', sql: 'e.target_id', description: 'id of what was changed' },
  { name: 'actor_type', type: 'text', sql: 'e.actor_type', description: 'api_key, operator or system' },
  { name: 'actor_id', type: 'text', sql: 'e.actor_id', description: 'who made it' },
  { name: 'request_id', type: 'text', sql: 'e.request_id', description: 'req_…, or op_… of an operation' },
  { name: 'changes', type: 'json', sql: 'e.changes', description: 'what was changed' },
  {
    name: 'seal_position',
    type: 'integer',
    sql: 's.chain_position',
    description: 'place in the hash chain; empty until it is sealed',
  },
  { name: 'seal_hash', type: 'text', sql: `encode(s.hash, 'hex')`, description: '64 hexadecimal digits' },
];

/** Audit events of a period. */
export const audit: Kind = {
  name: 'audit',
  columns,
  time: 'at',
  isHistory: true,
  totals: { labels: ['action'], counts: { events: 'all' }, sums: [] },
  statement: `select ${selectList(columns)}
    from audit_events e
    left join audit_seals s on s.environment_id = $1::uuid and s.event_at = e.at and s.event_id = e.id
    where e.environment_id = $1::uuid and e.at >= $2::timestamptz and e.at < $3::timestamptz
    order by e.at, e.id`,
  count: `select count(*) as count from audit_events
    where environment_id = $1::uuid and at >= $2::timestamptz and at < $3::timestamptz`,
};
