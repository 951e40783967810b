import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { JOB_SCHEMA } from '../../src/db/job-schema.ts';
import { MIGRATIONS_DIRECTORY } from '../../src/db/migrate.ts';
import { citusMigrationProblems, LAST_BEFORE_DISTRIBUTION } from '../support/sql/citus-migration-problems.ts';
import { citusProblems } from '../support/sql/citus-problems.ts';
import { bindingProblems, type Demand } from '../support/sql/environment-binding.ts';
import { findPrismaCalls } from '../support/sql/prisma-calls.ts';
import type { TableColumns } from '../support/sql/relations.ts';
import type { FoundSql, SqlValue } from '../support/sql/statements-of-source.ts';
import { useDatabase } from '../support/use-database.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PROGRAM = join(ROOT, 'test/support/sql/statements-of-source.ts');

interface Exception {
  why: string;
  demands?: readonly Demand[];
  /** The number of the parameter that is the environment. Default: 1. */
  given?: number;
  /** What the check finds and may find. */
  problems?: readonly string[];
}

const OVER_ALL: readonly Demand[] = ['apart'];
/** Of a statement whose environment is optional. */
const ONE_OR_ALL: readonly Demand[] = ['optional', 'apart'];

const OF_A_CLONE =
  'a clone reads one environment and writes the other, which is empty and of the same tenant';

/** Statements that are not for one environment only, by their name. */
const EXCEPTIONS: Readonly<Record<string, Exception>> = {
  environments_with_due: { why: 'a sweep begins with the environments that have work', demands: OVER_ALL },
  environments_with_due_tiers: { why: 'so does a run of tiers', demands: OVER_ALL },
  noticing_programs: { why: 'notices of expiry are for the programs that want them', demands: OVER_ALL },
  environments_to_roll_up: { why: 'days are closed in every environment', demands: OVER_ALL },
  environments_to_verify: {
    why: 'where Citus joins the rows of one environment only, each is verified on its own',
    demands: OVER_ALL,
  },
  environments_to_seal: {
    why: 'audit events are sealed in every environment; those that have unsealed ones are looked for',
    demands: OVER_ALL,
  },
  fail_interrupted_operations: {
    why: 'operations of killed processes are found in every environment',
    problems: ['operations.environment_id of operations is not bound'],
  },
  find_replays: {
    why: 'a process takes up the replay that has waited longest, of whichever environment',
    demands: OVER_ALL,
  },
  oldest_due: { why: 'a metric of the whole service, which no tenant sees', demands: OVER_ALL },
  environments_with_positions: { why: 'events are emptied in every environment', demands: OVER_ALL },
  environments_with_quotes: { why: 'old quotes are removed in every environment', demands: OVER_ALL },
  environments_with_events: {
    why: 'the sequencer begins with the environments that have events',
    demands: OVER_ALL,
  },
  lease_webhook_endpoints: {
    why: 'a process leases what is due at any endpoint; each lease has the environment of its endpoint',
    demands: ONE_OR_ALL,
    given: 2,
    problems: ['webhook_leases gets rows whose environment_id is not the given one'],
  },
  renew_webhook_leases: {
    why: 'a process renews its own leases, which it names with their environments',
    problems: ['l.environment_id of webhook_leases is not bound'],
  },
  environments_with_disabled_endpoints: {
    why: 'what waits too long is given up in every environment; those that may have any are looked for',
    demands: OVER_ALL,
  },
  count_waiting_deliveries: {
    why: 'a metric of the whole service, which no tenant sees',
    demands: OVER_ALL,
    problems: ['d are not grouped by their environment'],
  },
  sealed_webhook_endpoints: {
    why: 'a serving process compares its keys with all stored secrets, at its start',
    demands: OVER_ALL,
  },
  any_sealed_issuer: {
    why: 'says whether a serving process needs the keys of secrets',
    demands: OVER_ALL,
  },
  token_issuer_origins: {
    why: 'the origins of every environment: a preflight of a browser names none',
    demands: OVER_ALL,
  },
  load_widget_deployment: {
    why: 'requests of pages name a deployment and no environment: it is found by the id, which no other has',
    demands: OVER_ALL,
  },
  find_person_session: {
    why: 'a session is of a tenant: the environment that the request names has to be one of its own',
    demands: OVER_ALL,
  },
  list_environments_of_person: {
    why: 'lists the environments of the tenant of the session',
    demands: OVER_ALL,
  },
  any_sandbox: { why: 'says whether this service has any Sandbox', demands: OVER_ALL },
  recorded_award: {
    why: 'the operator of the command line may name an award without its environment',
    demands: ONE_OR_ALL,
    given: 2,
  },
  'copyPrograms programs': {
    why: OF_A_CLONE,
    problems: ['programs gets rows whose environment_id is not the given one'],
  },
  'copyPrograms versions': {
    why: OF_A_CLONE,
    problems: ['program_versions gets rows whose environment_id is not the given one'],
  },
  copyDeployments: {
    why: OF_A_CLONE,
    problems: [
      'widget_deployments gets rows whose environment_id is not the given one',
      'widget_deployment_versions gets rows whose environment_id is not the given one',
    ],
  },
  copyIssuers: {
    why: OF_A_CLONE,
    problems: ['token_issuers gets rows whose environment_id is not the given one'],
  },
  copyEndpoints: {
    why: OF_A_CLONE,
    problems: ['webhook_endpoints gets rows whose environment_id is not the given one'],
  },
};

/** `verify ledger` examines one environment, or all where none is given. */
const CONTROLS = 'src/ledger/controls/';

let tables: Map<string, TableColumns>;
let found: FoundSql[];

const { database } = useDatabase();

beforeAll(async () => {
  tables = await readTables();
  const { stdout } = await promisify(execFile)(process.execPath, ['--no-warnings', PROGRAM], {
    maxBuffer: 64 * 1024 * 1024,
  });
  found = JSON.parse(stdout) as FoundSql[];
});

describe('every statement of the service', () => {
  test('is found: each text of SQL is computed at least once', () => {
    expect(found.length).toBeGreaterThan(150);
    const missed = found.filter(({ isStatement, values }) => isStatement && values.length === 0);
    expect(missed.map(placeOf)).toEqual([]);
  });

  test('has all parts: each text that names a table is in a statement', () => {
    const texts = statements().map(({ text }) => text);
    const names = [...tables].filter(([, { environment }]) => environment !== null).map(([name]) => name);
    const table = new RegExp(`\\b(from|join|into|update|using)\\s+(${names.join('|')})\\b`);
    const left = found.filter(({ chunks }) =>
      chunks.some((chunk) => table.test(chunk) && !texts.some((text) => text.includes(chunk))),
    );
    expect(left.map(placeOf)).toEqual([]);
  });

  test('can be prepared: tables, columns, types and groups are right', async () => {
    const texts = found.flatMap(({ values }) => values.map(({ text }) => text));
    const statements = found.flatMap(({ file, line, values }) =>
      values
        .filter(({ text, isStatement }) => {
          const isPart = texts.some((other) => other.length > text.length && other.includes(text));
          // The tables of the queue of jobs, and those that migrations make and drop again, are not there.
          return isStatement && !isPart && !text.includes(JOB_SCHEMA) && !file.startsWith('src/db/');
        })
        .map(({ text }) => ({ place: `${file}:${line}`, text })),
    );
    expect(statements.length).toBeGreaterThan(1_000);
    const client = await database.adminPool.connect();
    const problems: string[] = [];
    for (const { place, text } of statements) {
      try {
        await client.query(`prepare one as ${text}`);
        await client.query('deallocate one');
      } catch (error) {
        problems.push(`${place}: ${(error as Error).message}`);
      }
    }
    client.release();
    expect(problems).toEqual([]);
  });

  test('is limited to its environment', () => {
    const wrong = statements().flatMap((statement) =>
      problemsOf(statement).map((problem) => `${statement.place}: ${problem}`),
    );
    expect([...new Set(wrong)]).toEqual([]);
  });

  test('has nothing that Citus cannot do', () => {
    const wrong = statements().flatMap(({ text, name, file, place }) => {
      const overAll = EXCEPTIONS[name]?.demands !== undefined && !file.startsWith(CONTROLS);
      return citusProblems(text, { tables, overAll }).map((problem) => `${place}: ${problem}`);
    });
    expect([...new Set(wrong)]).toEqual([]);
  });

  test('needs its exception where it has one', () => {
    const useless = Object.keys(EXCEPTIONS).filter((name) => {
      const own = statements().filter((statement) => statement.name === name);
      return own.every(
        ({ text, environmentNumbers }) => check(text, { tables, environmentNumbers }).length === 0,
      );
    });
    expect(useless).toEqual([]);
  });
});

/** Calls of Prisma's client that are not for one environment, with the reason. */
const CALLS_OVER_ALL: Readonly<Record<string, string>> = {
  'src/admin/environments/list-environments.ts environment.findMany':
    'lists the environments of the service, for its operator',
  'src/admin/keys/find-api-key.ts apiKey.findFirst': 'the operator names a key without its environment',
  'src/admin/issuers/remove-issuer.ts tokenIssuer.findFirst':
    'the operator names an issuer without its environment',
  'src/cli/issuer-check.ts tokenIssuer.findFirst': 'the operator names an issuer without its environment',
  'src/admin/widgets/show-widget.ts widgetDeployment.findFirst':
    'the operator names a widget deployment without its environment',
  'src/admin/demo/demo.ts environment.findFirst':
    'looks whether the tenant of the demo has its environment already',
};

test('every migration since tables can be distributed does what Citus can do on distributed tables', async () => {
  const names = (await readdir(MIGRATIONS_DIRECTORY)).filter((name) => /^\d/.test(name));
  const newer = names.filter((name) => name > LAST_BEFORE_DISTRIBUTION);
  const problems: string[] = [];
  for (const name of newer.sort()) {
    const sql = await readFile(join(MIGRATIONS_DIRECTORY, name, 'migration.sql'), 'utf8');
    const found = [...citusMigrationProblems(sql), ...citusProblems(sql, { tables, overAll: true })];
    problems.push(...found.map((problem) => `${name}: ${problem}`));
  }
  expect(problems).toEqual([]);
  expect(names).toContain(LAST_BEFORE_DISTRIBUTION);
  expect(newer.length).toBeGreaterThan(1);
});

test("every call of Prisma's client names its environment", () => {
  const calls = findPrismaCalls(ROOT);
  expect(calls.length).toBeGreaterThan(20);
  const others = calls.filter(({ namesEnvironment }) => !namesEnvironment);
  expect(others.map(({ location }) => location.replace(/:\d+/, '')).sort()).toEqual(
    Object.keys(CALLS_OVER_ALL).sort(),
  );
});

async function readTables(): Promise<Map<string, TableColumns>> {
  const { rows } = await database.adminPool.query<{ name: string; names: string[] }>(
    `select table_name as name, array_agg(column_name::text order by ordinal_position) as names
     from information_schema.columns where table_schema = 'public' group by table_name`,
  );
  const environmentOf = (name: string, names: readonly string[]): string | null => {
    if (name === 'environments') return 'id';
    return names.includes('environment_id') ? 'environment_id' : null;
  };
  return new Map(rows.map(({ name, names }) => [name, { names, environment: environmentOf(name, names) }]));
}

interface Named extends SqlValue {
  name: string;
  file: string;
  place: string;
}

function statements(): Named[] {
  return found.flatMap((literal) =>
    literal.values
      .filter(({ isStatement }) => isStatement)
      .map((value) => ({ ...value, name: literal.name, file: literal.file, place: placeOf(literal) })),
  );
}

function placeOf({ file, line, name }: FoundSql): string {
  return `${file}:${line} ${name}`;
}

function problemsOf({ text, file, name, environmentNumbers }: Named): string[] {
  const exception = EXCEPTIONS[name];
  const demands = exception?.demands ?? (file.startsWith(CONTROLS) ? ONE_OR_ALL : ['bound']);
  const numbers = exception?.given ? [exception.given] : environmentNumbers;
  const problems = demands.flatMap((demand) => check(text, { tables, environmentNumbers: numbers, demand }));
  return problems.filter((problem) => !exception?.problems?.includes(problem));
}

function check(text: string, options: Parameters<typeof bindingProblems>[1]): string[] {
  try {
    return bindingProblems(text, options);
  } catch (error) {
    return [
      `cannot be parsed: ${error instanceof Error ? error.message : error} in ${text.trim().slice(0, 80)}`,
    ];
  }
}
