import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { migrate } from '../../src/db/migrate.ts';
import { addDatabase, PostgresNode, settingsOf } from '../support/drills/postgres-node.ts';
import { missingOf } from '../support/drills/programs.ts';
import { until } from '../support/drills/until.ts';
import { type ServerProcess, spawnServer } from '../support/server.ts';
import { addMembers, Client, earn, type Received, readMember, rest } from '../support/surfaces/client.ts';
import { createWorld, type TestEnvironment } from '../support/surfaces/world.ts';
import { makeDataDir } from '../support/temporary-cluster.ts';
import { Receiver } from '../support/webhooks/receiver.ts';
import { webhookRequests } from '../support/webhooks/requests.ts';
import { describeWhere } from '../support/where.ts';

const MISSING = missingOf('postgres');
const MEMBERS = ['ada', 'bob'];

/** The mirror of docs/guide/webhooks.md. */
interface Example {
  empty(): { states: { position: number }[] };
  catchUp(mirror: object, get: (path: string) => Promise<Pick<Received, 'status' | 'body'>>): Promise<void>;
  profiles(mirror: object): Map<string, { version: number; balances: object }>;
}

async function mirrorOfDocs(folder: string): Promise<Example> {
  const page = await readFile(new URL('../../docs/guide/webhooks.md', import.meta.url), 'utf8');
  const [, code = ''] = /```js\n(\/\*\* A mirror that[\s\S]*?)```/.exec(page) ?? [];
  const file = join(folder, 'mirror.mjs');
  await writeFile(file, code);
  return (await import(file)) as Example;
}

describeWhere(MISSING === null, MISSING ?? '')('an asynchronous standby that takes over', () => {
  let folder: string;
  let primary: PostgresNode;
  let standby: PostgresNode;
  let shop: TestEnvironment;
  let server: ServerProcess;
  let client: Client;
  let receiver: Receiver;
  let example: Example;
  let orders = 0;

  beforeAll(async () => {
    folder = await makeDataDir();
    example = await mirrorOfDocs(folder);
    primary = await PostgresNode.create(folder, 'primary');
    await primary.start();
    await addDatabase(primary);
    await migrate(primary.adminUrl());
    standby = await PostgresNode.copyOf(primary, folder, 'standby', { asStandby: true });
    await standby.start();
    shop = await createWorld({ adminPool: primary.pool }).environment();
    receiver = await Receiver.open();
    server = await spawnServer({
      ...settingsOf([primary, standby]),
      WEBHOOK_ALLOW_PRIVATE: 'true',
      SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    });
    client = new Client(server.url);
    await addMembers(client, shop, MEMBERS);
    const hook = { url: receiver.url, eventTypes: ['points.earned'] };
    const made = await client.send(webhookRequests.create(shop, hook, 'hook'));
    const { id } = made.body.endpoint as { id: string };
    const activated = await client.send(webhookRequests.patch(shop, id, { status: 'active' }, 'on'));
    expect(activated.status).toBe(200);
  }, 180_000);

  afterAll(async () => {
    client?.close();
    await server?.end('SIGTERM');
    await receiver?.close();
    await Promise.all([primary?.drop(), standby?.drop()]);
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  });

  async function buy(): Promise<void> {
    orders += 1;
    const customer = MEMBERS[orders % 2] as string;
    const purchase = {
      externalCustomerId: customer,
      sourceReference: `o-${orders}`,
      amountMinor: 1000 * orders,
    };
    const sent = earn(shop, purchase, `k-${orders}`);
    await until('the purchase', async () => {
      const answer = await client.send(sent).catch(() => null);
      return answer?.status === 201 || answer?.status === 200;
    });
  }

  const catchUp = (mirror: object) => example.catchUp(mirror, (path) => client.send(rest(shop, 'GET', path)));

  /** Reads until every purchase that counts is in the mirror. */
  async function untilRead(mirror: { states: object[] }, states: number): Promise<void> {
    await until(`${states} states`, async () => {
      await catchUp(mirror);
      return mirror.states.length >= states;
    });
    expect(mirror.states).toHaveLength(states);
  }

  test('ends in a new epoch: receivers hear of it first, and a mirror takes back what was lost and is in step', async () => {
    const mirror = example.empty();
    for (let index = 0; index < 6; index++) await buy();
    // Two enrollments, and the purchases.
    await untilRead(mirror, 8);
    const { rows } = await primary.pool.query<{ lsn: string }>('select pg_current_wal_lsn()::text as lsn');
    await until('the standby', async () => {
      const { rows: state } = await standby.pool.query<{ there: boolean }>(
        'select pg_last_wal_replay_lsn() >= $1::pg_lsn as there',
        [rows[0]?.lsn],
      );
      return state[0]?.there === true;
    });
    // From now on it gets nothing, as where the network is slow.
    await standby.pool.query("alter system set primary_conninfo = ''");
    await standby.pool.query('select pg_reload_conf()');
    await until('the end of the stream', async () => {
      return (await standby.pool.query('select from pg_stat_wal_receiver')).rowCount === 0;
    });
    for (let index = 0; index < 4; index++) await buy();
    await untilRead(mirror, 12);
    await until('all webhooks', () => receiver.received.length >= 10);

    await primary.kill();
    await standby.promote();
    // Acknowledged, and lost, and not sent again.
    for (let index = 0; index < 3; index++) await buy();

    const messages = () =>
      receiver.received.map(({ message }) => message as typeof message & { epoch: number });
    const ofEpoch = (wanted: number) => messages().filter(({ epoch }) => epoch === wanted);
    await until('the webhooks of the new epoch', () => ofEpoch(2).length >= 4);
    // Of the old one nothing new comes. What the standby had not heard the success of may come once more.
    expect(new Set(ofEpoch(1).map(({ sequence }) => sequence)).size).toBe(10);
    const after = ofEpoch(2);
    const [started, ...others] = after.toSorted((a, b) => a.sequence - b.sequence);
    expect(started).toMatchObject({
      ...{ type: 'feed.epoch_started', sequence: 7 },
      data: { epoch: 2, previousEpoch: 1, lastPositionKept: 11 },
    });
    expect(others.map(({ type, sequence }) => [type, sequence])).toEqual(
      [8, 9, 10].map((sequence) => ['points.earned', sequence]),
    );
    expect(receiver.faults).toEqual([]);

    await untilRead(mirror, 11);
    const shown = example.profiles(mirror);
    for (const customer of MEMBERS) {
      const { member, programs } = (await client.send(readMember(shop, customer))).body as unknown as {
        member: { id: string };
        programs: { programId: string; balances: object[] }[];
      };
      const [profile] = programs;
      expect(profile?.balances[0]).toMatchObject(
        shown.get(`${member.id} ${profile?.programId}`)?.balances ?? { missing: true },
      );
    }
    expect(shown.size).toBe(2);
  }, 240_000);
});
