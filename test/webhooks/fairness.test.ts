import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { SecretBox } from '../../src/auth/secret-box.ts';
import { BY_KEY } from '../../src/db/planner-settings.ts';
import { createPool } from '../../src/db/pool.ts';
import type { Statement } from '../../src/db/statement.ts';
import { newUuid } from '../../src/ids.ts';
import { createLanePool } from '../../src/ledger/batch/lane-pool.ts';
import { Deliverer } from '../../src/webhooks/deliverer.ts';
import {
  type FinishedAttempt,
  giveUpDeliveries,
  leaseEndpoints,
  readWaiting,
  recordAttempts,
  type WaitingRow,
} from '../../src/webhooks/delivery-statements.ts';
import { createAgent } from '../../src/webhooks/guarded-agent.ts';
import { Sequencer } from '../../src/webhooks/sequencer.ts';
import type { Shop } from '../support/ledger/counter.ts';
import { useCounter, useWriter } from '../support/ledger/use-counter.ts';
import { addEndpoint } from '../support/webhooks/endpoints.ts';
import { Receiver } from '../support/webhooks/receiver.ts';

// That an endpoint which is slow, silent or far behind delays no other. How much later the others get theirs is
// measured by `npm run bench -- --only fair,backlog`; here it is shown without a clock.

const BACKLOG = 100_000;

const secrets = new SecretBox([Buffer.alloc(32, 7)]);
const closing: (() => Promise<void>)[] = [];

const counter = useCounter();
const writer = useWriter(counter);

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function addReceiving(shop: Shop, url: string): Promise<string> {
  const { adminPool } = counter.database;
  const id = await addEndpoint(adminPool, shop.id, ['points.earned'], { url });
  await adminPool.query('update webhook_endpoints set secret = $2 where id = $1', [
    id,
    secrets.seal('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', id),
  ]);
  return id;
}

/** Deliveries of one event each, without the sequencer. @param due when they are to be sent, as SQL */
async function addBacklog(shop: Shop, endpointId: string, count: number, due: string): Promise<void> {
  const { adminPool } = counter.database;
  const eventId = newUuid();
  await adminPool.query(
    `insert into events (environment_id, id, type, data, at, position)
     values ($1, $2, 'points.earned', '{}', now(), 1000000 + $3)`,
    [shop.id, eventId, Math.floor(Math.random() * 1e6)],
  );
  await adminPool.query(
    `insert into webhook_deliveries
       (environment_id, id, endpoint_id, sequence, event_id, event_type, status, created_at, next_attempt_at)
     select $1, gen_random_uuid(), $2, n, $3, 'points.earned', 'pending', now(), ${due}
     from generate_series(1, $4::integer) n`,
    [shop.id, endpointId, eventId, count],
  );
  await adminPool.query('update webhook_endpoints set last_sequence = $2 where id = $1', [endpointId, count]);
}

/** Starts what a serving process runs. */
function startDelivering(): Sequencer {
  const { serverUrl: url } = counter.database;
  const lanes = createLanePool({ url, role: 'rewards_app', size: 2 });
  const pool = createPool({ url, role: 'rewards_app', size: 3 });
  const agent = createAgent({ connectionsPerOrigin: 64, allowPrivate: true, proxyUrl: null });
  const failures: unknown[] = [];
  const deliverer = new Deliverer({
    ...{ pool, secrets, agentFor: () => agent, userAgent: 'rewards-service/test' },
    disable() {},
    onError: (error) => failures.push(error),
  });
  const sequencer = new Sequencer({ pool: lanes, onDeliveries: (id) => deliverer.wake(id) });
  deliverer.start();
  closing.push(async () => {
    await sequencer.close();
    await deliverer.close();
    await agent.destroy();
    await Promise.all([lanes.end(), pool.end()]);
    expect(failures).toEqual([]);
  });
  return sequencer;
}

async function count(shop: Shop, endpointId: string, status: string): Promise<number> {
  return counter.value<number>(
    'select count(*) from webhook_deliveries where environment_id = $1 and endpoint_id = $2 and status = $3',
    [shop.id, endpointId, status],
  );
}

test('among fifty, 47 get everything while one never answers, one is slow and one has 100,000 waiting', async () => {
  const shop = await counter.environment();
  const receiver = await Receiver.open();
  closing.push(() => receiver.close());
  // The bad ones have connections of their own, as they have hosts of their own.
  const bad = await Receiver.open();
  closing.push(() => bad.close());
  const silent = await addReceiving(shop, `${bad.url}/silent`);
  const slow = await addReceiving(shop, `${bad.url}/slow`);
  const behind = await addReceiving(shop, `${receiver.url}/behind`);
  const others: string[] = [];
  for (let index = 0; index < 47; index++) others.push(await addReceiving(shop, `${receiver.url}/other`));
  await addBacklog(shop, behind, BACKLOG, 'now()');
  let slowAtOnce = 0;
  let mostSlowAtOnce = 0;
  bad.answer = ({ path }, response) => {
    // None is answered before everybody else has got everything. On a busy machine some are given up meanwhile, and
    // others begin.
    if (path !== '/slow') return;
    slowAtOnce += 1;
    mostSlowAtOnce = Math.max(mostSlowAtOnce, slowAtOnce);
    response.on('close', () => {
      slowAtOnce -= 1;
    });
  };
  await shop.addMembers(writer, ['ann']);
  const sequencer = startDelivering();
  for (let index = 0; index < 12; index++) {
    await writer.submit(shop.earn('ann'));
    sequencer.wake(shop.id);
  }
  for (;;) {
    const delivered = await counter.value<number>(
      `select count(*) from webhook_deliveries
       where environment_id = $1 and endpoint_id = any ($2) and status = 'delivered'`,
      [shop.id, others],
    );
    if (delivered === 47 * 12) break;
    await sleep(50);
  }
  expect(await count(shop, slow, 'delivered')).toBe(0);
  expect(await count(shop, silent, 'delivered')).toBe(0);
  // It was sent to meanwhile, and is not through.
  expect(receiver.received.filter(({ path }) => path === '/behind').length).toBeGreaterThan(0);
  expect(await count(shop, behind, 'pending')).toBeGreaterThan(0);
  expect(mostSlowAtOnce).toBeGreaterThan(0);
  expect(mostSlowAtOnce).toBeLessThanOrEqual(8);
}, 240_000);

test('what waits for a later time is not looked at, however much it is', async () => {
  const shop = await counter.environment();
  const { adminPool } = counter.database;
  const later = await addReceiving(shop, 'https://example.com/later');
  const disabled = await addReceiving(shop, 'https://example.com/disabled');
  await addBacklog(shop, later, 20_000, `now() + interval '1 hour'`);
  await addBacklog(shop, disabled, 20_000, `now() - interval '1 day'`);
  await adminPool.query(`update webhook_endpoints set status = 'disabled' where id = $1`, [disabled]);
  await adminPool.query('analyze webhook_deliveries');
  const endpoint = { environmentId: shop.id, endpointId: later };
  for (const statement of [
    leaseEndpoints(newUuid(), null),
    leaseEndpoints(newUuid(), shop.id),
    readWaiting(endpoint, [], false, 128),
    readWaiting(endpoint, [], true, 128),
    readWaiting({ ...endpoint, endpointId: disabled }, [], true, 128),
    giveUpDeliveries(shop.id),
  ]) {
    expect([statement.name, await rowsSkipped(statement)]).toEqual([statement.name, 0]);
  }

  /** How many deliveries a statement read and left out. */
  async function rowsSkipped({ text, values }: Statement): Promise<number> {
    const client = await adminPool.connect();
    try {
      await client.query('begin');
      const { rows } = await client.query(`explain (analyze, format json) ${text}`, values);
      await client.query('rollback');
      return skippedIn(rows[0]['QUERY PLAN'][0].Plan);
    } finally {
      client.release();
    }
  }
});

test('without statistics of the tables, each delivery is found by its key when it is sent and recorded', async () => {
  const shop = await counter.environment();
  const { adminPool, serverUrl: url } = counter.database;
  const endpointId = await addReceiving(shop, 'https://example.com/hook');
  await addBacklog(shop, endpointId, 3_000, 'now()');
  await adminPool.query(
    `insert into members (environment_id, id, external_customer_id, status, identity_status, consent_status, notice_version,
       consent_at, created_at)
     select $1, gen_random_uuid(), 'many-' || n, 'active', 'unverified', 'granted', 'v1', now(), now() from generate_series(1, 3000) n`,
    [shop.id],
  );
  // As a database is that was just filled: a plan that is right for an empty table is kept as long as the session.
  await adminPool.query(
    `update pg_class set reltuples = -1, relpages = 0
     where relname in ('webhook_deliveries', 'events', 'members') or relname like 'webhook_deliveries_%'`,
  );
  await adminPool.query(
    'delete from pg_statistic where starelid in ' +
      `('webhook_deliveries'::regclass, 'events'::regclass, ` +
      `'members'::regclass)`,
  );
  const pool = createPool({ url, role: 'rewards_app', size: 1, settings: BY_KEY });
  const endpoint = { environmentId: shop.id, endpointId };
  const waiting = readWaiting(endpoint, [], false, 20);
  const { rows } = await pool.query<WaitingRow>(waiting);
  const attempts = rows.map(
    ({ deliveryId }): FinishedAttempt => ({
      ...{
        delivered: true,
        durationMs: 1,
        responseStatus: 204,
        responseExcerpt: '',
        error: null,
        retryAfter: null,
      },
      ...{ endpointId, deliveryId, isTest: false, retryInMs: null },
    }),
  );
  for (const statement of [waiting, recordAttempts(shop.id, attempts)]) {
    const plan = await pool.query(`explain (analyze, format json) ${statement.text}`, statement.values);
    const read = readIn(plan.rows[0]['QUERY PLAN'][0].Plan);
    expect([statement.name, read <= 100]).toEqual([statement.name, true]);
  }
  await pool.end();
});

interface PlanNode {
  'Relation Name'?: string;
  'Rows Removed by Filter'?: number;
  'Actual Rows': number;
  'Actual Loops': number;
  Plans?: PlanNode[];
}

function skippedIn(node: PlanNode): number {
  const own = node['Relation Name'] === 'webhook_deliveries' ? (node['Rows Removed by Filter'] ?? 0) : 0;
  return own * node['Actual Loops'] + (node.Plans ?? []).reduce((sum, each) => sum + skippedIn(each), 0);
}

/** How many rows of tables a plan read. */
function readIn(node: PlanNode): number {
  const each = node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0);
  const own = node['Relation Name'] ? each * node['Actual Loops'] : 0;
  return own + (node.Plans ?? []).reduce((sum, below) => sum + readIn(below), 0);
}
