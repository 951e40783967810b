import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { FeedEvent, Page } from '../../src/contract/generated/types.ts';
import { migrate } from '../../src/db/migrate.ts';
import { rollUp } from '../../src/ledger/closed-days/roll-up.ts';
import { verifyAudit } from '../../src/queries/audit/verify-audit.ts';
import { addDatabase, PostgresNode, settingsOf } from '../support/drills/postgres-node.ts';
import { FAKETIME_LIBRARY, missingOf } from '../support/drills/programs.ts';
import { until } from '../support/drills/until.ts';
import { type ServerProcess, spawnServer } from '../support/server.ts';
import {
  addMembers,
  Client,
  earn,
  hold,
  onReservation,
  quote,
  type Received,
  readMember,
  redeem,
  reserve,
  rest,
  returnOrder,
  type Sent,
  unenroll,
} from '../support/surfaces/client.ts';
import { createWorld, type TestEnvironment, type World } from '../support/surfaces/world.ts';
import { makeDataDir } from '../support/temporary-cluster.ts';
import { describeWhere } from '../support/where.ts';

const [MINUTE_MS, HOUR_MS, DAY_MS] = [60_000, 3_600_000, 86_400_000];
const MISSING = missingOf('postgres', 'faketime');

/** The order of these tests matters: the clock is set back further in each. */
describeWhere(MISSING === null, MISSING ?? '')('a Postgres whose clock is set back', () => {
  let folder: string;
  let node: PostgresNode;
  let world: World;
  let shop: TestEnvironment;
  let server: ServerProcess;
  let client: Client;
  let keys = 0;

  beforeAll(async () => {
    folder = await makeDataDir();
    await setClock(0);
    node = await PostgresNode.create(folder, 'primary');
    await node.start(
      {},
      {
        LD_PRELOAD: FAKETIME_LIBRARY ?? '',
        FAKETIME_TIMESTAMP_FILE: clockFile(),
        FAKETIME_NO_CACHE: '1',
        // Of waits for a duration; a clock that is set back does not change them.
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
      },
    );
    await addDatabase(node);
    await migrate(node.adminUrl());
    world = createWorld({ adminPool: node.pool });
    shop = await world.environment();
    server = await spawnServer({ ...settingsOf([node]), SWEEP_SECONDS: '1' });
    client = new Client(server.url);
    await addMembers(client, shop, ['ada', 'ben', 'cyd']);
  }, 180_000);

  afterAll(async () => {
    client?.close();
    await server?.end('SIGKILL');
    await node?.drop();
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  });

  const clockFile = () => join(folder, 'clock');

  /** Sets the clock of Postgres. @param ms from the real time */
  async function setClock(ms: number): Promise<void> {
    const seconds = Math.round(ms / 1000);
    await writeFile(`${clockFile()}.new`, `${seconds < 0 ? '' : '+'}${seconds}\n`, { mode: 0o644 });
    await rename(`${clockFile()}.new`, clockFile());
  }

  async function done(sent: Sent): Promise<Received> {
    const answer = await client.send(sent);
    if (answer.status >= 300) throw new Error(`${sent.path}: ${answer.status} ${answer.text}`);
    return answer;
  }

  async function buy(customer: string): Promise<string> {
    const key = `order-${++keys}`;
    await done(earn(shop, { externalCustomerId: customer, sourceReference: key, amountMinor: 100_000 }, key));
    return key;
  }

  const stateOf = async (id: string): Promise<unknown> => {
    const { body } = await done(rest(shop, 'GET', `/redemptions/${id}`));
    return (body.reservation as { state?: string }).state;
  };

  async function feedAfter(cursor: string | null): Promise<{ data: FeedEvent[]; page: Page }> {
    const query = cursor ? `?after=${encodeURIComponent(cursor)}` : '';
    return (await done(rest(shop, 'GET', `/events-feed${query}`))).body as unknown as {
      data: FeedEvent[];
      page: Page;
    };
  }

  test('by an hour: what has expired stays expired, everything goes on, and the sweeps too', async () => {
    const order = await buy('ada');
    await buy('ben');
    const lapsing = await hold(client, shop, { externalCustomerId: 'ada' }, 'lapsing');
    await setClock(8 * DAY_MS);
    const expired = `select count(*) from redemption_reservations where state = 'expired'`;
    await until('the end of the hold', async () => (await world.count(expired)) === 1);
    const kept = await hold(client, shop, { externalCustomerId: 'ada' }, 'kept');
    const committed = await redeem(client, shop, { externalCustomerId: 'ben' }, 'committed');
    const quoted = await done(quote(shop, { externalCustomerId: 'ben' }, 'quoted'));
    const { id: quoteId } = quoted.body.quote as { id: string };
    const before = await feedAfter(null);

    await setClock(8 * DAY_MS - HOUR_MS);
    await done(onReservation(shop, kept, 'commit', { authorizationReference: 'auth-2' }, 'kept'));
    await done(reserve(shop, quoteId, 'quoted'));
    await done(onReservation(shop, committed, 'reverse', { reason: 'not served' }, 'reversed'));
    await done(
      returnOrder(
        shop,
        { sourceReference: order, returnReference: 'return-1', returnAmountMinor: 100_000 },
        'return-1',
      ),
    );
    await buy('ada');
    await done(unenroll(shop, 'cyd'));
    expect(await stateOf(lapsing)).toBe('expired');
    expect((await client.send(readMember(shop, 'ada'))).status).toBe(200);

    // What ends by time from now on is swept at its time, and nothing a second time.
    const again = await hold(client, shop, { externalCustomerId: 'ada' }, 'again');
    await setClock(16 * DAY_MS);
    await until('the sweep', async () => (await world.count(expired)) === 3);
    expect(await stateOf(again)).toBe('expired');
    const ends = `select count(*) from transactions where event_type = 'redemption.expired'`;
    expect(await world.count(ends)).toBe(3);
    const after = await feedAfter(before.page.nextCursor ?? null);
    const all = [...before.data, ...after.data].map(({ position }) => position);
    expect(all).toEqual(all.map((_, index) => index + 1));
    expect(await world.failedControls()).toEqual([]);
  }, 300_000);

  test('by an hour: the sweeps run at once, and every entry of the audit trail is sealed', async () => {
    await setClock(16 * DAY_MS - HOUR_MS);
    const last = await hold(client, shop, { externalCustomerId: 'ben' }, 'last');
    expect(last).toMatch(/./);
    const reader = await node.pool.connect();
    try {
      await until('the seals', async () => {
        const { checked } = await verifyAudit(reader, shop.id, { noted: null });
        return (
          checked ===
          (await world.count('select count(*) from audit_events where environment_id = $1', [shop.id]))
        );
      });
      expect((await verifyAudit(reader, shop.id, { noted: null })).breaks).toEqual([]);
    } finally {
      reader.release();
    }
  }, 300_000);

  test('into a day that is closed: what is posted counts for the next day, and the books stay as they were', async () => {
    const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
    const midnight = today + 20 * DAY_MS;
    await setClock(midnight + 20 * MINUTE_MS - Date.now());
    const lastDay = new Date(midnight - DAY_MS).toISOString().slice(0, 10);
    // The server's own job may be at it.
    await until('the close', async () => (await rollUp(node.pool, shop.id)).closedThrough === lastDay);
    await setClock(midnight - 20 * MINUTE_MS - Date.now());
    const { rows } = await node.pool.query<{ at: Date }>(
      'select created_at as at from transactions where source_reference = $1',
      [await buy('ada')],
    );
    expect(rows).toEqual([{ at: new Date(midnight) }]);
    expect(await world.failedControls()).toEqual([]);
  }, 300_000);
});
