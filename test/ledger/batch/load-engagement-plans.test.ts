import { beforeAll, expect, test } from '@jest/globals';
import type { Statement } from '../../../src/db/statement.ts';
import { TABLES } from '../../../src/ledger/tables/all-tables.ts';
import type { ChoiceGrantsSubject } from '../../../src/ledger/tables/choice-grants.ts';
import { atEnd, fixture } from '../../support/fixture.ts';
import { programId } from '../../support/surfaces/world.ts';
import { useConnection, useDatabase } from '../../support/use-database.ts';

const MEMBERS = 1_000;

const { database, world } = useDatabase();
const shop = fixture('the shop', () => world.environment());
const client = useConnection(() => database.adminPool);

beforeAll(async () => {
  await client.query('set plan_cache_mode = force_generic_plan');
  // The rows are in an open transaction, so that no other session can gather statistics about them.
  await client.query('begin');
  await client.query(
    `insert into members select $1, md5('m' || i)::uuid, 'c' || i, null, 'active', 'unverified', 'granted', 'v1',
        clock_timestamp(), clock_timestamp()
      from generate_series(1, ${MEMBERS}) i`,
    [shop.id],
  );
  await client.query(
    `insert into program_profiles (environment_id, program_id, member_id, enrolled, tier, enrolled_at)
      select environment_id, $1, id, true, 'bronze', clock_timestamp() from members`,
    [programId],
  );
  await client.query(
    `insert into choice_grants
      select $1, gen_random_uuid(), $2, md5('m' || i % ${MEMBERS} + 1)::uuid, 'gifts', 'tier:' || i, 1, 1, 'open',
        clock_timestamp(), clock_timestamp() + interval '90 days'
      from generate_series(1, 5 * ${MEMBERS}) i`,
    [shop.id, programId],
  );
});

atEnd(() => client.query('rollback'));

test.each<[string, (environmentId: string, wanted: readonly ChoiceGrantsSubject[]) => Statement]>([
  ['open grants', TABLES.choiceGrants.lookUp('load_choice_grants').statement],
  ['claims of open grants', TABLES.choiceClaims.lookUp('load_claims_of_grants').statement],
])('%s are found by their members, and no other grant is looked at', async (_what, statementOf) => {
  const { text, values } = statementOf(
    shop.id,
    ['c1', 'c2'].map((externalCustomerId) => ({ kind: 'choiceGrants', externalCustomerId })),
  );
  const parameters = values.map((value) => `'${String(value)}'`).join(', ');
  await client.query(`prepare one(uuid, text[]) as ${text}`);
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(
    `explain (analyze, costs off, timing off, buffers off) execute one(${parameters})`,
  );
  await client.query('deallocate one');
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toContain('choice_grants');
  expect(plan).not.toContain('Rows Removed by Filter');
});
