import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { migrate } from '../../src/db/migrate.ts';
import { addDatabase, PostgresNode, settingsOf } from '../support/drills/postgres-node.ts';
import { missingOf } from '../support/drills/programs.ts';
import { expectEachOnce, type RetryingLoad, startRetryingLoad } from '../support/drills/retrying-load.ts';
import { until } from '../support/drills/until.ts';
import { repetitions } from '../support/repetitions.ts';
import { type ServerProcess, spawnServer } from '../support/server.ts';
import {
  addMembers,
  Client,
  earn,
  graphql,
  readMember,
  rest,
  type Sent,
} from '../support/surfaces/client.ts';
import { createWorld, type TestEnvironment, type World } from '../support/surfaces/world.ts';
import { makeDataDir } from '../support/temporary-cluster.ts';
import { describeWhere } from '../support/where.ts';

const MISSING = missingOf('postgres');
const AWAY_SECONDS = repetitions({ few: 5, many: 20, most: 60 });
const SENDERS = 16;
const MEMBERS = ['ada', 'ben', 'cyd'];
/** A request has 15 s; the rest is what a busy machine takes. */
const MOST_ANSWER_SECONDS = 20;

describeWhere(MISSING === null, MISSING ?? '')(`a database that is away for ${AWAY_SECONDS} s`, () => {
  let folder: string;
  let node: PostgresNode;
  let world: World;
  let shop: TestEnvironment;
  let server: ServerProcess;
  let client: Client;

  beforeAll(async () => {
    folder = await makeDataDir();
    node = await PostgresNode.create(folder, 'primary');
    await node.start();
    await addDatabase(node);
    await migrate(node.adminUrl());
    world = createWorld({ adminPool: node.pool });
    shop = await world.environment();
    server = await spawnServer({ ...settingsOf([node]), SWEEP_SECONDS: '1', LOG_LEVEL: 'fatal' });
    client = new Client(server.url, 200);
    await addMembers(client, shop, MEMBERS);
  });

  afterAll(async () => {
    client?.close();
    await node?.wake();
    await server?.end('SIGKILL');
    await node?.drop();
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  });

  /**
   * Requests of every kind that are sent while the database is away.
   * @returns the seconds that the slowest answer took
   */
  async function expectRefusals(name: string, count: number): Promise<number> {
    const kinds: ((index: number) => Sent)[] = [
      (index) => earn(shop, purchase(`${name}-${index}`), `${name}-${index}`),
      () => readMember(shop, 'ada'),
      () => rest(shop, 'GET', '/transactions'),
      () => graphql(shop, 'query { member(externalCustomerId: "ada") { requestId } }'),
    ];
    let slowest = 0;
    await Promise.all(
      Array.from({ length: count }, async (_, index) => {
        const begun = performance.now();
        const { status, headers, text } = await client.send(
          (kinds[index % kinds.length] as (typeof kinds)[0])(index),
        );
        slowest = Math.max(slowest, (performance.now() - begun) / 1000);
        expect({ status, 'retry-after': headers['retry-after'] }).toEqual({
          status: 503,
          'retry-after': '1',
        });
        expect(text).not.toMatch(/postgres|ECONN|socket|terminat|node:|\.ts\b/i);
      }),
    );
    return slowest;
  }

  function purchase(reference: string): object {
    return { externalCustomerId: 'ada', sourceReference: reference, amountMinor: 1000 };
  }

  async function isReady(): Promise<boolean> {
    return (await client.send({ method: 'GET', path: '/readyz' })).status === 200;
  }

  async function whileAway(
    name: string,
    leave: () => Promise<void>,
    back: () => Promise<void>,
  ): Promise<void> {
    const load: RetryingLoad = startRetryingLoad(server.url, shop, {
      name,
      senders: SENDERS,
      members: MEMBERS,
    });
    await until('the load', () => load.acknowledged.size > SENDERS * 2);
    const left = performance.now();
    await leave();
    await until('unreadiness', async () => !(await isReady()));
    const slowest = await expectRefusals(name, 60);
    const liveness = await client.send({ method: 'GET', path: '/healthz' });
    expect(liveness.status).toBe(200);
    await sleep(Math.max(0, AWAY_SECONDS * 1000 - (performance.now() - left)));
    const returned = performance.now();
    await back();
    await until('readiness', isReady);
    const before = load.acknowledged.size;
    await until('the load goes on', () => load.acknowledged.size > before + SENDERS * 2);
    process.stdout.write(
      `${name}: the slowest refusal took ${slowest.toFixed(1)} s; all senders served again ` +
        `${((performance.now() - returned) / 1000).toFixed(1)} s after the database was back\n`,
    );
    await load.stop();
    expect([...load.doubts.keys()]).toEqual([503]);
    expect(slowest).toBeLessThan(MOST_ANSWER_SECONDS);
    await expectEachOnce(node.pool, name, load.acknowledged);
    expect(await world.failedControls()).toEqual([]);
  }

  test(
    'because it hangs: answers are 503, it is found again by itself, and each purchase is there once',
    () =>
      whileAway(
        'hangs',
        () => node.hang(),
        () => node.wake(),
      ),
    400_000,
  );

  test(
    'because it refuses connections: the same',
    () =>
      whileAway(
        'refuses',
        () => node.kill(),
        () => node.start(),
      ),
    400_000,
  );
});
