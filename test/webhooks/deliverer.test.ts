import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { SecretBox } from '../../src/auth/secret-box.ts';
import { createPool, type Pool } from '../../src/db/pool.ts';
import { toTypeId } from '../../src/ids.ts';
import { createLanePool } from '../../src/ledger/batch/lane-pool.ts';
import { Deliverer } from '../../src/webhooks/deliverer.ts';
import { createAgent } from '../../src/webhooks/guarded-agent.ts';
import { Sequencer } from '../../src/webhooks/sequencer.ts';
import type { Shop } from '../support/ledger/counter.ts';
import { useCounter, useWriter } from '../support/ledger/use-counter.ts';
import { until } from '../support/until.ts';
import { addEndpoint, deliveriesOf } from '../support/webhooks/endpoints.ts';
import { Receiver } from '../support/webhooks/receiver.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const secrets = new SecretBox([Buffer.alloc(32, 7)]);

let shop: Shop;
let receiver: Receiver;
const processes: Process[] = [];

/** What one serving process runs: a sequencer and a deliverer, with pools of their own. */
interface Process {
  sequencer: Sequencer;
  deliverer: Deliverer;
  disabled: string[];
  close(): Promise<void>;
}

function startProcess(): Process {
  const { serverUrl: url } = counter.database;
  const pools: Pool[] = [
    createLanePool({ url, role: 'rewards_app', size: 2 }),
    createPool({ url, role: 'rewards_app', size: 3 }),
  ];
  const [lanes, pool] = pools as [Pool, Pool];
  const disabled: string[] = [];
  const failures: unknown[] = [];
  const agent = createAgent({ connectionsPerOrigin: 100, allowPrivate: true, proxyUrl: null });
  const deliverer = new Deliverer({
    pool,
    secrets,
    agentFor: () => agent,
    userAgent: 'rewards-service/test',
    disable: (_environmentId, endpointId, reason) => disabled.push(`${endpointId} ${reason}`),
    onError: (error) => failures.push(error),
  });
  const sequencer = new Sequencer({
    pool: lanes,
    onDeliveries: (environmentId) => deliverer.wake(environmentId),
    onError: (error) => failures.push(error),
  });
  deliverer.start();
  const process = {
    sequencer,
    deliverer,
    disabled,
    async close() {
      await sequencer.close();
      await deliverer.close();
      await agent.destroy();
      await Promise.all(pools.map((each) => each.end()));
      expect(failures).toEqual([]);
    },
  };
  processes.push(process);
  return process;
}

async function addReceiving(eventTypes: string[], path = '/'): Promise<string> {
  const id = await addEndpoint(counter.database.adminPool, shop.id, eventTypes, { url: receiver.url + path });
  await counter.database.adminPool.query('update webhook_endpoints set secret = $2 where id = $1', [
    id,
    secrets.seal(SECRET, id),
  ]);
  return id;
}

async function statuses(endpointId: string): Promise<string[]> {
  return (await deliveriesOf(counter.database.adminPool, endpointId)).map(({ status }) => status);
}

const counter = useCounter();
const writer = useWriter(counter);

beforeEach(async () => {
  shop = await counter.environment();
  receiver = await Receiver.open();
});

afterEach(async () => {
  await Promise.all(processes.splice(0).map((process) => process.close()));
  await receiver.close();
  expect(receiver.faults).toEqual([]);
});

describe('a delivery', () => {
  test('carries the event, its sequence and a signature that standardwebhooks verifies', async () => {
    const endpoint = await addReceiving(['member.enrolled']);
    const { sequencer } = startProcess();
    await shop.addMembers(writer, ['ann']);
    sequencer.wake(shop.id);
    await until(async () => (await statuses(endpoint)).join() === 'delivered', 'delivered');
    const [received, ...others] = receiver.received;
    expect(others).toEqual([]);
    expect(received?.message).toEqual({
      type: 'member.enrolled',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      environmentId: toTypeId('env', shop.id),
      epoch: 1,
      sequence: 1,
      data: {
        memberId: expect.stringMatching(/^mem_/),
        externalCustomerId: 'ann',
        programId: 'coffee-club',
        tier: 'bronze',
        balances: { available: 0, pending: 0, reserved: 0 },
        profileVersion: 1,
      },
    });
    const [delivery] = await deliveriesOf(counter.database.adminPool, endpoint);
    expect(received?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'rewards-service/test',
      'webhook-id': toTypeId('msg', delivery?.id ?? ''),
    });
    expect(() => new Webhook(SECRET).verify(received?.body ?? '', received?.headers ?? {})).not.toThrow();
  });

  test('that failed waits for its next time, then has the same id and body', async () => {
    const endpoint = await addReceiving(['member.enrolled']);
    receiver.answer = (_received, response) => response.writeHead(500).end('broken');
    const { sequencer, deliverer } = startProcess();
    await shop.addMembers(writer, ['ann']);
    sequencer.wake(shop.id);
    await until(async () => (await statuses(endpoint)).join() === 'failed', 'failed');
    const { rows } = await counter.database.adminPool.query(
      `select attempt_count, failures, last_response_status, last_error, next_attempt_at - now() as wait, response_excerpt
       from webhook_deliveries d join webhook_attempts a on a.delivery_id = d.id where endpoint_id = $1`,
      [endpoint],
    );
    expect(rows).toMatchObject([
      {
        attempt_count: 1,
        failures: 1,
        last_response_status: 500,
        last_error: 'The receiver answered 500.',
        response_excerpt: 'broken',
      },
    ]);
    receiver.answer = (_received, response) => response.writeHead(200).end();
    await counter.database.adminPool.query(
      'update webhook_deliveries set next_attempt_at = now() where endpoint_id = $1',
      [endpoint],
    );
    deliverer.wake(shop.id);
    await until(async () => (await statuses(endpoint)).join() === 'delivered', 'delivered');
    const [first, second] = receiver.received;
    expect({ 'webhook-id': second?.headers['webhook-id'], body: second?.body }).toEqual({
      'webhook-id': first?.headers['webhook-id'],
      body: first?.body,
    });
  });

  test('is given up after the tenth attempt; 410 disables at once; a redirect is not followed', async () => {
    const lost = await addReceiving(['member.enrolled'], '/lost');
    const gone = await addReceiving(['member.enrolled'], '/gone');
    receiver.answer = ({ path }, response) =>
      path === '/gone'
        ? response.writeHead(410).end()
        : response.writeHead(302, { location: '/target' }).end();
    const { sequencer, deliverer, disabled } = startProcess();
    await shop.addMembers(writer, ['ann']);
    sequencer.wake(shop.id);
    for (let attempts = 1; attempts <= 10; attempts++) {
      await until(
        async () =>
          (await counter.value<number>(
            'select attempt_count from webhook_deliveries where endpoint_id = $1',
            [lost],
          )) === attempts,
        `attempt ${attempts}`,
      );
      await counter.database.adminPool.query(
        `update webhook_deliveries set next_attempt_at = now() where endpoint_id = $1 and status = 'failed'`,
        [lost],
      );
      deliverer.wake(shop.id);
    }
    expect(await statuses(lost)).toEqual(['dead_letter']);
    expect(receiver.received.some(({ path }) => path === '/target')).toBe(false);
    expect(disabled[0]).toBe(`${gone} gone`);
  });
});

describe('many endpoints and processes', () => {
  test('each delivery arrives, in order where nothing fails, at most eight at once, from two processes', async () => {
    const endpoint = await addReceiving(['points.earned']);
    receiver.answer = (_received, response) => void setTimeout(() => response.writeHead(200).end(), 5);
    await shop.addMembers(writer, ['ann', 'bob']);
    const [one, two] = [startProcess(), startProcess()];
    for (let round = 0; round < 10; round++) {
      await Promise.all(
        Array.from({ length: 30 }, (_, index) => writer.submit(shop.earn(index % 2 ? 'ann' : 'bob'))),
      );
      (round % 2 ? one : two).sequencer.wake(shop.id);
    }
    await until(async () => {
      const all = await statuses(endpoint);
      return all.length === 300 && all.every((status) => status === 'delivered');
    }, 'all delivered');
    const sequences = receiver.received.map(({ message }) => message.sequence);
    expect(sequences.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 300 }, (_, i) => i + 1));
    expect(receiver.mostAtOnce).toBeGreaterThan(1);
    expect(receiver.mostAtOnce).toBeLessThanOrEqual(8);
  });

  test('one that never answers delays no other', async () => {
    const dead = await addReceiving(['points.earned'], '/dead');
    const live = await addReceiving(['points.earned'], '/live');
    receiver.answer = ({ path }, response) => {
      if (path === '/live') response.writeHead(200).end();
    };
    await shop.addMembers(writer, ['ann']);
    const { sequencer } = startProcess();
    for (let index = 0; index < 40; index++) await writer.submit(shop.earn('ann'));
    sequencer.wake(shop.id);
    await until(
      async () => (await statuses(live)).filter((each) => each === 'delivered').length === 40,
      'live',
    );
    expect((await statuses(dead)).every((status) => status === 'pending')).toBe(true);
  });

  test('an endpoint that is disabled gets no more of what was read for it; what waits when it is deleted is given up', async () => {
    const endpoint = await addReceiving(['points.earned']);
    await shop.addMembers(writer, ['ann']);
    receiver.answer = (_received, response) => void setTimeout(() => response.writeHead(204).end(), 300);
    const { sequencer } = startProcess();
    await Promise.all(Array.from({ length: 80 }, () => writer.submit(shop.earn('ann'))));
    sequencer.wake(shop.id);
    await until(() => receiver.received.length >= 8, 'a first round');
    const set = (change: string) =>
      counter.database.adminPool.query(`update webhook_endpoints set ${change} where id = $1`, [endpoint]);
    await set(`status = 'disabled', disabled_reason = 'operator'`);
    let count = 0;
    const settled = async (): Promise<boolean> => {
      count = receiver.received.length;
      await sleep(2_000);
      return receiver.received.length === count;
    };
    await until(settled, 'what was under way has arrived');
    expect(count).toBeLessThan(60);
    await set('deleted_at = now(), place = null');
    await until(async () => !(await statuses(endpoint)).includes('pending'), 'given up');
    expect(new Set(await statuses(endpoint))).toEqual(new Set(['delivered', 'dead_letter']));
  });

  test('a process that stops gives its endpoints back; one whose lease ran out is replaced', async () => {
    const endpoint = await addReceiving(['points.earned']);
    await shop.addMembers(writer, ['ann']);
    receiver.answer = () => {};
    const stopped = startProcess();
    await writer.submit(shop.earn('ann'));
    stopped.sequencer.wake(shop.id);
    await until(() => receiver.received.length === 1, 'a first attempt');
    await stopped.deliverer.close();
    receiver.answer = (_received, response) => response.writeHead(200).end();
    startProcess();
    await until(async () => (await statuses(endpoint)).join() === 'delivered', 'delivered by the other');
    expect(receiver.received.map(({ message }) => message.sequence)).toEqual([1, 1]);
    // As after a kill: nobody gave the lease back.
    await counter.database.adminPool.query(
      `update webhook_leases set owner = gen_random_uuid(), owned_until = now() + interval '1 second'`,
    );
    await writer.submit(shop.earn('ann'));
    startProcess().sequencer.wake(shop.id);
    await until(async () => (await statuses(endpoint)).join() === 'delivered,delivered', 'taken over');
  });
});
