import type { FulfillmentFilter, RedemptionFilter, ReservationState } from '../contract/generated/types.ts';
import { ENVIRONMENT_TIME } from '../db/environment-time.ts';
import type { Statement } from '../db/statement.ts';
import { type ReservationRecord, reservations } from '../ledger/tables/redemption-reservations.ts';
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

/** A reservation of a list, in its state at the time of the read. */
export interface ListedRedemption {
  externalCustomerId: string;
  reservation: ReservationRecord;
}

type Row = ListRow & ReservationRecord & { external_customer_id: string };

/** Every criterion that is not null has to be met. */
export type RedemptionCriteria = Criteria<RedemptionFilter>;

const OVER = `r.state = 'reserved' and r.expires_at <= ${ENVIRONMENT_TIME}`;

/**
 * Lists redemptions, newest first: in the descending order of their ids, which follow the time at which they were
 * reserved. A page is limited in the redemptions that are looked through for filters that no index answers; it may be
 * short or empty although more follows.
 * @returns refusal: `invalid_cursor`
 */
export async function listOfRedemptions(
  { connections, cursors, environmentId }: ListAccess,
  filter: RedemptionFilter,
  { limit, cursor }: PageRequest,
): Promise<Listed<ListedRedemption> | Refusal> {
  const criteria = criteriaOf(filter);
  const identity = { environmentId, list: 'redemptions', filter: criteria };
  const after = await cursors.read(identity, cursor);
  if (after && isRefusal(after)) return after;
  const { rows } = await connections.query<Row>(listRedemptions(environmentId, criteria, after, limit));
  return pageOfRows(rows, limit, viewOf, cursors, identity);
}

function viewOf(row: Row): ListedRedemption {
  return { externalCustomerId: row.external_customer_id, reservation: reservations.pick(row) };
}

function criteriaOf(filter: RedemptionFilter): RedemptionCriteria {
  return {
    state: filter.state ?? null,
    fulfillmentStatus: filter.fulfillmentStatus ?? null,
    disputeState: filter.disputeState ?? null,
    externalCustomerId: filter.externalCustomerId ?? null,
    programId: filter.programId ?? null,
    rewardId: filter.rewardId ?? null,
  };
}

/**
 * Reads a page of redemptions. What leads to them is, of the criteria that there are, the first of: the member, the
 * dispute, a fulfillment status other than `none` and `delivered`, a state other than `committed`; else their ids. The
 * others are checked for each.
 * @param after the id of the last redemption that the page before has looked at
 */
export function listRedemptions(
  environmentId: string,
  criteria: RedemptionCriteria,
  after: Position | null,
  limit: number,
): Statement {
  const values = new Values(environmentId, limit);
  const id = values.add(after?.[0] ?? AFTER_EVERY_ID);
  const { programId, rewardId } = criteria;
  const program = programId === null ? null : values.add(programId);
  const programCondition = program === null ? '' : ` and ${programExists(program)}`;
  const { source, from, checked } = sourceOf(
    criteria,
    values,
    (column) => `${column} < ${id}::uuid${programCondition}`,
  );
  if (program !== null) checked.push(`r.program_id = ${program}`);
  if (rewardId !== null) checked.push(`r.reward_id = ${values.add(rewardId)}`);
  return listStatement({
    source,
    from,
    checked,
    order: ['id'],
    direction: 'desc',
    bytes: 'octet_length(r.terms::text)',
    columns: `${reservations.select('r', {
      state: `case when ${OVER} then 'expired' else r.state end`,
      changedAt: `case when ${OVER} then r.expires_at else r.changed_at end`,
      cancellationEvidence: 'null::json',
    })}, m.external_customer_id`,
    joins: `left join lateral (
        select external_customer_id from members
        where environment_id = $1::uuid and id = r.member_id
        limit 1
      ) m on true`,
    values: values.all,
  });
}

interface Source {
  source: string;
  from: string;
  checked: string[];
}

const ITSELF = 'cross join lateral (select s.*) r';

/** @param following condition of every source: the position of the column, and that there is such a program */
function sourceOf(
  criteria: RedemptionCriteria,
  values: Values,
  following: (column: string) => string,
): Source {
  const condition = following('id');
  const { state, fulfillmentStatus, disputeState, externalCustomerId } = criteria;
  const stateChecks = state === null ? [] : [stateCheck(state)];
  const fulfillmentChecks = fulfillmentStatus === null ? [] : [fulfillmentCheck(fulfillmentStatus)];
  const disputeChecks = disputeState === null ? [] : [disputeCheck(disputeState)];
  if (externalCustomerId !== null) {
    const memberCondition = `member_id = ${memberNamed(values.add(externalCustomerId))} and ${condition}`;
    const [open, ended] = [
      `${memberCondition} and state = 'reserved'`,
      `${memberCondition} and state <> 'reserved'`,
    ];
    return {
      // The few that a member holds open have an index of their own.
      source: reservationsWhere(state === 'reserved' ? [open] : [open, ended]),
      from: ITSELF,
      checked: [...stateChecks, ...fulfillmentChecks, ...disputeChecks],
    };
  }
  if (disputeState !== null) {
    return {
      source: `select distinct reservation_id as id from redemption_disputes
        where environment_id = $1::uuid and state = '${disputeState}'
          and ${following('reservation_id')}
        order by id desc`,
      from: `cross join lateral (
            select * from redemption_reservations where environment_id = $1::uuid and id = s.id limit 1
          ) r`,
      checked: [...stateChecks, ...fulfillmentChecks],
    };
  }
  if (fulfillmentStatus !== null && fulfillmentStatus !== 'none' && fulfillmentStatus !== 'delivered') {
    const source = reservationsWhere([
      `fulfillment_status = '${fulfillmentStatus}' and fulfillment_status <> 'delivered' and ${condition}`,
    ]);
    return { source, from: ITSELF, checked: stateChecks };
  }
  if (state !== null && state !== 'committed') {
    // One that has ended by itself is stored as reserved until that is posted.
    const stored = state === 'expired' ? ['expired', 'reserved'] : [state];
    const source = reservationsWhere(
      stored.map((each) => `state = '${each}' and state <> 'committed' and ${condition}`),
    );
    const exact = state !== 'expired' && state !== 'reserved';
    return { source, from: ITSELF, checked: [...(exact ? [] : stateChecks), ...fulfillmentChecks] };
  }
  return {
    source: reservationsWhere([condition]),
    from: ITSELF,
    checked: [...stateChecks, ...fulfillmentChecks],
  };
}

/**
 * The reservations that meet any of the conditions, which exclude each other, newest first. Each part is ordered by
 * itself, so that the parts are merged row by row, and no more of them is read than the page needs.
 */
function reservationsWhere(conditions: readonly string[]): string {
  const each = conditions.map(
    (condition) =>
      `(select * from redemption_reservations where environment_id = $1::uuid and ${condition} order by id desc)`,
  );
  return `select * from (${each.join(' union all ')}) either order by id desc`;
}

function stateCheck(state: ReservationState): string {
  if (state === 'expired') return `(r.state = 'expired' or ${OVER})`;
  if (state === 'reserved') return `(r.state = 'reserved' and r.expires_at > ${ENVIRONMENT_TIME})`;
  return `r.state = '${state}'`;
}

function fulfillmentCheck(status: FulfillmentFilter): string {
  return status === 'none'
    ? `(r.state = 'committed' and r.fulfillment_status is null)`
    : `r.fulfillment_status = '${status}'`;
}

/** `offset 0` keeps the planner from reading all disputes of the environment that are in this state. */
function disputeCheck(state: NonNullable<RedemptionCriteria['disputeState']>): string {
  return `exists (
            select from redemption_disputes d
            where d.environment_id = $1::uuid and d.reservation_id = r.id and d.state = '${state}'
            offset 0
          )`;
}
