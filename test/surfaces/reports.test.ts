import { beforeAll, describe, expect, test } from '@jest/globals';
import { documents } from '../../rest-adapter/generated/documents.ts';
import { rollUp } from '../../src/ledger/closed-days/roll-up.ts';
import type { CloseReport } from '../../src/queries/reports/ledger-close/report.ts';
import { verifyCloseReport } from '../../src/queries/reports/ledger-close/verify-report.ts';
import {
  addMembers,
  earn,
  graphql,
  hold,
  type Received,
  redeem,
  rest,
  returnOrder,
} from '../support/surfaces/client.ts';
import { useShop } from '../support/surfaces/use-shop.ts';
import { programId, type TestEnvironment } from '../support/surfaces/world.ts';
import { addEndpoint } from '../support/webhooks/endpoints.ts';

const HOUR_MS = 3_600_000;

let from: string;
let to: string;

const { database, world, client, shop } = useShop({
  twins: true,
  program: (yaml) => yaml.replace('id: coffee-club', 'id: tea-club'),
  members: ['ada', 'grace'],
});

beforeAll(async () => {
  for (const [member, amountMinor] of [
    ['ada', 30_000],
    ['grace', 12_000],
  ] as const) {
    const bought = await client.send(
      earn(
        shop,
        { externalCustomerId: member, amountMinor, sourceReference: `order-${member}` },
        `buy-${member}`,
      ),
    );
    expect(bought.status).toBe(201);
  }
  const returned = await client.send(
    returnOrder(
      shop,
      { sourceReference: 'order-grace', returnReference: 'return-1', returnAmountMinor: 6_000 },
      'return-1',
    ),
  );
  expect(returned.status).toBe(201);
  from = new Date(Date.now() - HOUR_MS).toISOString();
  to = new Date(Date.now() + HOUR_MS).toISOString();
});

const get = (path: string, query: Record<string, string>, by: TestEnvironment = shop): Promise<Received> =>
  client.send(rest(by, 'GET', `${path}?${new URLSearchParams(query)}`));
const close = (query: Record<string, string>): Promise<Received> => get('/reports/ledger-close', query);
const summary = (query: Record<string, string>): Promise<Received> => get('/analytics/ledger-summary', query);

describe('the ledger close', () => {
  test('is the same through both doors, and proves itself', async () => {
    const viaRest = await close({ programId, from, to });
    expect(viaRest).toMatchObject({ status: 200, code: null });
    const viaGraphql = await client.send(graphql(shop, documents.ledgerClose, { programId, from, to }));
    const { requestId, ...report } = viaRest.body;
    expect(requestId).toMatch(/^req_/);
    expect(viaGraphql.body.data?.ledgerClose).toEqual({ ...report, requestId: expect.any(String) });
    expect(verifyCloseReport(viaRest.body)).toEqual([]);
    const { rollForward, status, currency, liability, journal } = report as unknown as CloseReport;
    expect({ status, currency }).toEqual({ status: 'provisional', currency: 'USD' });
    expect(rollForward.filter(({ points }) => points !== '0')).toEqual([
      { line: 'points_issued', points: '420' },
      { line: 'points_clawed_back', points: '-60' },
      { line: 'closing', points: '360' },
    ]);
    expect(journal).toHaveLength(4);
    // 5 percent are expected never to be redeemed; a point is worth a cent.
    expect(liability).toMatchObject([{ points: '360', expectedPoints: '342', amountMinor: '342' }]);
  });

  test('echoes the request id, which no hash covers', async () => {
    const sent = rest(shop, 'GET', `/reports/ledger-close?${new URLSearchParams({ programId, from, to })}`);
    const [first, second] = await Promise.all(
      ['close-1', 'close-2'].map((id) =>
        client.send({ ...sent, headers: { ...sent.headers, 'x-request-id': id } }),
      ),
    );
    expect({ first: first?.body.requestId, second: second?.body.requestId }).toEqual({
      first: 'close-1',
      second: 'close-2',
    });
    expect(first?.body.evidenceHash).toBe(second?.body.evidenceHash);
  });

  test('is of this month until now where neither end is given', async () => {
    const { status, body } = await close({ programId });
    const period = body.period as { from: string; to: string };
    expect(status).toBe(200);
    expect(period.from).toMatch(/^\d{4}-\d{2}-01T00:00:00.000Z$/);
    expect(Math.abs(Date.parse(period.to) - Date.now())).toBeLessThan(60_000);
  });

  test('mixes no programs', async () => {
    const { body } = await close({ programId: 'tea-club', from, to });
    expect(body.totals).toMatchObject({ debits: '0', postings: 0 });
  });

  test.each([
    ['an unknown program', { programId: 'no-club' }, 404, 'program_not_found'],
    ['no program', {}, 422, 'validation_failed'],
    [
      'an empty window',
      { programId, from: '2026-01-01T00:00:00Z', to: '2026-01-01T00:00:00Z' },
      422,
      'invalid_window',
    ],
    [
      'a long window',
      { programId, from: '2025-01-01T00:00:00Z', to: '2026-01-02T00:00:00.001Z' },
      422,
      'invalid_window',
    ],
    [
      'a window to come',
      { programId, from: '2999-01-01T00:00:00Z', to: '2999-01-02T00:00:00Z' },
      422,
      'invalid_window',
    ],
    ['no instant', { programId, from: 'yesterday' }, 422, 'validation_failed'],
    ['an unknown parameter', { programId, until: '2026-01-01T00:00:00Z' }, 422, 'validation_failed'],
  ])('refuses %s', async (_name, query, status, code) => {
    const answer = await close(query as unknown as Record<string, string>);
    expect(answer).toMatchObject({ status, code });
  });

  test('a program of another environment is not found', async () => {
    const other = await world.environment();
    const answer = await get('/reports/ledger-close', { programId: 'tea-club' }, other);
    expect(answer).toMatchObject({ status: 404, code: 'program_not_found' });
  });
});

describe('the ledger summary', () => {
  test('is the same through both doors', async () => {
    const viaRest = await summary({ programId, from, to });
    const { requestId: _, ...report } = viaRest.body;
    expect({ status: viaRest.status, report }).toEqual({
      status: 200,
      report: {
        programId,
        from,
        to,
        transactions: { posted: 3, reversed: 0 },
        points: { credits: '420', debits: '60', net: '360' },
        balances: { members: 2, available: '360', pending: '0', reserved: '0' },
        redemptions: { reserved: 0, committed: 0, released: 0, expired: 0, reversed: 0 },
        webhookDeliveries: { pending: 0, delivered: 0, failed: 0, deadLetter: 0 },
      },
    });
    const viaGraphql = await client.send(graphql(shop, documents.ledgerSummary, { programId, from, to }));
    expect(viaGraphql.body.data?.ledgerSummary).toEqual({ ...report, requestId: expect.any(String) });
  });

  test('is of every program where none is named, and of an empty one empty', async () => {
    expect((await summary({ from, to })).body).toMatchObject({
      programId: null,
      transactions: { posted: 3 },
    });
    expect((await summary({ programId: 'tea-club', from, to })).body).toMatchObject({
      transactions: { posted: 0 },
      points: { net: '0' },
      balances: { members: 0, available: '0' },
    });
  });

  test('counts closed days instead of their postings', async () => {
    const yesterday = await world.environment();
    await addMembers(client, yesterday, ['ada']);
    await client.send(
      earn(yesterday, { externalCustomerId: 'ada', amountMinor: 700, sourceReference: 'o' }, 'k'),
    );
    const { adminPool } = database;
    for (const table of ['postings', 'transactions']) {
      await adminPool.query(
        `update ${table} set created_at = created_at - interval '3 days' where environment_id = $1`,
        [yesterday.id],
      );
    }
    await rollUp(adminPool, yesterday.id);
    // What is counted of a closed day is not the postings: so it is seen that they are not read.
    await adminPool.query(`update postings set amount = amount + 1 where environment_id = $1`, [
      yesterday.id,
    ]);
    const window = {
      from: new Date(Date.now() - 90 * 24 * HOUR_MS + 60_000).toISOString(),
      to: new Date().toISOString(),
    };
    const answer = await get('/analytics/ledger-summary', window, yesterday);
    expect(answer.body).toMatchObject({
      points: { credits: '7', debits: '0', net: '7' },
      transactions: { posted: 1 },
    });
  });

  test.each([
    ['an unknown program', { programId: 'no-club' }, 404, 'program_not_found'],
    [
      'a window of more than 90 days',
      { from: '2026-01-01T00:00:00Z', to: '2026-04-01T00:00:00.001Z' },
      422,
      'invalid_window',
    ],
    ['an empty window', { to: '2026-01-01T00:00:00Z', from: '2026-01-01T00:00:00Z' }, 422, 'invalid_window'],
    [
      'a reversed window',
      { to: '2026-01-01T00:00:00Z', from: '2026-01-02T00:00:00Z' },
      422,
      'invalid_window',
    ],
    ['no end', { to: '' }, 422, 'validation_failed'],
  ])('refuses %s', async (_name, change, status, code) => {
    const answer = await summary({ from, to, ...change });
    expect(answer).toMatchObject({ status, code });
  });
});

test.each(['/reports/ledger-close', '/analytics/ledger-summary'])(
  '%s takes the scope analytics:read',
  async (path) => {
    const reader = { ...shop, ...(await world.key(shop.id, ['transactions:read'])) };
    const refused = await get(path, { programId, from, to }, reader);
    expect(refused).toMatchObject({ status: 403, code: 'insufficient_scope' });
    const analyst = { ...shop, ...(await world.key(shop.id, ['analytics:read'])) };
    expect((await get(path, { programId, from, to }, analyst)).status).toBe(200);
  },
);

test('redemptions and deliveries are counted by their states, and holds stay on the books', async () => {
  const busy = await world.environment();
  await addMembers(client, busy, ['ada']);
  await client.send(
    earn(busy, { externalCustomerId: 'ada', amountMinor: 50_000, sourceReference: 'o' }, 'k'),
  );
  await redeem(client, busy, { externalCustomerId: 'ada' }, 'spent');
  await hold(client, busy, { externalCustomerId: 'ada' }, 'held');
  const { adminPool } = database;
  await adminPool.query(
    `with happened as (
       insert into events (environment_id, id, type, program_id, data, at)
       select $1, gen_random_uuid(), 'points.earned', program, '{}', now()
       from unnest('{coffee-club,coffee-club,tea-club,coffee-club}'::text[]) as program
       returning id, program_id
     )
     insert into webhook_deliveries (environment_id, id, endpoint_id, sequence, event_id, event_type, status, created_at,
       next_attempt_at, delivered_at)
     select $1, gen_random_uuid(), $2, n, h.id, 'points.earned', status, now() - days * interval '1 day',
       case when status in ('pending', 'failed') then now() end, case when status = 'delivered' then now() end
     from (select *, row_number() over (partition by program_id) as k from happened) h
     join (values (1, 'coffee-club', 1, 'delivered', 0), (2, 'coffee-club', 2, 'dead_letter', 0),
       (3, 'tea-club', 1, 'failed', 0), (4, 'coffee-club', 3, 'pending', 30)) as row(n, program, k, status, days)
       on row.program = h.program_id and row.k = h.k`,
    [busy.id, await addEndpoint(database.adminPool, busy.id, ['points.earned'])],
  );
  const { body } = await get('/analytics/ledger-summary', { programId, from, to }, busy);
  expect(body).toMatchObject({
    transactions: { posted: 4, reversed: 0 },
    points: { credits: '500', debits: '300', net: '200' },
    balances: { members: 1, available: '200', pending: '0', reserved: '150' },
    redemptions: { reserved: 1, committed: 1, released: 0, expired: 0, reversed: 0 },
    webhookDeliveries: { pending: 0, delivered: 1, failed: 0, deadLetter: 1 },
  });
  const all = await get('/analytics/ledger-summary', { from, to }, busy);
  expect(all.body).toMatchObject({
    webhookDeliveries: { pending: 0, delivered: 1, failed: 1, deadLetter: 1 },
  });

  const report = (await get('/reports/ledger-close', { programId, from, to }, busy))
    .body as unknown as CloseReport;
  // It ends in an hour.
  expect(report.controls.filter(({ passed }) => !passed).map(({ id }) => id)).toEqual(['period_over']);
  expect(report.rollForward.filter(({ points }) => points !== '0')).toEqual([
    { line: 'points_issued', points: '500' },
    { line: 'points_redeemed', points: '-150' },
    { line: 'closing', points: '350' },
  ]);
  expect(report.totals).toMatchObject({ postings: 4, transactions: 4 });
});
