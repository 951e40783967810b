import { beforeAll, expect, test } from '@jest/globals';
import { requestAdjustment } from '../../src/commands/adjustments/request-adjustment.ts';
import { recordCustomEvent } from '../../src/commands/engagement/record-custom-event.ts';
import { quoteRedemption } from '../../src/commands/redemptions/quote-redemption.ts';
import { reserveRedemption } from '../../src/commands/redemptions/reserve-redemption.ts';
import { createPool, type Pool } from '../../src/db/pool.ts';
import { fromTypeId, newUuid } from '../../src/ids.ts';
import { FailurePause } from '../../src/jobs/failure-pause.ts';
import { type SweepOptions, sweep } from '../../src/jobs/sweep.ts';
import { ResourceOwners } from '../../src/queries/shared/resource-owners.ts';
import { refuse } from '../../src/refusal.ts';
import { codeOf, receiptOf } from '../support/commands/desk.ts';
import { engagement } from '../support/commands/engagement.ts';
import { atEnd, fixture } from '../support/fixture.ts';
import type { Shop } from '../support/ledger/counter.ts';
import { useCounter, useWriter } from '../support/ledger/use-counter.ts';
import { program } from '../support/rules/fixtures.ts';
import { install } from '../support/time-machine.ts';

const DAY_MS = 86_400_000;

/** With the privileges of the server. */
let pool: Pool;

const counter = useCounter({ twins: true });
const time = fixture('the time machine', () => install(counter.database.adminUrl));
const writer = useWriter(counter);

beforeAll(() => {
  pool = createPool({ url: counter.database.serverUrl, size: 3 });
});

atEnd(() => pool.end());
atEnd(async () => expect(await counter.failedControls()).toEqual([]));

/** A sweep of one environment, or of all of them. */
function run(shop: Shop | null, options: Partial<SweepOptions> = {}): ReturnType<typeof sweep> {
  return sweep({
    pool,
    ...(shop && { environmentId: shop.id }),
    door: writer,
    signal: new AbortController().signal,
    failures: new FailurePause(),
    onFailed: (error) => {
      throw error;
    },
    ...options,
  });
}

const nothing = {
  profiles: 0,
  transactions: 0,
  reservations: 0,
  quotes: 0,
  choices: 0,
  adjustments: 0,
  failed: 0,
};
const aging = program({
  pending: { days: 14 },
  expiration: { policy: 'rolling_days', days: 30 },
  rewards: [{ id: 'mug', name: 'Mug', points: 60, holdSeconds: 3600 }],
});

/** An environment with these members, each with an order of 100 points. */
async function shopWith(customers: readonly string[], document = aging): Promise<Shop> {
  const shop = await counter.environment(document);
  await shop.addMembers(writer, customers);
  const outcomes = await Promise.all(customers.map((customer) => writer.submit(shop.earn(customer))));
  expect(new Set(outcomes.map(codeOf))).toEqual(new Set(['done']));
  return shop;
}

/** Sums over the profiles of an environment, and the number of transactions of a type. */
function sums(shop: Shop): Promise<{ available: number; pending: number; reserved: number }> {
  return counter.value(
    `select json_build_object('available', sum(available), 'pending', sum(pending), 'reserved', sum(reserved))
     from program_profiles where environment_id = $1`,
    [shop.id],
  );
}

function transactions(shop: Shop, eventType: string): Promise<number> {
  return counter.value('select count(*) from transactions where environment_id = $1 and event_type = $2', [
    shop.id,
    eventType,
  ]);
}

async function reserve(shop: Shop, externalCustomerId: string): Promise<void> {
  const quoted = await writer.submit(
    quoteRedemption(
      {
        idempotencyKey: newUuid(),
        programId: 'coffee-club',
        externalCustomerId,
        sourceReference: 'checkout-1',
        rewardId: 'mug',
      },
      shop.caller,
    ),
  );
  const { quote } = receiptOf(quoted) as { quote: { id: string } };
  const id = fromTypeId('quo', quote.id) ?? '';
  const owner = await new ResourceOwners({ of: () => pool }).find(shop.id, { kind: 'quote', id });
  const input = { idempotencyKey: newUuid(), quoteId: quote.id };
  receiptOf(await writer.submit(reserveRedemption(input, owner && { ...owner, id }, shop.caller)));
}

test('pending points become available and lots expire when they are due, and not before', async () => {
  const shop = await shopWith(['ann', 'bob']);
  await time.travel(14 * DAY_MS - 60_000);
  expect(await run(shop)).toEqual(nothing);
  await time.travel(60_000);
  expect(await run(shop)).toEqual({ ...nothing, profiles: 2, transactions: 2 });
  expect(await sums(shop)).toEqual({ available: 200, pending: 0, reserved: 0 });
  expect(await run(shop)).toEqual(nothing);
  await time.travel(30 * DAY_MS);
  expect(await run(shop)).toEqual({ ...nothing, profiles: 2, transactions: 2 });
  expect(await sums(shop)).toEqual({ available: 0, pending: 0, reserved: 0 });
  const trail = await counter.value(
    `select json_agg(distinct array[action, actor_type, actor_id]) from audit_events
     where environment_id = $1 and actor_type = 'system'`,
    [shop.id],
  );
  expect(trail).toEqual([
    ['points.activated', 'system', 'time'],
    ['points.expired', 'system', 'time'],
  ]);
});

test('after a week without any sweep everything is done at once', async () => {
  const shop = await shopWith(
    ['ann'],
    program({ pending: { days: 1 }, expiration: { policy: 'rolling_days', days: 2 } }),
  );
  await time.travel(7 * DAY_MS);
  expect(await run(shop)).toEqual({ ...nothing, profiles: 1, transactions: 2 });
  expect(await sums(shop)).toEqual({ available: 0, pending: 0, reserved: 0 });
});

test('two sweeps at once, over two writers: each lot once', async () => {
  const customers = Array.from({ length: 300 }, (_, index) => `customer-${index}`);
  const shop = await shopWith(customers);
  await time.travel(14 * DAY_MS);
  const other = counter.writer();
  const results = await Promise.all([
    run(shop),
    run(shop, { door: other }),
    run(shop),
    run(shop, { door: other }),
  ]);
  expect(results.reduce((sum, { profiles }) => sum + profiles, 0)).toBe(300);
  expect(await transactions(shop, 'points.activated')).toBe(300);
  expect(await sums(shop)).toEqual({ available: 30_000, pending: 0, reserved: 0 });
});

test('choices expire when their days are over, also while Production is locked', async () => {
  const shop = await counter.environment(program(engagement));
  await shop.addMembers(writer, ['ann', 'bob']);
  for (const externalCustomerId of ['ann', 'bob']) {
    const idempotencyKey = newUuid();
    const run = { type: 'run', attributes: { km: 10 }, sourceReference: idempotencyKey };
    const event = recordCustomEvent({ idempotencyKey, externalCustomerId, ...run }, shop.caller);
    receiptOf(await writer.submit(event));
  }
  await shop.setLocked(true);
  await time.travel(30 * DAY_MS - 60_000);
  expect(await run(shop)).toEqual(nothing);
  await time.travel(60_000);
  // In this environment a sweep of all environments has only choices to expire.
  expect((await run(null)).choices).toBe(2);
  expect(await run(shop)).toEqual(nothing);
  const sql = 'select json_agg(array[state, remaining::text]) from choice_grants where environment_id = $1';
  expect(await counter.value(sql, [shop.id])).toEqual([
    ['expired', '2'],
    ['expired', '2'],
  ]);
});

test('holds expire while Production is locked; so do quotes and requests that nobody has decided on', async () => {
  const shop = await shopWith(['ann', 'bob'], { ...aging, pending: { days: 0 } });
  await reserve(shop, 'ann');
  const request = requestAdjustment(
    {
      idempotencyKey: newUuid(),
      programId: 'coffee-club',
      externalCustomerId: 'bob',
      direction: 'credit',
      points: 1,
      reason: 'test',
      evidence: { ticket: 'CS-1' },
    },
    shop.caller,
  );
  receiptOf(await writer.submit(request));
  const quote = quoteRedemption(
    {
      idempotencyKey: newUuid(),
      programId: 'coffee-club',
      externalCustomerId: 'bob',
      sourceReference: 'checkout-2',
      rewardId: 'mug',
    },
    shop.caller,
  );
  receiptOf(await writer.submit(quote));
  expect(await sums(shop)).toEqual({ available: 140, pending: 0, reserved: 60 });
  await shop.setLocked(true);
  await time.travel(3_600_000);
  expect(await run(shop)).toEqual({ ...nothing, profiles: 1, transactions: 1, reservations: 1, quotes: 1 });
  expect(await sums(shop)).toEqual({ available: 200, pending: 0, reserved: 0 });
  await time.travel(14 * DAY_MS);
  expect(await run(shop)).toEqual({ ...nothing, adjustments: 1 });
  const states = await counter.value(
    `select json_build_array(
       (select json_agg(state order by state) from redemption_quotes where environment_id = $1),
       (select json_agg(state) from redemption_reservations where environment_id = $1),
       (select json_agg(state) from adjustments where environment_id = $1))`,
    [shop.id],
  );
  expect(states).toEqual([['expired', 'reserved'], ['expired'], ['expired']]);
  expect(await run(shop)).toEqual(nothing);
});

test('a profile that cannot be settled stops no other, and is left alone for a while', async () => {
  const shop = await shopWith(['ann', 'bob', 'cyd']);
  await time.travel(14 * DAY_MS);
  const tried: string[] = [];
  const broken: SweepOptions['door'] = {
    submit(command) {
      tried.push(command.laneKey);
      return command.laneKey === 'bob' ? Promise.reject(new Error('broken')) : writer.submit(command);
    },
  };
  const failures = new FailurePause();
  const failed: string[] = [];
  const options = { door: broken, failures, onFailed: (_: unknown, what: string) => void failed.push(what) };
  expect(await run(shop, options)).toEqual({ ...nothing, profiles: 2, transactions: 2, failed: 1 });
  expect(failed).toEqual([expect.stringMatching(/^mem_\w+ in coffee-club$/)]);
  expect(tried).toHaveLength(3);
  expect(await run(shop, options)).toEqual(nothing);
  expect(tried).toHaveLength(3);
  expect(await run(shop)).toEqual({ ...nothing, profiles: 1, transactions: 1 });
  expect(await sums(shop)).toEqual({ available: 300, pending: 0, reserved: 0 });
});

test('only the environment that was asked for', async () => {
  const [one, other] = [await shopWith(['ann']), await shopWith(['ann'])];
  await time.travel(14 * DAY_MS);
  expect(await run(one)).toEqual({ ...nothing, profiles: 1, transactions: 1 });
  expect(await sums(other)).toMatchObject({ pending: 100 });
  expect((await run(null)).profiles).toBeGreaterThan(0);
  expect(await sums(other)).toMatchObject({ available: 100, pending: 0 });
  expect(await run(null)).toEqual(nothing);
});

/** 1,001 profiles whose next_due_at has passed although nothing is due: a settlement sets it to null. */
async function manyDue(): Promise<Shop> {
  const shop = await counter.environment();
  const { adminPool } = counter.database;
  await adminPool.query(
    `insert into members (environment_id, id, external_customer_id, status, identity_status, consent_status,
       notice_version, consent_at, created_at)
     select $1, gen_random_uuid(), 'customer-' || n, 'active', 'unverified', 'granted', 'v1', now(), now()
     from generate_series(1, 1001) n`,
    [shop.id],
  );
  await adminPool.query(
    `insert into program_profiles (environment_id, program_id, member_id, enrolled, tier, enrolled_at, next_due_at)
     select environment_id, 'coffee-club', id, true, 'bronze', now(), now() - interval '1 hour'
     from members where environment_id = $1`,
    [shop.id],
  );
  return shop;
}

function operations(shop: Shop): Promise<unknown[]> {
  return counter.value(
    `select json_agg(json_build_object('type', type, 'status', status, 'done', progress_done, 'total',
       progress_total, 'error', error->>'code', 'finished', finished_at is not null) order by created_at, id)
     from operations where environment_id = $1`,
    [shop.id],
  );
}

test('a run over more than a thousand profiles leaves an operation; one that is stopped says so', async () => {
  const shop = await manyDue();
  const stop = new AbortController();
  let sent = 0;
  const stopping: SweepOptions['door'] = {
    submit(command) {
      sent += 1;
      if (sent === 300) stop.abort();
      return writer.submit(command);
    },
  };
  await run(shop, { door: stopping, signal: stop.signal });
  expect(sent).toBe(512);
  const interrupted = {
    type: 'expiry_run',
    status: 'failed',
    done: 512,
    total: 1001,
    error: 'interrupted',
    finished: true,
  };
  expect(await operations(shop)).toEqual([interrupted]);
  await counter.database.adminPool.query(
    `update program_profiles set next_due_at = now() - interval '1 hour' where environment_id = $1`,
    [shop.id],
  );
  expect(await run(shop)).toEqual(nothing);
  expect(await operations(shop)).toEqual([
    interrupted,
    { type: 'expiry_run', status: 'succeeded', done: 1001, total: 1001, error: null, finished: true },
  ]);
  const due = 'select count(*) from program_profiles where environment_id = $1 and next_due_at is not null';
  expect(await counter.value(due, [shop.id])).toBe(0);
});

test('where the door takes nothing more the sweep ends, and the next one goes on', async () => {
  const shop = await shopWith(Array.from({ length: 20 }, (_, index) => `customer-${index}`));
  await time.travel(14 * DAY_MS);
  const narrow = counter.writer({ lanes: 1, maxWaiting: 5 });
  expect(await run(shop, { door: narrow })).toEqual({ ...nothing, profiles: 5, transactions: 5 });
  expect(await run(shop)).toEqual({ ...nothing, profiles: 15, transactions: 15 });
  expect(await sums(shop)).toEqual({ available: 2_000, pending: 0, reserved: 0 });
});

test.each([
  ['profile_not_found', 1001, 'succeeded'],
  ['overloaded', 256, 'failed'],
] as const)('what is answered %s stays due, and is tried once in a sweep', async (code, tries, status) => {
  const shop = await manyDue();
  const tried = new Map<string, number>();
  const door: SweepOptions['door'] = {
    async submit({ laneKey }) {
      tried.set(laneKey, (tried.get(laneKey) ?? 0) + 1);
      return refuse(code, 'not now');
    },
  };
  expect(await run(shop, { door })).toEqual(nothing);
  expect(tried.size).toBe(tries);
  expect(new Set(tried.values())).toEqual(new Set([1]));
  expect(await operations(shop)).toMatchObject([{ status }]);
});
