import type { Queryable } from './pool.ts';
import type { Statement } from './statement.ts';

/**
 * SQL: the present of an environment. The clock of a Sandbox may run ahead of the real time or stand at a later instant; it is
 * never behind the real time. Whatever is decided, shown or stored about an environment goes by this time.
 * @param environment alias of a row of `environments`
 */
export function timeOf(environment: string): string {
  return (
    `greatest(clock_timestamp() + ${environment}.clock_ahead_ms * interval '1 millisecond', ` +
    `${environment}.clock_stands_at)`
  );
}

/**
 * SQL: the present of the environment `$1`, read once in a statement. As a sub-select it also serves as the bound of a
 * search in an index.
 */
export const ENVIRONMENT_TIME = `(select ${timeOf('clock')} from environments clock where clock.id = $1::uuid)`;

/**
 * SQL: every environment with its present, as the columns `id` and `now` of `e`. The sub-select is computed first, so that
 * `e.now` serves as the bound of a search in an index.
 */
export const ENVIRONMENT_TIMES = `(select clock.id, ${timeOf('clock')} as now from environments clock offset 0) e`;

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
