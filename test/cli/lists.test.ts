import { beforeAll, expect, test } from '@jest/globals';
import { newUuid } from '../../src/ids.ts';
import { runCli, runJson } from '../support/cli/run-cli.ts';
import { fixture } from '../support/fixture.ts';
import { programId } from '../support/surfaces/world.ts';
import { useDatabase } from '../support/use-database.ts';

const { database, world } = useDatabase();
const shop = fixture('the shop', () => world.environment());

beforeAll(async () => {
  const ids = [newUuid(), newUuid(), newUuid()];
  await database.adminPool.query(
    `insert into members (environment_id, id, external_customer_id, display_name, status, identity_status,
      consent_status, notice_version, consent_at, created_at, tags, lists)
     select $1, id, 'c-' || i, 'Joan ' || i, case when i = 3 then 'suspended' else 'active' end, 'verified', 'granted',
       'v1', clock_timestamp(), clock_timestamp(), case when i < 3 then '{vip}'::text[] else '{}' end,
       case when i = 2 then '{press}'::text[] else '{}' end
     from unnest($2::uuid[]) with ordinality as new(id, i)`,
    [shop.id, ids],
  );
  await database.adminPool.query(
    `insert into program_profiles (environment_id, program_id, member_id, enrolled, tier, enrolled_at)
     values ($1, $2, $3, true, 'gold', clock_timestamp())`,
    [shop.id, programId, ids[0]],
  );
  await database.adminPool.query(
    `insert into adjustments (environment_id, id, program_id, member_id, direction, points, reason, evidence, state,
       requested_by, requested_at, expires_at, decided_by)
     select $1, id, $2, $3, 'debit', 7, 'Cold coffee', '{"ticket":"secret"}', state, 'ann', clock_timestamp(),
       clock_timestamp() + interval '1 day', case when state = 'rejected' then 'ben' end
     from unnest($4::uuid[], array['rejected', 'requested']) as new(id, state)`,
    [shop.id, programId, ids[0], [newUuid(), newUuid()]],
  );
});

const run = (...args: string[]) => runCli(database.adminUrl, [...args, '-e', shop.environmentId]);
const json = (...args: string[]) => runJson(database.adminUrl, [...args, '-e', shop.environmentId]);

test('members are listed under every filter, in pages, and without names', async () => {
  const listed = async (...args: string[]) => {
    const { members } = (await json('member', 'list', ...args)) as {
      members: { externalCustomerId: string }[];
    };
    expect(JSON.stringify(members)).not.toContain('Joan');
    return members.map(({ externalCustomerId }) => externalCustomerId);
  };
  expect(await listed()).toEqual(['c-3', 'c-2', 'c-1']);
  expect(await listed('--limit', '2')).toEqual(['c-3', 'c-2']);
  expect(await listed('--id-prefix', 'c-')).toEqual(['c-1', 'c-2', 'c-3']);
  expect(await listed('--name-prefix', 'jOAN 2')).toEqual(['c-2']);
  expect(await listed('--tag', 'vip', '--list', 'press')).toEqual(['c-2']);
  expect(await listed('-p', programId, '--tier', 'gold')).toEqual(['c-1']);
  expect(await listed('--status', 'suspended')).toEqual(['c-3']);
  const { stdout } = await run('member', 'list', '--tag', 'vip');
  expect(stdout).toMatch(/c-1 +mem_\w+ +active +granted +coffee-club \(gold\) +vip +-/);
  expect(stdout).not.toContain('Joan');
  expect(await run('member', 'list', '--tag', 'none')).toMatchObject({ exitCode: 0, stdout: '' });
  expect(await run('member', 'list', '--tier', 'gold')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('name the program'),
  });
});

test('adjustments are listed by state, without their evidence', async () => {
  const { stdout } = await run('adjustment', 'list', '--state', 'requested');
  expect(stdout).toMatch(/adj_\w+ +requested +c-1 +coffee-club +-7 +ann +\S+Z +Cold coffee/);
  expect(stdout).not.toContain('rejected');
  const all = await json('adjustment', 'list', '--customer', 'c-1', '-p', programId);
  expect(all).toMatchObject({
    adjustments: [{ state: 'requested' }, { state: 'rejected', decidedBy: 'ben' }],
  });
  expect(JSON.stringify(all)).not.toContain('secret');
  expect(await run('adjustment', 'list', '--customer', 'nobody')).toMatchObject({ exitCode: 0, stdout: '' });
});
