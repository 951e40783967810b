import { type Column, type Kind, selectList } from './kind.ts';

const columns: readonly Column[] = [
  { name: 'member_id', type: 'id', prefix: 'mem', sql: 'm.id', description: 'mem_…' },
  {
    name: 'external_customer_id',
    type: 'text',
    sql: 'm.external_customer_id',
    description: "the merchant's id of the member",
  },
  { name: 'display_name', type: 'text', sql: 'm.display_name', description: 'the name, if there is one' },
  { name: 'status', type: 'text', sql: 'm.status', description: 'active, suspended or erased' },
  {
    name: 'identity_status',
    type: 'text',
    sql: 'm.identity_status',
    description: 'verified or unverified',
  },
  { name: 'consent_status', type: 'text', sql: 'm.consent_status', description: 'granted or withdrawn' },
  { name: 'notice_version', type: 'text', sql: 'm.notice_version', description: 'of the newest consent' },
  { name: 'consent_at', type: 'instant', sql: 'm.consent_at', description: 'when it was given or withdrawn' },
  { name: 'created_at', type: 'instant', sql: 'm.created_at', description: 'when the member was created' },
  { name: 'tags', type: 'json', sql: 'to_json(m.tags)', description: 'a list of texts' },
  { name: 'lists', type: 'json', sql: 'to_json(m.lists)', description: 'a list of names' },
  {
    name: 'programs',
    type: 'json',
    sql: 'p.programs',
    description: 'a list of {programId, enrolled, tier, available, pending, reserved, profileVersion, …}',
  },
];

/** Members that were created in a period, as they are now. */
export const members: Kind = {
  name: 'members',
  columns,
  time: 'created_at',
  isHistory: false,
  totals: { labels: ['status'], counts: { members: 'all' }, sums: [] },
  statement: `select ${selectList(columns)}
    from members m
    cross join lateral (
      select coalesce(json_agg(row_to_json(r) order by r."programId"), '[]') as programs
      from (
        select program_id as "programId", enrolled, tier, qualification_points as "qualificationPoints", available,
          pending, reserved, referral_code as "referralCode", version as "profileVersion"
        from program_profiles
        where environment_id = $1::uuid and member_id = m.id
      ) r
    ) p
    where m.environment_id = $1::uuid and m.created_at >= $2::timestamptz and m.created_at < $3::timestamptz
    order by m.created_at, m.id`,
  count: `select count(*) as count from members
    where environment_id = $1::uuid and created_at >= $2::timestamptz and created_at < $3::timestamptz`,
};
