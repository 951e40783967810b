import { timeOf } from '../../db/environment-time.ts';
import type { Statement } from '../../db/statement.ts';

export interface EnvironmentRecord {
  id: string;
  kind: 'sandbox' | 'production';
  locked: boolean;
  revision: number;
  /** How far the environment's clock is ahead of the real time, in milliseconds. Absent for 0. */
  clockAheadMs?: number;
  /** The newest epoch of its feed. Absent for the first one. */
  feedEpoch?: number;
}

/** How the clock of an environment differs from the real time: it runs ahead, or stands at an instant, or neither. */
export interface EnvironmentClock {
  /** Milliseconds. 0 where it stands. */
  aheadMs: number;
  /** Until the real time has reached this instant, the clock shows it. Null where it runs. */
  standsAt: Date | null;
}

/** A clock that a command may move, with the times that it must not go behind. */
export interface MovableClock extends EnvironmentClock {
  /** The real time, in milliseconds. */
  realNow: Date;
  /** The time of the newest record of the environment, or the end of its last closed day. Null where it has none. */
  newestAt: Date | null;
}

/** What a clock shows. */
export interface ShownTime {
  now: Date;
  /** `real` where that is the real time. */
  state: 'real' | 'runs_ahead' | 'stands';
}

/**
 * The real time at an instant of an environment's: for what the outside world waits for, such as attempts of
 * deliveries.
 */
export function realTime({ clockAheadMs = 0 }: EnvironmentRecord, now: Date): Date {
  return clockAheadMs === 0 ? now : new Date(now.getTime() - clockAheadMs);
}

/** What a clock shows at an instant of the real time. The SQL of `timeOf` computes the same. */
export function shownTime({ aheadMs, standsAt }: EnvironmentClock, realNow: Date): ShownTime {
  if (standsAt && standsAt > realNow) return { now: standsAt, state: 'stands' };
  return {
    now: new Date(realNow.getTime() + aheadMs),
    state: aheadMs > 0 ? 'runs_ahead' : 'real',
  };
}

/** An environment as a batch reads it. */
export interface EnvironmentRow extends EnvironmentRecord {
  /** The environment's time. */
  now: Date;
}

/**
 * Takes a shared advisory lock for a batch of the environment, before the batch reads whether the environment is
 * locked. `env lock` waits for these advisory locks, so that no batch commits a change after it has returned.
 */
export function enterEnvironment(environmentId: string): Statement {
  return {
    name: 'enter_environment',
    text: 'select pg_advisory_xact_lock_shared(hashtextextended($1, 0))',
    values: [environmentId],
  };
}

/**
 * The same lock for one who runs alone: waits until every batch has ended that reads the environment's time of before.
 */
export function enterEnvironmentAlone(environmentId: string): Statement {
  return {
    name: 'enter_environment_alone',
    text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))',
    values: [environmentId],
  };
}

/** Reads the clock of an environment, as it differs from the real time, as `EnvironmentClock` with `realNow`. */
export function readClock(environmentId: string): Statement {
  return {
    name: 'read_clock',
    text: `select kind, clock_ahead_ms as "aheadMs", clock_stands_at as "standsAt",
        date_trunc('milliseconds', clock_timestamp()) as "realNow"
      from environments
      where id = $1::uuid`,
    values: [environmentId],
  };
}

/** Writes the clock of an environment. */
export function writeClock(environmentId: string, { aheadMs, standsAt }: EnvironmentClock): Statement {
  return {
    name: 'write_clock',
    text: `update environments set clock_ahead_ms = $2::bigint, clock_stands_at = $3::timestamptz where id = $1::uuid`,
    values: [environmentId, aheadMs, standsAt],
  };
}

/**
 * Reads the environment and its time, in milliseconds, which JSON and the pure core use. A batch sends it after its
 * locks. The time is never in a closed day, whose books are final, also where the database's clock was set back into
 * one.
 */
export function loadEnvironment(environmentId: string): Statement {
  return {
    name: 'load_environment',
    text: `select id, kind, locked, revision, date_trunc('milliseconds', greatest(${timeOf('e')},
          (select (closed_through + 1)::timestamp at time zone 'UTC' from ledger_rollups where environment_id = $1::uuid)
        )) as now,
        case when e.clock_ahead_ms = 0 and e.clock_stands_at is null then 0
          else (extract(epoch from ${timeOf('e')} - clock_timestamp()) * 1000)::bigint
        end as "clockAheadMs",
        coalesce((
          select epoch from feed_epochs where environment_id = $1::uuid and epoch >= 1 order by epoch desc limit 1
        ), 1) as "feedEpoch"
      from environments e
      where id = $1::uuid`,
    values: [environmentId],
  };
}
