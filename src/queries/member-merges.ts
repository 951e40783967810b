import type { MemberMergeFilter, MemberMergeState } from '../contract/generated/types.ts';
import { ENVIRONMENT_TIME } from '../db/environment-time.ts';
import type { Connections } from '../db/pool.ts';
import type { Statement } from '../db/statement.ts';
import { type MemberMergeView, memberMerges } from '../ledger/tables/member-merges.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import type { Position } from './shared/cursors.ts';
import {
  AFTER_EVERY_ID,
  type Criteria,
  type ListRow,
  listStatement,
  pageOfRows,
  Values,
} from './shared/list-page.ts';
import type { ListAccess, Listed, PageRequest } from './shared/listed.ts';

/** A merge in its state at the time of the read, with the names of the two accounts. */
export interface ListedMerge {
  source: string;
  target: string;
  merge: MemberMergeView;
}

type Row = MemberMergeView & { source_name: string; target_name: string };

const OVER = `r.state = 'requested' and r.expires_at <= ${ENVIRONMENT_TIME}`;
const STAYS_MERGED = `r.state = 'unmerge_requested' and r.unmerge_expires_at <= ${ENVIRONMENT_TIME}`;
const PRESENT = `case when ${OVER} then 'expired' when ${STAYS_MERGED} then 'merged' else r.state end`;
const COLUMNS = `${memberMerges.select('r', { state: PRESENT })},
        source.external_customer_id as source_name, target.external_customer_id as target_name`;
const JOINS = ['source', 'target']
  .map(
    (role) => `left join lateral (
        select external_customer_id from members
        where environment_id = $1::uuid and id = r.${role}_member_id
        limit 1
      ) ${role} on true`,
  )
  .join(' ');

/**
 * Lists merges of two accounts, newest first: in the descending order of their ids, which follow the time of the
 * request. A page is limited in the bytes of evidence, and in the merges that are looked through for those that are
 * merged.
 * @returns refusal: `invalid_cursor`
 */
export async function listOfMemberMerges(
  { connections, cursors, environmentId }: ListAccess,
  { state = null }: MemberMergeFilter,
  { limit, cursor }: PageRequest,
): Promise<Listed<ListedMerge> | Refusal> {
  const criteria = { state };
  const identity = { environmentId, list: 'memberMerges', filter: criteria };
  const after = await cursors.read(identity, cursor);
  if (after && isRefusal(after)) return after;
  const statement = listMemberMerges(environmentId, criteria, after, limit);
  const { rows } = await connections.query<Row & ListRow>(statement);
  return pageOfRows(rows, limit, viewOf, cursors, identity);
}

/** @param id UUID. @returns null where the environment has no such merge */
export async function readMemberMerge(
  connections: Connections,
  environmentId: string,
  id: string,
): Promise<ListedMerge | null> {
  const { rows } = await connections.query<Row>(findMemberMerge(environmentId, id));
  return rows[0] ? viewOf(rows[0]) : null;
}

function findMemberMerge(environmentId: string, id: string): Statement {
  return {
    name: 'find_member_merge',
    text: `select ${COLUMNS}
      from (select * from member_merges where environment_id = $1::uuid and id = $2::uuid limit 1) r
      ${JOINS}`,
    values: [environmentId, id],
  };
}

function viewOf(row: Row): ListedMerge {
  const merge: MemberMergeView = { ...memberMerges.pick(row), state: row.state };
  return { source: row.source_name, target: row.target_name, merge };
}

/**
 * Reads a page of merges. A state other than `merged` leads to them, else their ids.
 * @param after the id of the last merge that the page before has looked at
 */
export function listMemberMerges(
  environmentId: string,
  { state }: Criteria<MemberMergeFilter>,
  after: Position | null,
  limit: number,
): Statement {
  const values = new Values(environmentId, limit);
  const before = `id < ${values.add(after?.[0] ?? AFTER_EVERY_ID)}::uuid`;
  // A request that has lapsed stays stored as requested.
  const stored = state === 'expired' ? 'requested' : state;
  const led = stored === null || stored === 'merged' ? '' : ` and state = '${stored}' and state <> 'merged'`;
  return listStatement({
    source: `select * from member_merges where environment_id = $1::uuid and ${before}${led} order by id desc`,
    from: 'cross join lateral (select s.*) r',
    checked: state === null || state === 'rejected' || state === 'unmerged' ? [] : [stateCheck(state)],
    order: ['id'],
    direction: 'desc',
    bytes: 'octet_length(r.evidence::text)',
    columns: COLUMNS,
    joins: JOINS,
    values: values.all,
  });
}

function stateCheck(state: MemberMergeState): string {
  if (state === 'expired') return OVER;
  if (state === 'requested') return `r.expires_at > ${ENVIRONMENT_TIME}`;
  if (state === 'unmerge_requested') return `r.unmerge_expires_at > ${ENVIRONMENT_TIME}`;
  return `(r.state = '${state}' or ${STAYS_MERGED})`;
}
