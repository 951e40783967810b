import type { AdjustmentFilter, AdjustmentState } from '../contract/generated/types.ts';
import { ENVIRONMENT_TIME } from '../db/environment-time.ts';
import type { Statement } from '../db/statement.ts';
import { type AdjustmentRecord, adjustments } from '../ledger/tables/adjustments.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import type { Position } from './shared/cursors.ts';
import {
  AFTER_EVERY_ID,
  type Criteria,
  type ListRow,
  listStatement,
  memberNamed,
  pageOfRows,
  programExists,
  Values,
} from './shared/list-page.ts';
import type { ListAccess, Listed, PageRequest } from './shared/listed.ts';

/** An adjustment of a list, in its state at the time of the read. */
export interface ListedAdjustment {
  externalCustomerId: string;
  adjustment: AdjustmentRecord;
}

type Row = ListRow & AdjustmentRecord & { external_customer_id: string };

/** Every criterion that is not null has to be met. */
export type AdjustmentCriteria = Criteria<AdjustmentFilter>;

const OVER = `r.state = 'requested' and r.expires_at <= ${ENVIRONMENT_TIME}`;

/**
 * Lists adjustments, newest first: in the descending order of their ids, which follow the time of the request. A page
 * is limited in the bytes of evidence, and in the adjustments that are looked through for filters that no index
 * answers; it may be short or empty although more follows.
 * @returns refusal: `invalid_cursor`
 */
export async function listOfAdjustments(
  { connections, cursors, environmentId }: ListAccess,
  { state = null, externalCustomerId = null, programId = null }: AdjustmentFilter,
  { limit, cursor }: PageRequest,
): Promise<Listed<ListedAdjustment> | Refusal> {
  const criteria = { state, externalCustomerId, programId };
  const identity = { environmentId, list: 'adjustments', filter: criteria };
  const after = await cursors.read(identity, cursor);
  if (after && isRefusal(after)) return after;
  const { rows } = await connections.query<Row>(listAdjustments(environmentId, criteria, after, limit));
  return pageOfRows(rows, limit, viewOf, cursors, identity);
}

function viewOf(row: Row): ListedAdjustment {
  return { externalCustomerId: row.external_customer_id, adjustment: adjustments.pick(row) };
}

/**
 * Reads a page of adjustments. The member leads to them, else a state other than `posted`, else their ids. The others
 * are checked for each.
 * @param after the id of the last adjustment that the page before has looked at
 */
export function listAdjustments(
  environmentId: string,
  { state, externalCustomerId, programId }: AdjustmentCriteria,
  after: Position | null,
  limit: number,
): Statement {
  const values = new Values(environmentId, limit);
  const conditions = ['environment_id = $1::uuid', `id < ${values.add(after?.[0] ?? AFTER_EVERY_ID)}::uuid`];
  const checked: string[] = [];
  if (programId !== null) {
    const program = values.add(programId);
    conditions.push(programExists(program));
    checked.push(`r.program_id = ${program}`);
  }
  if (externalCustomerId !== null) {
    conditions.push(`member_id = ${memberNamed(values.add(externalCustomerId))}`);
  }
  const byState = externalCustomerId === null && state !== null && state !== 'posted';
  if (state !== null && (!byState || state === 'requested' || state === 'expired')) {
    checked.push(stateCheck(state));
  }
  // A request that has lapsed is stored as requested until that is recorded.
  const stored = state === 'expired' ? ['expired', 'requested'] : [state];
  const alternatives = byState ? stored.map((one) => ` and state = '${one}' and state <> 'posted'`) : [''];
  const each = alternatives.map((one) => `select * from adjustments where ${conditions.join(' and ')}${one}`);
  return listStatement({
    source: `select * from (${each.join(' union all ')}) either order by id desc`,
    from: 'cross join lateral (select s.*) r',
    checked,
    order: ['id'],
    direction: 'desc',
    bytes: 'octet_length(r.evidence::text)',
    columns: `${adjustments.select('r', { state: `case when ${OVER} then 'expired' else r.state end` })},
        m.external_customer_id`,
    joins: `left join lateral (
        select external_customer_id from members
        where environment_id = $1::uuid and id = r.member_id
        limit 1
      ) m on true`,
    values: values.all,
  });
}

function stateCheck(state: AdjustmentState): string {
  if (state === 'expired') return `(r.state = 'expired' or ${OVER})`;
  if (state === 'requested') return `(r.state = 'requested' and r.expires_at > ${ENVIRONMENT_TIME})`;
  return `r.state = '${state}'`;
}
