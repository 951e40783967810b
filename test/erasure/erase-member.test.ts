import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { PAGE } from '../../src/erasure/erasure-statements.ts';
import { runCli, runJson, startCli } from '../support/cli/run-cli.ts';
import { searchDatabase } from '../support/erasure/search-database.ts';
import { atEnd } from '../support/fixture.ts';
import { countLockWaits } from '../support/lock-waits.ts';
import {
  addMembers,
  createMember,
  earn,
  enroll,
  readMember,
  unenroll,
  updateMember,
} from '../support/surfaces/client.ts';
import { useShop } from '../support/surfaces/use-shop.ts';
import { until } from '../support/until.ts';

const { database, world, client, shop } = useShop({ kind: 'production' });

atEnd(async () => expect(await world.eventFaults()).toEqual([]));

const erase = (customer: string, ...args: string[]) =>
  runCli(database.adminUrl, [
    ...['member', 'erase', customer, '--reason', 'asked for it', '-e', shop.environmentId, '--actor', 'eve'],
    ...args,
  ]);

const waiting = () => countLockWaits(database.adminPool);

test('killed half-way, it is finished by the same command; who has the id by then is not looked at', async () => {
  const { adminPool } = database;
  await addMembers(client, shop, ['kim']);
  await client.send(updateMember(shop, 'kim', 'rename-kim', { displayName: 'Kimberley' }));
  await client.send(unenroll(shop, 'kim'));
  const blocker = await adminPool.connect();
  // It waits for the start of a process, which may take longer than idle transactions have.
  await blocker.query('begin; set local idle_in_transaction_session_timeout = 0');
  await blocker.query('lock table redemption_quotes in access exclusive mode');
  const args = ['member', 'erase', 'kim', '--reason', 'asked', '-e', shop.environmentId];
  const child = startCli(database.adminUrl, args);
  await until(async () => (await waiting()) > 0, 'the erasure waits for the lock');
  child.process.kill('SIGKILL');
  await child.ended;
  await blocker.query('rollback');
  blocker.release();
  // The id is free from the first moment, and the rest of what was typed is still there.
  expect((await client.send(readMember(shop, 'kim'))).status).toBe(404);
  expect(await searchDatabase(adminPool, ['Kimberley'])).not.toEqual([]);
  for (const key of ['another', 'kim-again']) {
    const sent =
      key === 'another'
        ? createMember(shop, 'kim', key)
        : updateMember(shop, 'kim', key, { displayName: 'K' });
    expect((await client.send(sent)).status).toBeLessThan(300);
  }
  const early = await erase('kim');
  expect(early).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('Another process is erasing kim'),
  });
  await adminPool.query(`update operations set lease_until = now() where status = 'running'`);
  const finished = await erase('kim');
  expect(finished).toMatchObject({ exitCode: 0, stderr: '' });
  expect(finished.stdout).toContain('This finished an erasure that had been interrupted.');
  expect(await searchDatabase(adminPool, ['Kimberley'])).toEqual([]);
  expect((await client.send(readMember(shop, 'kim'))).body.member).toMatchObject({ status: 'active' });
  // What the next customer of the id has sent meanwhile is still known by its keys, and answered as it was.
  for (const sent of [
    createMember(shop, 'kim', 'another'),
    updateMember(shop, 'kim', 'kim-again', { displayName: 'K' }),
  ]) {
    const { status, headers, body } = await client.send(sent);
    expect({ status, 'idempotent-replayed': headers['idempotent-replayed'] }).toEqual({
      status: 200,
      'idempotent-replayed': 'true',
    });
    expect(body.member).toMatchObject({ externalCustomerId: 'kim' });
  }
  const operations = await adminPool.query(
    `select status, error ->> 'code' as code, input ->> 'externalCustomerId' as id, input ->> 'reason' as reason
     from operations where environment_id = $1 and type = 'erasure' order by created_at`,
    [shop.id],
  );
  expect(operations.rows).toEqual([
    { status: 'failed', code: 'interrupted', id: null, reason: 'asked' },
    { status: 'succeeded', code: null, id: null, reason: 'asked for it' },
  ]);
  const trail = await adminPool.query(
    `select changes ->> 'reason' as reason from audit_events where environment_id = $1 and action = 'member.erased'`,
    [shop.id],
  );
  // Of the try that gave the member its new id.
  expect(trail.rows).toEqual([{ reason: 'asked' }]);
  const results = await adminPool.query(
    `select result ->> 'reason' as reason from operations where environment_id = $1 and status = 'succeeded'
       and type = 'erasure'`,
    [shop.id],
  );
  expect(results.rows).toEqual([{ reason: 'asked for it' }]);
});

test('keys of a member are found beyond a page of the keys of others', async () => {
  await database.adminPool.query(
    `insert into idempotency_keys (environment_id, operation, key, fingerprint, receipt, created_at)
     select $1, 'addToList', 'list-' || i, decode(repeat('00', 16), 'hex'), '{}', now()
     from generate_series(1, $2::integer) i`,
    [shop.id, PAGE],
  );
  await addMembers(client, shop, ['zoe-77']);
  await client.send(updateMember(shop, 'zoe-77', 'rename-zoe-77', { displayName: 'Zoe' }));
  expect(await erase('zoe-77', '--forfeit')).toMatchObject({ exitCode: 0, stderr: '' });
  expect(await searchDatabase(database.adminPool, ['zoe-77'])).toEqual([]);
});

test('an imported member is erased with its keys, and the next file that names the id makes another member', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rewards-erase-'));
  const importOrder = async (order: string) => {
    const file = join(folder, 'orders.csv');
    await writeFile(file, `external_customer_id,source_reference,amount_minor\nimported-1,${order},1000\n`);
    return runJson<{ committed: number; membersCreated: number }>(database.adminUrl, [
      ...['import', 'purchases', file, '-e', shop.environmentId, '-p', 'coffee-club'],
      ...['--enroll', '--notice-version', 'v1'],
    ]);
  };
  expect(await importOrder('first')).toMatchObject({ committed: 1, membersCreated: 1 });
  expect((await erase('imported-1', '--forfeit')).exitCode).toBe(0);
  expect(await searchDatabase(database.adminPool, ['imported-1'])).toEqual([]);
  // The order itself was imported already.
  expect(await importOrder('first')).toMatchObject({ committed: 0, replayed: 1, membersCreated: 0 });
  expect(await importOrder('second')).toMatchObject({ committed: 1, membersCreated: 1 });
  await rm(folder, { recursive: true });
});

test('of members, opening balances and settlements from files nothing is left; a file of members makes new ones', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rewards-erase-'));
  const importFile = async (kind: string, ...lines: string[]) => {
    const file = join(folder, `${kind}.csv`);
    await writeFile(file, `${lines.join('\n')}\n`);
    const args = ['import', kind, file, '-e', shop.environmentId, '-p', 'coffee-club'];
    return runJson<{ committed: number; rejected: number; membersCreated: number }>(database.adminUrl, args);
  };
  const importMember = () =>
    importFile(
      'members',
      'external_customer_id,consent_status,notice_version,display_name,tags,tier',
      'filed-1,opted_in,v1,Filomena,Filomena press;vip,gold',
    );
  expect(await importMember()).toMatchObject({ committed: 1, membersCreated: 1 });
  const balances = ['external_customer_id,points,reference,expires_at', 'filed-1,500,old-filed-1,never'];
  expect(await importFile('balances', ...balances)).toMatchObject({ committed: 1 });
  const settlements = [
    'settlement_reference,partner_id,direction,external_customer_id,points,reverses',
    'in-filed-1,airline,in,filed-1,100,',
    'out-filed-1,airline,out,filed-1,50,',
    'back-filed-1,,,filed-1,,in-filed-1',
  ];
  expect(await importFile('exchange', ...settlements)).toMatchObject({ committed: 3 });
  const { exitCode, stdout } = await erase('filed-1', '--forfeit');
  expect({ exitCode, stdout }).toEqual({
    exitCode: 0,
    stdout: expect.stringContaining('450 points were forfeited.'),
  });
  expect(await searchDatabase(database.adminPool, ['filed-1', 'Filomena'])).toEqual([]);
  expect(await world.failedControls()).toEqual([]);
  expect(await importMember()).toMatchObject({ committed: 1, membersCreated: 1 });
  await rm(folder, { recursive: true });
});

test('a member in a program is refused; with --forfeit its points lapse, and it is erased', async () => {
  await addMembers(client, shop, ['ann']);
  await client.send(updateMember(shop, 'ann', 'rename', { displayName: 'Ann Canary' }));
  await client.send(
    earn(shop, { externalCustomerId: 'ann', amountMinor: 1_000, sourceReference: 'o-1' }, 'earn-1'),
  );
  const refused = await erase('ann');
  expect(refused).toMatchObject({ exitCode: 1, stdout: '' });
  expect(refused.stderr).toContain(
    'ann is enrolled in coffee-club (10 points available, 0 pending, 0 held).',
  );
  expect(refused.stderr).toContain('--forfeit');
  const done = await erase('ann', '--forfeit');
  expect(done).toMatchObject({ exitCode: 0, stderr: '' });
  expect(done.stdout).toMatch(
    /^ann is erased: the member is erased-[0-9a-f-]{36} now\.\n10 points were forfeited\.\nReason: .+\n$/,
  );
  const [, id = ''] = /(erased-[0-9a-f-]{36})/.exec(done.stdout) ?? [];
  expect((await client.send(readMember(shop, 'ann'))).status).toBe(404);
  const read = await client.send(readMember(shop, id));
  expect(read.body.member).toMatchObject({ externalCustomerId: id, status: 'erased', displayName: null });
  const replay = await client.send(
    earn(shop, { externalCustomerId: 'ann', amountMinor: 1_000, sourceReference: 'o-1' }, 'earn-1'),
  );
  expect(replay).toMatchObject({ status: 200, replayed: true });
  expect(replay.body.member).toMatchObject({ externalCustomerId: id });
  expect(await world.failedControls()).toEqual([]);
  const again = await erase('ann');
  expect(again).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('There is no member') });
  // The id is free, for another member.
  const fresh = await client.send(createMember(shop, 'ann', 'create-again'));
  expect(fresh.status).toBe(201);
  expect((await client.send(enroll(shop, 'ann', 'enroll-again'))).status).toBe(201);
});
