import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import canonicalize from 'canonicalize';
import { newUuid, toTypeId } from '../../src/ids.ts';
import { sealAudit } from '../../src/jobs/seal-audit.ts';
import { MOST_LOOKED_THROUGH } from '../../src/queries/audit/audit-event-statements.ts';
import { atEnd, fixture } from '../support/fixture.ts';
import { createMember, earn, enroll, type Received, rest } from '../support/surfaces/client.ts';
import { useShop } from '../support/surfaces/use-shop.ts';
import type { TestEnvironment } from '../support/surfaces/world.ts';

const { database, world, client, shop } = useShop({ twins: true });
const sibling = fixture('the sibling shop', () => world.environment());

beforeAll(async () => {
  for (const name of ['ada', 'grace', 'joan']) await client.send(createMember(shop, name));
});

atEnd(async () => expect(await world.eventFaults()).toEqual([]));

interface Event {
  id: string;
  action: string;
  targetType: string;
  targetId: string;
  actor: { type: string; id: string };
  at: string;
  requestId: string;
  changes: Record<string, unknown>;
  seal: { position: number; hash: string } | null;
}

interface Listed<Item> {
  data: Item[];
  page: { nextCursor: string | null; hasMore: boolean };
}

type Query = Record<string, string | number>;

function list(query: Query = {}, from: TestEnvironment = shop): Promise<Received> {
  const text = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  return client.send(rest(from, 'GET', `/audit-events?${text}`));
}

async function page(query: Query = {}, from: TestEnvironment = shop): Promise<Listed<Event>> {
  const answer = await list(query, from);
  expect(answer).toMatchObject({ status: 200, code: null });
  return answer.body as unknown as Listed<Event>;
}

async function allPages(query: Query, from: TestEnvironment = shop): Promise<Event[][]> {
  const pages: Event[][] = [];
  let cursor: string | null = null;
  do {
    const next: Listed<Event> = await page({ ...query, ...(cursor && { cursor }) }, from);
    expect(next.page.hasMore).toBe(next.page.nextCursor !== null);
    pages.push(next.data);
    cursor = next.page.nextCursor;
  } while (cursor !== null);
  return pages;
}

/** Plants audit events of one millisecond after another, the oldest first. */
async function plant(
  environment: TestEnvironment,
  events: readonly { action?: string; changes?: object; at?: string; targetId?: string }[],
): Promise<void> {
  await database.adminPool.query(
    `insert into audit_events (environment_id, id, action, target_type, target_id, actor_type, actor_id, request_id,
       changes, at)
     select $1, r.id, r.action, 'thing', r.target, 'operator', 'ada', 'req_x', r.changes::json,
       coalesce(r.at, timestamptz '2026-01-01' + r.number * interval '1 millisecond')
     from unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::timestamptz[])
       with ordinality as r(id, action, target, changes, at, number)`,
    [
      environment.id,
      events.map(() => newUuid()),
      events.map(({ action }) => action ?? 'thing.changed'),
      events.map(({ targetId }) => targetId ?? 'thing-1'),
      events.map(({ changes }) => JSON.stringify(changes ?? {})),
      events.map(({ at }) => at ?? null),
    ],
  );
}

describe('the trail', () => {
  test('shows who did what under which request, newest first, without a seal until it is sealed', async () => {
    const sent = createMember(shop, 'hedy');
    const created = await client.send({ ...sent, headers: { ...sent.headers, 'x-request-id': 'mine-1' } });
    const { data } = await page({ limit: 2 });
    expect(data[0]).toEqual({
      id: expect.stringMatching(/^aud_[0-9a-z]{26}$/),
      action: 'member.created',
      targetType: 'member',
      targetId: (created.body.member as { id: string }).id,
      actor: { type: 'api_key', id: 'tests' },
      at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      requestId: 'mine-1',
      changes: { consentStatus: 'granted', noticeVersion: 'v1' },
      seal: null,
    });
    expect(Date.parse(data[0]?.at ?? '')).toBeGreaterThanOrEqual(Date.parse(data[1]?.at ?? ''));
  });

  test('once sealed it shows position and hash, which a client can compute from the list alone', async () => {
    const branch = await world.environment();
    for (const name of ['ada', 'grace']) await client.send(createMember(branch, name));
    await sealAudit(database.adminPool);
    const events = (await allPages({ limit: 1 }, branch)).flat().toReversed();
    expect(events.length).toBeGreaterThanOrEqual(3);
    let previous = '0'.repeat(64);
    events.forEach(({ seal, ...event }, index) => {
      const hash = createHash('sha256')
        .update(previous + canonicalize(event))
        .digest('hex');
      expect(seal).toEqual({ position: index + 1, hash });
      previous = hash;
    });
  });

  test('filters', async () => {
    const created = (await page({ action: 'member.created' })).data;
    const [{ targetId = '' } = {}] = created;
    const ids = async (query: Query): Promise<string[]> => (await page(query)).data.map(({ id }) => id);
    expect(new Set(created.map(({ action }) => action))).toEqual(new Set(['member.created']));
    expect(await ids({ targetId })).toEqual([created[0]?.id]);
    expect(await ids({ targetId, action: 'member.updated' })).toEqual([]);
    expect(await ids({ targetType: 'member', actorId: 'tests' })).toEqual(created.map(({ id }) => id));
    expect(await ids({ actorId: 'nobody' })).toEqual([]);
    expect(await ids({ action: 'no.such' })).toEqual([]);
    const { at = '', id = '' } = created.at(-1) ?? {};
    const next = new Date(Date.parse(at) + 1).toISOString();
    expect(await ids({ from: at, to: next })).toContain(id);
    expect(await ids({ from: next })).not.toContain(id);
    expect(await ids({ to: at })).not.toContain(id);
  });

  test('a transaction is found by its id, as any other target', async () => {
    await client.send(enroll(shop, 'ada'));
    const bought = await client.send(
      earn(shop, { externalCustomerId: 'ada', amountMinor: 1250, sourceReference: 'order-1' }, 'buy'),
    );
    const { data } = await page({ targetId: bought.body.id ?? '' });
    expect(data).toMatchObject([{ action: 'purchase.completed', targetId: bought.body.id }]);
    expect((await page({ targetId: bought.body.id ?? '', action: 'rare' })).data).toEqual([]);
    expect((await page({ targetId: toTypeId('txn', newUuid()) })).data).toEqual([]);
    expect((await page({ targetId: bought.body.id ?? '' }, sibling)).data).toEqual([]);
  });

  test('another environment sees nothing of it', async () => {
    const answer = await list({ limit: 200 }, sibling);
    expect(answer.text).not.toContain('member.created');
  });

  test('pages show every event once, those of one instant too', async () => {
    const busy = await world.environment();
    await plant(
      busy,
      Array.from({ length: 50 }, (_, index) => ({
        at: `2026-01-01T00:00:00.00${Math.floor(index / 10)}Z`,
        targetId: `t-${index}`,
      })),
    );
    for (const limit of [1, 7, 50, 200]) {
      const targets = (await allPages({ limit, action: 'thing.changed' }, busy)).flat();
      expect(targets.map(({ targetId }) => targetId)).toEqual(
        Array.from({ length: 50 }, (_, index) => `t-${49 - index}`),
      );
    }
  });

  test('heavy changes end a page by their bytes', async () => {
    const heavy = await world.environment();
    const changes = { evidence: 'x'.repeat(400_000) };
    await plant(heavy, [{ changes }, { changes }, { changes }, { changes }, { changes }]);
    const pages = await allPages({ limit: 200, targetId: 'thing-1' }, heavy);
    expect(pages.map((each) => each.length)).toEqual([3, 2]);
  });

  test('a rare action in a long trail is found, page by page, each of which looks through a part', async () => {
    const long = await world.environment();
    await plant(long, [
      { action: 'rare' },
      ...Array.from({ length: MOST_LOOKED_THROUGH + 5 }, () => ({})),
      { action: 'rare' },
    ]);
    const pages = await allPages({ action: 'rare' }, long);
    expect(pages.map((each) => each.length)).toEqual([1, 1]);
  });
});

describe('operations', () => {
  const planted: string[] = [];
  beforeAll(async () => {
    const rows: [type: string, status: string][] = [
      ['import', 'succeeded'],
      ['tier_run', 'failed'],
      ['expiry_run', 'running'],
      ['import', 'queued'],
    ];
    for (const [index, [type, status]] of rows.entries()) {
      const id = newUuid();
      planted.push(toTypeId('op', id));
      await database.adminPool.query(
        `insert into operations (environment_id, id, type, status, progress_done, progress_total, input, result, error,
           created_at, started_at, finished_at, lease_until)
         values ($1, $2, $3, $4, 3, 5, '{}', $5, $6, $7::timestamptz, $8, $9,
           case when $4 = 'running' then timestamptz '2999-01-01' end)`,
        [
          shop.id,
          id,
          type,
          status,
          status === 'succeeded' ? { rows: 3 } : null,
          status === 'failed' ? { code: 'interrupted', message: 'Stopped.' } : null,
          new Date(Date.parse('2026-01-01') + index),
          status === 'queued' ? null : '2026-01-01T00:00:01Z',
          ['succeeded', 'failed'].includes(status) ? '2026-01-01T00:00:02Z' : null,
        ],
      );
    }
  });

  const ids = async (query: string, from = shop): Promise<string[]> => {
    const answer = await client.send(rest(from, 'GET', `/operations?${query}`));
    expect(answer.status).toBe(200);
    return (answer.body as unknown as Listed<{ id: string }>).data.map(({ id }) => id);
  };

  test('lists them, newest first, by type and status', async () => {
    expect(await ids('')).toEqual(planted.toReversed());
    expect(await ids('type=import')).toEqual([planted[3], planted[0]]);
    expect(await ids('status=failed')).toEqual([planted[1]]);
    expect(await ids('status=succeeded&type=import')).toEqual([planted[0]]);
    expect(await ids('type=export')).toEqual([]);
    expect(await ids('', sibling)).toEqual([]);
  });

  test('pages', async () => {
    const first = await client.send(rest(shop, 'GET', '/operations?limit=3'));
    const { nextCursor } = (first.body as unknown as Listed<object>).page;
    expect(await ids(`limit=3&cursor=${nextCursor}`)).toEqual([planted[0]]);
  });

  test('one has progress, times, result and error, null until then', async () => {
    const read = async (index: number) =>
      (await client.send(rest(shop, 'GET', `/operations/${planted[index]}`))).body;
    expect(await read(0)).toEqual({
      requestId: expect.stringMatching(/^req_/),
      operation: {
        id: planted[0],
        type: 'import',
        status: 'succeeded',
        progress: { done: 3, total: 5 },
        createdAt: '2026-01-01T00:00:00.000Z',
        startedAt: '2026-01-01T00:00:01.000Z',
        finishedAt: '2026-01-01T00:00:02.000Z',
        result: { rows: 3 },
        error: null,
      },
    });
    expect(await read(1)).toMatchObject({
      operation: { result: null, error: { code: 'interrupted', message: 'Stopped.' } },
    });
    expect(await read(3)).toMatchObject({ operation: { startedAt: null, finishedAt: null } });
  });

  test.each<[string, () => string]>([
    ['an unknown id', () => toTypeId('op', newUuid())],
    ['another prefix', () => (planted[0] ?? '').replace('op_', 'txn_')],
    ['a UUID', () => newUuid()],
    ['no id at all', () => 'x'],
  ])('%s is not found', async (_name, unknown) => {
    const found = await client.send(rest(shop, 'GET', `/operations/${unknown()}`));
    expect(found).toMatchObject({ status: 404, code: 'operation_not_found' });
  });

  test('another environment does not find it', async () => {
    const found = await client.send(rest(sibling, 'GET', `/operations/${planted[0]}`));
    expect(found).toMatchObject({ status: 404, code: 'operation_not_found' });
  });
});

describe('bad input writes nothing', () => {
  test.each([
    ['/operations?type=party', 422, 'validation_failed'],
    ['/operations?status=done', 422, 'validation_failed'],
    ['/operations?limit=0', 422, 'validation_failed'],
    ['/operations?limit=201', 422, 'validation_failed'],
    ['/operations?colour=red', 422, 'validation_failed'],
    ['/operations?type=import&type=import', 422, 'validation_failed'],
    ['/operations?cursor=garbage', 422, 'invalid_cursor'],
    [`/operations/${'x'.repeat(101)}`, 422, 'validation_failed'],
    ['/audit-events?limit=201', 422, 'validation_failed'],
    ['/audit-events?limit=1.0', 422, 'validation_failed'],
    ['/audit-events?action=', 422, 'validation_failed'],
    [`/audit-events?action=${'x'.repeat(101)}`, 422, 'validation_failed'],
    ['/audit-events?actor=tests', 422, 'validation_failed'],
    ['/audit-events?from=yesterday', 422, 'validation_failed'],
    ['/audit-events?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z', 422, 'invalid_window'],
    ['/audit-events?from=2026-01-01T00:00:00Z&to=2026-01-01T00:00:00Z', 422, 'invalid_window'],
    ['/audit-events?from=2025-01-01T00:00:00Z&to=2026-06-01T00:00:00Z', 422, 'invalid_window'],
    ['/audit-events?from=2999-01-01T00:00:00Z', 422, 'invalid_window'],
    ['/audit-events?cursor=garbage', 422, 'invalid_cursor'],
    ['/audit-events?targetId=%00', 422, 'validation_failed'],
  ])('GET %s is %i %s', async (path, status, code) => {
    const before = await world.countRows();
    const answer = await client.send(rest(shop, 'GET', path));
    expect(answer).toMatchObject({ status, code });
    expect(await world.countRows()).toEqual(before);
  });

  test('a cursor of another list, filter or environment', async () => {
    const { nextCursor } = (await page({ limit: 1, actorId: 'tests' })).page;
    const cursor = nextCursor ?? '';
    expect((await list({ limit: 2, actorId: 'tests', cursor })).status).toBe(200);
    for (const answer of [
      await list({ limit: 1, cursor }),
      await list({ limit: 1, actorId: 'ada', cursor }),
      await list({ limit: 1, actorId: 'tests', cursor }, sibling),
      await client.send(rest(shop, 'GET', `/operations?limit=1&cursor=${cursor}`)),
    ]) {
      expect(answer).toMatchObject({ status: 422, code: 'invalid_cursor' });
    }
  });
});
