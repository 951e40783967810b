import { ENVIRONMENT_TIME } from '../db/environment-time.ts';
import type { Pool } from '../db/pool.ts';
import type { Statement } from '../db/statement.ts';
import { inRounds } from './in-rounds.ts';

/** Most quotes that one statement looks at. */
const CHUNK = 1_000;

/**
 * Removes quotes of every environment that were not reserved and ended so many days ago. A quote that was reserved is
 * part of its reservation's history and stays. The receipt of a removed quote stays with its idempotency key.
 * @param keptDays days after the quote's end
 * @param signal aborted when the process stops: the current step is finished, and no other is begun
 * @returns how many quotes were removed
 * @throws AggregateError where it failed for some environments, after the others are done
 */
export async function removeQuotes(pool: Pool, keptDays: number, signal?: AbortSignal): Promise<number> {
  const { rows: environments } = await pool.query<{ id: string }>(FIND_ENVIRONMENTS);
  return inRounds(environments, signal, async ({ id }) => {
    const { rows } = await pool.query<{ seen: number; removed: number }>(removeChunk(id, keptDays));
    const { seen, removed } = rows[0] ?? { seen: 0, removed: 0 };
    return { done: removed, more: seen === CHUNK };
  });
}

const FIND_ENVIRONMENTS: Statement = {
  name: 'environments_with_quotes',
  text: `select e.id from environments e
    where exists (select from redemption_quotes where environment_id = e.id)
    order by e.id`,
  values: [],
};

/**
 * Looks at the next quotes after the one at which the last step has ended, as long as they are old enough. Their ids
 * are in the order of time, so that each quote is looked at once, however many reserved ones stay.
 * @returns a statement of one row: how many were old enough, and how many of them were removed
 */
export function removeChunk(environmentId: string, keptDays: number): Statement {
  return {
    name: 'remove_quotes',
    text: `with next as materialized (
        select q.id, q.state, q.expires_at < ${ENVIRONMENT_TIME} - $2::integer * interval '1 day' as is_old
        from redemption_quotes q
        where q.environment_id = $1::uuid and q.id > coalesce(
          (select last_quote_id from retention_positions where environment_id = $1::uuid),
          '00000000-0000-0000-0000-000000000000'
        )
        order by q.id
        limit ${CHUNK}
      ), due as materialized (
        select id, state from (
          select id, state, bool_and(is_old) over (order by id) as is_due from next
        ) seen
        where is_due
      ), removed as (
        delete from redemption_quotes q
        where q.environment_id = $1::uuid and q.state <> 'reserved'
          and q.id = any (array(select id from due where state <> 'reserved'))
        returning q.id
      ), moved as (
        insert into retention_positions (environment_id, last_quote_id)
        select $1::uuid, id from due order by id desc limit 1
        on conflict (environment_id) do update set last_quote_id = excluded.last_quote_id
      )
      select (select count(*) from due)::integer as seen, (select count(*) from removed)::integer as removed`,
    values: [environmentId, keptDays],
  };
}
