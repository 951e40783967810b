import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { createTenant } from '../../src/admin/environments/create-tenant.ts';
import { fromTypeId, toTypeId } from '../../src/ids.ts';
import { sealAudit } from '../../src/jobs/seal-audit.ts';
import { runCli, runJson } from '../support/cli/run-cli.ts';
import { fixture } from '../support/fixture.ts';
import { createWorld } from '../support/surfaces/world.ts';
import { useDatabase } from '../support/use-database.ts';

const { database, world } = useDatabase();
const shop = fixture('the shop', () => world.environment('production'));

beforeAll(async () => {
  await database.adminPool.query(
    `insert into members (environment_id, id, external_customer_id, status, identity_status, consent_status,
       notice_version, consent_at, created_at)
     values ($1, gen_random_uuid(), 'ada', 'active', 'unverified', 'granted', 'v1', now(), now())`,
    [shop.id],
  );
});

const run = (...args: string[]) => runCli(database.adminUrl, [...args, '-e', shop.environmentId]);

/** The audit events that a command adds. */
async function added<T>(work: () => Promise<T>): Promise<{ actions: string[]; result: T }> {
  const read = async () => {
    const { rows } = await database.adminPool.query(
      `select action, actor_type, actor_id, target_id, request_id, changes from audit_events
       where environment_id = $1 order by at, id`,
      [shop.id],
    );
    return rows;
  };
  const before = (await read()).length;
  const result = await work();
  const events = (await read()).slice(before);
  for (const event of events) {
    expect(event).toMatchObject({
      actor_type: 'operator',
      actor_id: 'grace',
      target_id: expect.stringMatching(/./),
    });
    expect(event.request_id).toMatch(/^(req|op)_[0-9a-z]{26}$/);
    expect(Object.keys(event.changes).length).toBeGreaterThan(0);
  }
  return { actions: events.map(({ action }) => action), result };
}

test('every command that changes an environment writes one audit event; repeated without effect it writes none', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rewards-audit-'));
  const { stdout: yaml } = await runCli(database.adminUrl, ['program', 'new', '-p', 'tea-club']);
  const program = join(folder, 'tea.yaml');
  await writeFile(program, yaml);
  const orders = join(folder, 'orders.csv');
  await writeFile(orders, 'external_customer_id,source_reference,amount_minor,occurred_at\n');
  const by = ['--actor', 'grace'];
  const key = toTypeId('key', (await createWorld(database).key(shop.id)).keyId);
  const walk: [action: string, again: string[], ...args: string[]][] = [
    ['environment.locked', [], 'env', 'lock', shop.environmentId],
    ['environment.unlocked', [], 'env', 'unlock', shop.environmentId],
    [
      'api_key.issued',
      ['api_key.issued'],
      'key',
      'issue',
      '--principal',
      'p',
      '--scopes',
      'reading',
      '-e',
      shop.environmentId,
    ],
    ['program.published', [], 'program', 'publish', program, '-e', shop.environmentId],
    ['member.tagged', [], 'member', 'tag', 'ada', 'vip', '-e', shop.environmentId],
    ['member.untagged', [], 'member', 'untag', 'ada', 'vip', '-e', shop.environmentId],
    ['list.members_added', [], 'list', 'add', 'spring', 'ada', '-e', shop.environmentId],
    ['list.members_removed', [], 'list', 'remove', 'spring', 'ada', '-e', shop.environmentId],
    ['member.suspended', [], 'member', 'suspend', 'ada', '-e', shop.environmentId],
    ['member.resumed', [], 'member', 'resume', 'ada', '-e', shop.environmentId],
    ['member.exported', ['member.exported'], 'member', 'export', 'ada', '-e', shop.environmentId],
    [
      'export.completed',
      [],
      ...['export', 'members', '-e', shop.environmentId, '--from', '2026-01-01'],
      ...['--to', new Date().toISOString(), '--out', join(folder, 'members')],
    ],
    ['api_key.rotated', ['api_key.rotated'], 'key', 'rotate', key],
    ['api_key.revoked', [], 'key', 'revoke', key],
    ['member.erased', [], 'member', 'erase', 'ada', '--reason', 'asked', '-e', shop.environmentId],
  ];
  for (const [action, again, ...args] of walk) {
    const once = await added(() => runCli(database.adminUrl, [...args, ...by]));
    expect([args.slice(0, 2), once.actions, once.result.stderr]).toEqual([
      args.slice(0, 2),
      [action],
      expect.anything(),
    ]);
    const twice = await added(() => runCli(database.adminUrl, [...args, ...by]));
    expect([args.slice(0, 2), twice.actions]).toEqual([args.slice(0, 2), again]);
  }
  // The approver is the actor.
  const approve = ['finance', 'approve', '-e', shop.environmentId, '-p', 'coffee-club', '--as', 'grace'];
  expect((await added(() => runCli(database.adminUrl, approve))).actions).toEqual(['finance.approved']);
  expect((await added(() => runCli(database.adminUrl, approve))).actions).toEqual([]);
}, 240_000);

test('a new environment begins its audit trail with its creation', async () => {
  const tenant = toTypeId('ten', (await createTenant(createWorld(database).administrator, 'T')).tenantId);
  const created = await runJson<{ environmentId: string }>(database.adminUrl, [
    ...['env', 'create', '--tenant', tenant, '--kind', 'sandbox', '--actor', 'grace'],
  ]);
  const { rows } = await database.adminPool.query(
    'select action, target_id, actor_id from audit_events where environment_id = $1',
    [fromTypeId('env', created.environmentId)],
  );
  expect(rows).toEqual([
    { action: 'environment.created', target_id: created.environmentId, actor_id: 'grace' },
  ]);
});

test('a member is a target by its externalCustomerId too; other targets are as they are named', async () => {
  const targets = async (target: string): Promise<string[]> => {
    const { events } = await runJson<{ events: { targetId: string }[] }>(database.adminUrl, [
      ...['audit', 'show', '-e', shop.environmentId, '--target', target],
    ]);
    return events.map(({ targetId }) => targetId);
  };
  const world = createWorld(database);
  const member = await world.count(
    `with made as (
       insert into members (environment_id, id, external_customer_id, status, identity_status, consent_status, notice_version,
         consent_at, created_at)
       values ($1, '019e1b40-0000-7000-8000-000000000001', 'known-by-name', 'active', 'unverified', 'granted', 'v1', now(), now())
       returning id
     ), told as (
       insert into audit_events (environment_id, id, action, target_type, target_id, actor_type, actor_id, request_id, changes, at)
       select $1, gen_random_uuid(), 'member.updated', 'member', $2, 'operator', 'ada', 'req_test', '{}', now()
     ) select count(*)::integer from made`,
    [shop.id, toTypeId('mem', '019e1b40-0000-7000-8000-000000000001')],
  );
  expect(member).toBe(1);
  const id = toTypeId('mem', '019e1b40-0000-7000-8000-000000000001');
  expect(await targets('known-by-name')).toEqual([id]);
  expect(await targets(id)).toEqual([id]);
  expect(await targets('coffee-club')).toContain('coffee-club');
  expect(await targets('nobody')).toEqual([]);
});

test('an export up to now says from when it is whole, with the command for it', async () => {
  const place = await mkdtemp(join(tmpdir(), 'audit-export-'));
  const out = (name: string) => ['--out', join(place, name)];
  const from = ['export', 'audit', '-e', shop.environmentId, '--from', '2026-01-01'];
  const early = await runCli(database.adminUrl, [...from, '--to', '2100-01-01', ...out('early')]);
  const [, to = '', whole = ''] = /with --to (\S+) is whole from (\S+) on/.exec(early.stderr) ?? [];
  expect(Date.parse(whole) - Date.parse(to)).toBe(90_000);
  // The trail is sealed up to there meanwhile.
  await database.adminPool.query(
    `insert into audit_heads (environment_id, settled_until) values ($1, $2)
     on conflict (environment_id) do update set settled_until = excluded.settled_until`,
    [shop.id, new Date(Date.parse(to) + 1)],
  );
  const late = await runCli(database.adminUrl, [...from, '--to', to, ...out('late')]);
  expect({ exitCode: late.exitCode, stderr: late.stderr }).toEqual({
    exitCode: 0,
    stderr: expect.not.stringContaining('may be missing'),
  });
});

test('head, verify and show', async () => {
  await sealAudit(database.adminPool);
  const head = await run('audit', 'head');
  expect(head.stdout).toMatch(/^\d+:[0-9a-f]{64}\n$/);
  const noted = head.stdout.trim();
  const verified = await run('verify', 'audit', '--noted', noted);
  expect(verified).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('are unchanged') });
  const shown = await runJson<{ events: { action: string; seal: object }[] }>(database.adminUrl, [
    ...['audit', 'show', '-e', shop.environmentId, '--action', 'api_key.issued'],
  ]);
  expect(shown.events.length).toBeGreaterThan(0);
  for (const { action, seal } of shown.events) {
    expect({ action, seal }).toEqual({
      action: 'api_key.issued',
      seal: { position: expect.any(Number), hash: expect.any(String) },
    });
  }
  const { rows } = await database.adminPool.query<{ id: string }>(
    `update audit_events set actor_id = 'mallory'
     where environment_id = $1 and id = (select event_id from audit_seals where environment_id = $1 and chain_position = 2)
     returning id`,
    [shop.id],
  );
  const broken = await run('verify', 'audit', '--json');
  expect(broken.exitCode).toBe(1);
  const { passed, breaks } = JSON.parse(broken.stdout);
  expect({ passed, breaks: breaks.length, position: breaks[0].position }).toEqual({
    passed: false,
    breaks: 1,
    position: 2,
  });
  expect(fromTypeId('aud', breaks[0].eventId)).toBe(rows[0]?.id);
  const wrong = await run('verify', 'audit', '--noted', '7');
  expect(wrong).toMatchObject({ exitCode: 2, stdout: '' });
});
