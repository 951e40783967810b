import type { ClientBase } from 'pg';

/** No environment has this id. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

/**
 * The environments that each control is run for: null, all at once. Citus joins the rows of all environments only in
 * simple ways, and those of one environment in any: there they are taken one by one.
 * @param environmentId UUID of the only one; null for all
 */
export async function environmentsApart(
  client: ClientBase,
  environmentId: string | null,
): Promise<readonly (string | null)[]> {
  if (environmentId !== null) return [environmentId];
  const { rows } = await client.query<{ citus: boolean }>(
    `select to_regclass('pg_catalog.pg_dist_partition') is not null as citus`,
  );
  if (!rows[0]?.citus) return [null];
  const { rows: environments } = await client.query<{ id: string }>(EVERY_ENVIRONMENT);
  return environments.length > 0 ? environments.map(({ id }) => id) : [NOBODY];
}

const EVERY_ENVIRONMENT = { name: 'environments_to_verify', text: 'select id from environments order by id' };

/** What is found in each environment, one after the other. */
export async function inEach<Result>(
  environments: readonly (string | null)[],
  find: (environmentId: string | null) => Promise<Result[]>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const environment of environments) results.push(...(await find(environment)));
  return results;
}

/** Most examples of differences that a control shows. */
const EXAMPLES = 5;

/** What a control has found in one environment, or in several. Sums are decimal strings. */
interface Findings {
  checked: number;
  expected: string;
  found: string;
  differences: number;
  examples: { subject: string; expected: string | null; found: string | null }[];
  passed: boolean;
}

/** What a control has found in several environments together. @param findings in each of them, at least in one */
export async function together(client: ClientBase, findings: readonly Findings[]): Promise<Findings> {
  const [first] = findings;
  if (first && findings.length === 1) return first;
  const { rows } = await client.query<{ expected: string; found: string }>(
    `select sum(expected)::text as expected, sum(found)::text as found
      from unnest($1::numeric[], $2::numeric[]) as findings(expected, found)`,
    [findings.map(({ expected }) => expected), findings.map(({ found }) => found)],
  );
  const sumOf = (read: (one: Findings) => number): number =>
    findings.reduce((sum, one) => sum + read(one), 0);
  return {
    expected: rows[0]?.expected ?? '0',
    found: rows[0]?.found ?? '0',
    checked: sumOf(({ checked }) => checked),
    differences: sumOf(({ differences }) => differences),
    examples: findings.flatMap(({ examples }) => examples).slice(0, EXAMPLES),
    passed: findings.every(({ passed }) => passed),
  };
}
