import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Statement } from '../../src/db/statement.ts';
import { newUuid } from '../../src/ids.ts';
import { lockSubscribers } from '../../src/ledger/event-positions.ts';
import {
  type FinishedAttempt,
  type LeasedEndpoint,
  leaseEndpoints,
  readEndpoint,
  recordAttempts,
  recordHealth,
  releaseLease,
  renewLeases,
} from '../../src/webhooks/delivery-statements.ts';
import { readRetryAfter, retryDelayMs } from '../../src/webhooks/schedule.ts';
import type { Shop } from '../support/ledger/counter.ts';
import { useCounter } from '../support/ledger/use-counter.ts';
import { addEndpoint } from '../support/webhooks/endpoints.ts';

// What each statement guards against, one by one: a process whose lease is over, a result that comes late, a secret
// that is over.

const DAY_MS = 86_400_000;

let shop: Shop;
let endpoint: LeasedEndpoint;

const counter = useCounter();

beforeEach(async () => {
  shop = await counter.environment();
  const endpointId = await addEndpoint(counter.database.adminPool, shop.id, ['points.earned']);
  endpoint = { environmentId: shop.id, endpointId };
});

const sql = (text: string, values: unknown[] = []) => counter.database.adminPool.query(text, values);
const send = async <Row extends object>({ text, values }: Statement): Promise<Row[]> =>
  (await counter.database.adminPool.query<Row>(text, values)).rows;

async function addDelivery(status = 'pending'): Promise<string> {
  const id = newUuid();
  await sql(
    `insert into webhook_deliveries
       (environment_id, id, endpoint_id, sequence, event_id, event_type, status, created_at, next_attempt_at, delivered_at)
     values ($1, $2, $3, 1, gen_random_uuid(), 'points.earned', $4::text, now(), case when $4 in ('pending', 'failed') then now() end,
       case when $4 = 'delivered' then now() end)`,
    [shop.id, id, endpoint.endpointId, status],
  );
  return id;
}

function finished(deliveryId: string, change: Partial<FinishedAttempt> = {}): FinishedAttempt {
  const attempt = { durationMs: 1, responseStatus: 204, responseExcerpt: '', error: null, retryAfter: null };
  const of = { deliveryId, endpointId: endpoint.endpointId, isTest: false, retryInMs: null };
  return { delivered: true, ...attempt, ...of, ...change };
}

const failed = {
  delivered: false,
  responseStatus: 500,
  error: 'The receiver answered 500.',
  retryInMs: 5_000,
};

describe('a lease', () => {
  const owned = () =>
    counter.value<boolean>(
      'select owned_until > clock_timestamp() from webhook_leases where environment_id = $1',
      [shop.id],
    );

  test('is given back by its owner alone', async () => {
    const [mine, another] = [newUuid(), newUuid()];
    await addDelivery();
    expect(await send(leaseEndpoints(mine, shop.id))).toEqual([endpoint]);
    await send(releaseLease(another, endpoint));
    expect(await owned()).toBe(true);
    await send(releaseLease(mine, endpoint));
    expect(await owned()).toBe(false);
  });

  test('is renewed by its owner, and not after its end', async () => {
    const [mine, another] = [newUuid(), newUuid()];
    await addDelivery();
    await send(leaseEndpoints(mine, shop.id));
    expect(await send(renewLeases(another, [endpoint]))).toEqual([]);
    expect(await send(renewLeases(mine, [endpoint]))).toEqual([endpoint]);
    await sql(
      `update webhook_leases set owned_until = now() - interval '1 second' where environment_id = $1`,
      [shop.id],
    );
    expect(await send(renewLeases(mine, [endpoint]))).toEqual([]);
    expect(await owned()).toBe(false);
  });
});

describe('an attempt', () => {
  const shown = async (id: string): Promise<object> =>
    (
      await sql(
        'select status, failures, attempt_count as attempts, last_error as error from webhook_deliveries where id = $1',
        [id],
      )
    ).rows[0] as object;

  test('that failed does not undo a success that was recorded before it', async () => {
    const id = await addDelivery('delivered');
    await send(recordAttempts(shop.id, [finished(id, failed)]));
    expect(await shown(id)).toEqual({ status: 'delivered', failures: 0, attempts: 0, error: null });
  });

  test('that succeeded counts for what was given up meanwhile, once', async () => {
    const id = await addDelivery('dead_letter');
    await send(recordAttempts(shop.id, [finished(id, failed)]));
    expect(await shown(id)).toMatchObject({ status: 'dead_letter', attempts: 0 });
    await send(recordAttempts(shop.id, [finished(id)]));
    await send(recordAttempts(shop.id, [finished(id)]));
    expect(await shown(id)).toMatchObject({ status: 'delivered', attempts: 1 });
  });
});

describe("an endpoint's health", () => {
  const failingSince = () =>
    counter.value<Date | null>('select failing_since from webhook_endpoints where id = $1', [
      endpoint.endpointId,
    ]);

  test('one success among failures that were recorded together means that it does not fail', async () => {
    const [one, other] = [newUuid(), newUuid()];
    await send(recordHealth(shop.id, [finished(one, failed), finished(other)]));
    expect(await failingSince()).toBeNull();
    await send(recordHealth(shop.id, [finished(one, failed), finished(other, failed)]));
    expect(await failingSince()).not.toBeNull();
    await send(recordHealth(shop.id, [finished(one), finished(other, failed)]));
    expect(await failingSince()).toBeNull();
  });
});

test('a secret that was rotated away signs until its end', async () => {
  await sql(
    `update webhook_endpoints set previous_secret = 'old', ` +
      `previous_secret_until = now() + interval '1 hour' where id = $1`,
    [endpoint.endpointId],
  );
  const previous = async (): Promise<unknown> =>
    (await send<{ previousSecret: Buffer | null }>(readEndpoint(endpoint)))[0]?.previousSecret?.toString();
  expect(await previous()).toBe('old');
  await sql(
    `update webhook_endpoints set previous_secret_until = now() - interval '1 second' where id = $1`,
    [endpoint.endpointId],
  );
  expect(await previous()).toBeUndefined();
});

test('events are told to the endpoints that were active once, and to none that is deleted', async () => {
  const pool = counter.database.adminPool;
  const gone = await addEndpoint(pool, shop.id, ['points.earned']);
  await addEndpoint(pool, shop.id, ['points.earned'], { status: 'disabled', activatedAt: null });
  await sql(
    `update webhook_endpoints set status = 'disabled', deleted_at = now(), place = null where id = $1`,
    [gone],
  );
  const told = await send<{ id: string }>(lockSubscribers(shop.id));
  expect(told.map(({ id }) => id)).toEqual([endpoint.endpointId]);
});

describe('what a receiver asks for', () => {
  test('is waited for, a day at the most', () => {
    for (const asked of ['999999999', 'Fri, 31 Dec 2060 00:00:00 GMT']) {
      const retryAfterMs = readRetryAfter(asked, new Date());
      expect(retryAfterMs).toBeGreaterThan(30 * DAY_MS);
      expect(retryDelayMs(1, 0.5, retryAfterMs)).toBe(DAY_MS);
    }
    expect(retryDelayMs(1, 0.5, 60_000)).toBe(60_000);
  });
});
