import { Client } from 'pg';

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
 * Replaces `clock_timestamp()` and `statement_timestamp()` in one database: the real functions get other names, and functions of
 * their names take their places. Sessions see it that begin after this: install before the first writer or server. What reads the clock of the
 * process (tokens, graphile-worker's own schedule) stays in the present.
 * @param adminUrl of a superuser
 */
export async function install(adminUrl: string): Promise<TimeMachine> {
  await run(adminUrl, INSTALL);
  return {
    travel: (ms) => run(adminUrl, `update test_clock.time set ahead = ahead + $1 * interval '1 ms'`, [ms]),
    travelTo: (date) =>
      run(
        adminUrl,
        'update test_clock.time set ahead = $1::timestamptz - pg_catalog.real_clock_timestamp()',
        [date],
      ),
    async now() {
      const client = new Client({ connectionString: adminUrl });
      await client.connect();
      try {
        const { rows } = await client.query<{ now: Date }>('select clock_timestamp() as now');
        return rows[0]?.now as Date;
      } finally {
        await client.end();
      }
    },
  };
}

const INSTALL = `
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

async function run(url: string, sql: string, values: unknown[] = []): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    // Without values it is sent as a script.
    await (values.length > 0 ? client.query(sql, values) : client.query(sql));
  } finally {
    await client.end();
  }
}
