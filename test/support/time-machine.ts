import { Client, type QueryResultRow } from 'pg';

/** A database whose time a test moves. */
export interface TimeMachine {
  /** Moves time on, or back where it is negative. */
  travel(ms: number): Promise<void>;
  /** Moves time to an instant, from where it goes on. */
  travelTo(date: Date): Promise<void>;
  /** The time that statements of the service see, to the millisecond. */
  now(): Promise<Date>;
}

/**
 * Replaces `clock_timestamp()` and `statement_timestamp()` in one database: the real functions get other names, and
 * functions of their names take their places. Sessions see it that begin after this: install before the first writer or
 * server. What reads the clock of the process (tokens, graphile-worker's own schedule) stays in the present. Where
 * Citus distributes the tables, the time of every node moves.
 * @param adminUrl of a superuser
 */
export async function install(adminUrl: string): Promise<TimeMachine> {
  const urls = await nodesOf(adminUrl);
  const onEveryNode = async (sql: string, values?: unknown[]): Promise<void> => {
    for (const url of urls) await run(url, sql, values);
  };
  await onEveryNode(INSTALL);
  return {
    travel: (ms) => onEveryNode(`update test_clock.time set ahead = ahead + $1 * interval '1 ms'`, [ms]),
    travelTo: (date) =>
      onEveryNode('update test_clock.time set ahead = $1::timestamptz - pg_catalog.real_clock_timestamp()', [
        date,
      ]),
    async now() {
      const [row] = await run<{ now: Date }>(adminUrl, 'select clock_timestamp() as now');
      return row?.now as Date;
    },
  };
}

/** The URL of the database, and where its tables are distributed those of the workers' databases. */
async function nodesOf(adminUrl: string): Promise<string[]> {
  const [row] = await run<{ citus: boolean }>(
    adminUrl,
    `select to_regclass('pg_dist_node') is not null as citus`,
  );
  if (!row?.citus) return [adminUrl];
  const workers = await run<{ host: string; port: number }>(
    adminUrl,
    'select nodename as host, nodeport as port from pg_dist_node where groupid <> 0',
  );
  return [
    adminUrl,
    ...workers.map(({ host, port }) => {
      const url = new URL(adminUrl);
      url.hostname = host;
      url.port = String(port);
      return url.href;
    }),
  ];
}

const INSTALL = `
set citus.enable_ddl_propagation to off;
create schema test_clock;
create table test_clock.time (ahead interval not null);
insert into test_clock.time values ('0');
alter function pg_catalog.clock_timestamp() rename to real_clock_timestamp;
create function pg_catalog.clock_timestamp() returns timestamptz volatile language sql
  return pg_catalog.real_clock_timestamp() + (select ahead from test_clock.time);
alter function pg_catalog.statement_timestamp() rename to real_statement_timestamp;
create function pg_catalog.statement_timestamp() returns timestamptz stable language sql
  return pg_catalog.real_statement_timestamp() + (select ahead from test_clock.time);
grant usage on schema test_clock to public;
grant select on test_clock.time to public;`;

async function run<Row extends QueryResultRow>(
  url: string,
  sql: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    // Without values it is sent as a script.
    const { rows } = await (values.length > 0 ? client.query<Row>(sql, values) : client.query<Row>(sql));
    return rows;
  } finally {
    await client.end();
  }
}
