import type { ClientBase, Pool, QueryConfig } from 'pg';
import { ENVIRONMENT_TIME } from '../../db/environment-time.ts';
import { enterEnvironment } from '../tables/environments.ts';

/** Most days that one transaction closes. A month, so that catching up on a long time takes few passes. */
const CHUNK_DAYS = 31;
/** The client's time limit of a statement that reads a whole month. */
const QUERY_TIMEOUT_MS = 3_600_000;

/** How far an environment's days are rolled up. Days are those of UTC, `YYYY-MM-DD`. */
export interface RollUp {
  /** The last closed day. */
  closedThrough: string;
  /** Days with movement that this call has closed. */
  days: number;
  /** True where another process is rolling up this environment: this call leaves the rest to it. */
  busy: boolean;
}

/**
 * Closes the days of an environment that ended more than ten minutes ago: writes the movements of each day into
 * ledger_days and the members' balances at its end into member_days. A closed day is never changed again. A transaction
 * closes at most a month, and locks the row of ledger_rollups, so that only one process does it at a time.
 * @param pool of rewards_app or the owner
 * @param environmentId UUID
 * @param signal aborted when the process stops: the current month is finished, and no other is begun
 */
export async function rollUp(
  pool: Pick<Pool, 'connect'>,
  environmentId: string,
  signal?: AbortSignal,
): Promise<RollUp> {
  const client = await pool.connect();
  try {
    await beginWatermark(client, environmentId);
    let days = 0;
    for (;;) {
      const chunk = await closeChunk(client, environmentId);
      if (chunk === null)
        return { closedThrough: await closedThrough(client, environmentId), days, busy: true };
      days += chunk.days;
      if (chunk.done || signal?.aborted) return { closedThrough: chunk.closedThrough, days, busy: false };
    }
  } finally {
    client.release();
  }
}

/** Begins the books of closed days. The lock keeps the environment's clock where it is until they have begun. */
async function beginWatermark(client: ClientBase, environmentId: string): Promise<void> {
  await client.query('begin');
  try {
    await client.query(enterEnvironment(environmentId));
    await client.query(BEGIN_WATERMARK, [environmentId]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

async function closeChunk(
  client: ClientBase,
  environmentId: string,
): Promise<{ closedThrough: string; days: number; done: boolean } | null> {
  await client.query('begin');
  try {
    // The lock is a statement of its own, so that the next ones see what its last holder has committed.
    const { rowCount } = await client.query(LOCK_WATERMARK, [environmentId]);
    if (rowCount === 0) {
      await client.query('rollback');
      return null;
    }
    await client.query('set local statement_timeout = 0');
    await client.query("set local work_mem = '64MB'");
    // A chunk is read as a whole: without statistics the planner takes nested loops for cheap, and they take minutes.
    await client.query('set local enable_nestloop = off');
    await client.query('set local jit = off');
    const { rows } = await client.query<Chunk>(NEXT_CHUNK, [environmentId, CHUNK_DAYS]);
    const chunk = rows[0];
    if (!chunk) throw new Error(`no watermark of ${environmentId}`);
    const { since, through, done } = chunk;
    let days = 0;
    if (since !== null) {
      const { rows: closed } = await client.query<{ days: number }>(
        withQueryTimeout(CLOSE_DAYS, [environmentId, since, through]),
      );
      days = closed[0]?.days ?? 0;
      await client.query(withQueryTimeout(CLOSE_MEMBERS, [environmentId, since, through]));
    }
    await client.query(MOVE_WATERMARK, [environmentId, through]);
    await client.query('commit');
    return { closedThrough: through, days, done };
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

async function closedThrough(client: ClientBase, environmentId: string): Promise<string> {
  const { rows } = await client.query<{ day: string }>(
    'select closed_through::text as day from ledger_rollups where environment_id = $1::uuid',
    [environmentId],
  );
  return rows[0]?.day ?? '';
}

function withQueryTimeout(text: string, values: unknown[]): QueryConfig {
  const query: QueryConfig & { query_timeout: number } = { text, values, query_timeout: QUERY_TIMEOUT_MS };
  return query;
}

interface Chunk {
  /** The first day with movement; null where nothing moved. */
  since: string | null;
  /** Its last day. */
  through: string;
  done: boolean;
}

// A decision is committed within seconds of its created_at: ten minutes after its end a day gets no more postings.
const LAST_ENDED_DAY = `((${ENVIRONMENT_TIME} - interval '10 minutes') at time zone 'UTC')::date - 1`;

const BEGIN_WATERMARK = `
  insert into ledger_rollups (environment_id, closed_through, at)
  select $1::uuid, least(${LAST_ENDED_DAY}, (
      select (min(created_at) at time zone 'UTC')::date - 1 from transactions
      where environment_id = $1::uuid and created_at > '-infinity'
    )), clock_timestamp()
  on conflict (environment_id) do nothing`;

const LOCK_WATERMARK = `
  select closed_through from ledger_rollups where environment_id = $1::uuid for update skip locked`;

// Begins at the next day with movement; CHUNK_DAYS long at most.
const NEXT_CHUNK = `
  with watermark as (
    select closed_through, greatest(closed_through, ${LAST_ENDED_DAY}) as ended
    from ledger_rollups
    where environment_id = $1::uuid
  ), next as (
    select (min(t.created_at) at time zone 'UTC')::date as day
    from transactions t
    where t.environment_id = $1::uuid and t.created_at > '-infinity'
      and t.created_at >= (select (closed_through + 1)::timestamp at time zone 'UTC' from watermark)
  )
  select case when next.day <= ended then next.day::text end as since,
    case when next.day <= ended then least(next.day + $2::integer - 1, ended) else ended end::text as through,
    next.day is null or next.day + $2::integer - 1 >= ended as done
  from watermark cross join next`;

/** SQL: whether a row is of the environment and the days of the chunk. @param row its alias */
const ofChunk = (row: string): string => `
  ${row}.environment_id = $1::uuid and ${row}.created_at >= ($2::date)::timestamp at time zone 'UTC'
    and ${row}.created_at < ($3::date + 1)::timestamp at time zone 'UTC'`;

const CLOSE_DAYS = `
  with closed as (
    insert into ledger_days (environment_id, program_id, day, debit_account, credit_account, event_type, amount,
      postings, transactions)
    select $1::uuid, p.program_id, (p.created_at at time zone 'UTC')::date, p.debit_account, p.credit_account,
      t.event_type, sum(p.amount), count(*), count(*) filter (where p.line = 1)
    from postings p
    join transactions t on t.environment_id = p.environment_id and t.id = p.transaction_id
    -- Posting and transaction are of one instant. Without that, all transactions there ever were are read.
    where ${ofChunk('p')} and ${ofChunk('t')} and t.created_at > '-infinity'
    group by 2, 3, 4, 5, 6
    returning day
  )
  select count(distinct day)::integer as days from closed`;

/** SQL for the change that a posting, `p`, makes to one of the three balances. @param amount SQL for its points */
export function movedSql(balance: 'available' | 'pending' | 'reserved', amount = 'p.amount'): string {
  return `case p.credit_account when 'member.${balance}' then ${amount} else 0 end
    - case p.debit_account when 'member.${balance}' then ${amount} else 0 end`;
}

const CLOSE_MEMBERS = `
  with moved as (
    select p.program_id, p.member_id, (p.created_at at time zone 'UTC')::date as day,
      sum(${movedSql('available')}) as available, sum(${movedSql('pending')}) as pending,
      sum(${movedSql('reserved')}) as reserved
    from postings p
    where ${ofChunk('p')} and (p.debit_account like 'member.%' or p.credit_account like 'member.%')
    group by 1, 2, 3
  ), held as (
    select member.program_id, member.member_id, last.available, last.pending, last.reserved
    from (select distinct program_id, member_id from moved) as member
    cross join lateral (
      select available, pending, reserved from member_days
      where environment_id = $1::uuid and program_id = member.program_id and member_id = member.member_id
        and day < $2::date
      order by day desc limit 1
    ) as last
  )
  insert into member_days (environment_id, program_id, member_id, day, available, pending, reserved,
    available_moved, pending_moved, reserved_moved)
  select $1::uuid, program_id, moved.member_id, moved.day,
    coalesce(held.available, 0) + sum(moved.available) over until_then,
    coalesce(held.pending, 0) + sum(moved.pending) over until_then,
    coalesce(held.reserved, 0) + sum(moved.reserved) over until_then,
    moved.available, moved.pending, moved.reserved
  from moved left join held using (program_id, member_id)
  window until_then as (partition by program_id, moved.member_id order by moved.day)`;

const MOVE_WATERMARK = `
  update ledger_rollups set closed_through = $2::date, at = statement_timestamp() where environment_id = $1::uuid`;
