import type { Queryable } from './pool.ts';
import type { Statement } from './statement.ts';

/**
 * SQL: the present of an environment. The clock of a Sandbox may run ahead of the real time or stand at a later
 * instant; it is never behind the real time. Whatever is decided, shown or stored about an environment goes by this
 * time.
 * @param environment alias of a row of `environments`
 */
export function timeOf(environment: string): string {
  return timeBy('clock_timestamp()', environment);
}

/**
 * SQL: the same as of the beginning of the statement. It is the same for all of its rows, so that it serves as the
 * bound of a search in an index, and Citus, which computes it before it changes rows, takes it where it refuses
 * `timeOf`: in updates. After a wait for a lock within the statement it is not the present any more.
 * @param environment alias of a row of `environments`
 */
export function timeOfStatement(environment: string): string {
  return timeBy('statement_timestamp()', environment);
}

function timeBy(clock: string, environment: string): string {
  return (
    `greatest(${clock} + ${environment}.clock_ahead_ms * interval '1 ` +
    `millisecond', ${environment}.clock_stands_at)`
  );
}

/**
 * SQL: the present of the environment `$1`, read once in a statement. As a sub-select it also serves as the bound of a
 * search in an index.
 */
export const ENVIRONMENT_TIME = `(select ${timeOf('clock')} from environments clock where clock.id = $1::uuid)`;

/** SQL: the present of the environment `$1` at the beginning of the statement, as `timeOfStatement`: for updates. */
export const ENVIRONMENT_TIME_OF_STATEMENT = `(select ${timeOfStatement('clock')} from environments clock where clock.id = $1::uuid)`;

/** Reads the present of an environment, in milliseconds, as `now`. @param environmentId UUID */
export function environmentTime(environmentId: string): Statement {
  return {
    name: 'environment_time',
    text: `select date_trunc('milliseconds', ${timeOf('e')}) as now from environments e where e.id = $1::uuid`,
    values: [environmentId],
  };
}

/** The present of an environment, in milliseconds. @throws where there is no such environment */
export async function readTime(connections: Queryable, environmentId: string): Promise<Date> {
  const { rows } = await connections.query<{ now: Date }>(environmentTime(environmentId));
  if (!rows[0]) throw new Error(`no environment ${environmentId}`);
  return rows[0].now;
}
