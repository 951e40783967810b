import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import { runJson, startCli } from '../../support/cli/run-cli.ts';
import { atEnd, useFolder } from '../../support/fixture.ts';
import { until } from '../../support/until.ts';
import { useDatabase } from '../../support/use-database.ts';
import { validateStored } from '../../support/webhooks/validate-event.ts';

const ROWS = 6_000;
/** Rows that are there when an import is interrupted. */
const DONE = 500;
/** Customers who get points, in turn. */
const CUSTOMERS = 200;

interface Kind {
  program: 'record-club' | 'coffee-club';
  header: string;
  row(index: number): string;
  options?: readonly string[];
  /** Whether the customers have to be members already. */
  forMembers?: boolean;
  /** The table with a row for each that was imported. */
  table: 'transactions' | 'program_profiles';
  /** The points that are left of a row in the end. */
  pointsLeft(index: number): number;
}

const KINDS: Readonly<Record<string, Kind>> = {
  purchases: {
    program: 'record-club',
    header: 'external_customer_id,source_reference,amount_minor',
    row: (index) => `c-${index % 300},o-${index},100`,
    options: ['--enroll', '--notice-version', 'v1'],
    table: 'transactions',
    pointsLeft: () => 1,
  },
  members: {
    program: 'coffee-club',
    header: 'external_customer_id,consent_status,notice_version,display_name,tags,program_id,tier',
    row: (index) => `m-${index},opted_in,v1,,vip,,`,
    table: 'program_profiles',
    pointsLeft: () => 0,
  },
  balances: {
    program: 'coffee-club',
    header: 'external_customer_id,points,reference,expires_at',
    row: (index) => `c-${index % CUSTOMERS},${index + 1},b-${index},`,
    forMembers: true,
    table: 'transactions',
    pointsLeft: (index) => index + 1,
  },
  exchange: {
    program: 'coffee-club',
    header: 'settlement_reference,partner_id,direction,external_customer_id,points,reverses',
    // Every third row reverses the one two rows before it, which is that of the same customer.
    row(index) {
      const of = `s-${index},airline,in,c-${Math.trunc(index / 3) % CUSTOMERS}`;
      return index % 3 === 2 ? `${of},${index - 1},s-${index - 2}` : `${of},${index + 1},`;
    },
    forMembers: true,
    table: 'transactions',
    pointsLeft: (index) => (index % 3 === 1 ? index + 1 : 0),
  },
};

let tenantId: string;
/** Of one import each. */
let environmentId: string;

const folder = useFolder('rewards-import-');
const { database } = useDatabase();

beforeAll(async () => {
  ({ tenantId } = await runJson<{ tenantId: string }>(database.adminUrl, ['tenant', 'create', 'T']));
});

atEnd(async () => expect(await validateStored(database.adminPool)).toEqual([]));

beforeEach(async () => {
  const create = ['env', 'create', '--tenant', tenantId, '--kind', 'sandbox'];
  environmentId = (await runJson<{ environmentId: string }>(database.adminUrl, create)).environmentId;
});

/** Publishes the program of a kind, enrolls its customers, and writes its file. @returns the command that imports it */
async function importOf(name: string): Promise<string[]> {
  const { program, header, row, options = [], forMembers } = kindOf(name);
  await runJson(database.adminUrl, ['program', 'publish', `demo/${program}.yaml`, '-e', environmentId]);
  const where = ['-e', environmentId, '-p', program];
  const write = async (file: string, lines: string[]): Promise<string> => {
    await writeFile(join(folder, file), `${lines.join('\n')}\n`);
    return join(folder, file);
  };
  if (forMembers) {
    const customers = Array.from({ length: CUSTOMERS }, (_, index) => `c-${index},opted_in,v1,,,,`);
    const members = await write('customers.csv', [kindOf('members').header, ...customers]);
    expect(await runJson(database.adminUrl, ['import', 'members', members, ...where])).toMatchObject({
      rejected: 0,
    });
  }
  const file = await write(`${name}.csv`, [
    header,
    ...Array.from({ length: ROWS }, (_, index) => row(index)),
  ]);
  return ['import', name, file, ...where, ...options];
}

function kindOf(name: string): Kind {
  const kind = KINDS[name];
  if (!kind) throw new Error(`no kind ${name}`);
  return kind;
}

/** The only value of a statement, in which `$env` stands for the newest environment. */
async function value<T>(sql: string): Promise<T> {
  const uuid = '(select id from environments order by created_at desc, id desc limit 1)';
  const { rows } = await database.adminPool.query(sql.replaceAll('$env', uuid));
  return Object.values(rows[0] ?? {})[0] as T;
}

const countOf = (table: Kind['table']): Promise<number> =>
  value(`select count(*)::integer from ${table} where environment_id = $env`);

/** The operations of a kind, by their begin. */
async function operations(kind: string): Promise<unknown> {
  return value(
    `select json_agg(json_build_object('status', status, 'code', error ->> 'code', 'done', progress_done)
       order by created_at)
     from operations where environment_id = $env and input ->> 'kind' = '${kind}'`,
  );
}

/** The connections of imports. */
const CONNECTIONS = `select count(*)::integer from pg_stat_activity
  where datname = current_database() and starts_with(application_name, 'rewards cli')`;

test.each(Object.keys(KINDS))(
  'of %s: killed with -9 and run again, it neither doubles nor omits a row',
  async (name) => {
    const { table, pointsLeft } = kindOf(name);
    const args = await importOf(name);
    const { process: killed, ended } = startCli(database.adminUrl, args);
    while ((await countOf(table)) < DONE && killed.exitCode === null) await sleep(10);
    killed.kill('SIGKILL');
    await ended;
    // Commands of the killed process are committed, or not, until Postgres has seen that it is gone.
    await until(async () => (await value(CONNECTIONS)) === 0, 'the connections of the killed process end');
    const before = await countOf(table);
    expect(before).toBeLessThan(ROWS);
    expect(await operations(name)).toMatchObject([{ status: 'running' }]);
    // The lease of the killed process ends by itself after half a minute.
    await database.adminPool.query(`update operations set lease_until = now() where status = 'running'`);
    const again = await runJson<object>(database.adminUrl, args);
    expect(again).toMatchObject({
      ...{ kind: name, rows: ROWS, rejected: 0 },
      ...{ committed: ROWS - before, replayed: before },
    });
    expect(await operations(name)).toMatchObject([
      { status: 'failed', code: 'interrupted' },
      { status: 'succeeded', code: null, done: ROWS },
    ]);
    expect(await countOf(table)).toBe(ROWS);
    const left = Array.from({ length: ROWS }, (_, index) => pointsLeft(index));
    expect(
      await value(
        'select coalesce(sum(available), 0)::integer from program_profiles where environment_id = $env',
      ),
    ).toBe(left.reduce((sum, points) => sum + points, 0));
    const verify = ['verify', 'ledger', '-e', environmentId];
    expect(await runJson(database.adminUrl, verify)).toMatchObject({ passed: true });
  },
  240_000,
);

test('Ctrl-C finishes what is in flight, says how to go on, and ends with 1', async () => {
  const args = [...(await importOf('purchases')), '--in-flight', '100'];
  const { process: interrupted, ended } = startCli(database.adminUrl, args);
  while ((await countOf('transactions')) < DONE && interrupted.exitCode === null) await sleep(10);
  interrupted.kill('SIGINT');
  const run = await ended;
  expect(run).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('Run the same command again') });
  const done = await countOf('transactions');
  expect(done).toBeLessThan(ROWS);
  expect(run.stdout).toContain(`committed  ${done},`);
  expect(await operations('purchases')).toMatchObject([{ status: 'failed', code: 'interrupted', done }]);
});
