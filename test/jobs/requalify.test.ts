import { beforeAll, expect, test } from '@jest/globals';
import { createPool, type Pool } from '../../src/db/pool.ts';
import { FailurePause } from '../../src/jobs/failure-pause.ts';
import { type RequalifyOptions, requalify } from '../../src/jobs/requalify.ts';
import type { Downgrade, QualificationWindow } from '../../src/programs/document/program-document.ts';
import { createQueries } from '../../src/queries/queries.ts';
import { codeOf } from '../support/commands/desk.ts';
import { atEnd, fixture } from '../support/fixture.ts';
import type { Shop } from '../support/ledger/counter.ts';
import { useCounter, useWriter } from '../support/ledger/use-counter.ts';
import { program, tier } from '../support/rules/fixtures.ts';
import { install } from '../support/time-machine.ts';

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

/** A run over one environment, or over all of them. */
function run(shop: Shop | null, options: Partial<RequalifyOptions> = {}): ReturnType<typeof requalify> {
  return requalify({
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

const nothing = { profiles: 0, changed: 0, failed: 0 };
const counting = (window: QualificationWindow, downgrade: Downgrade = 'to_reached') =>
  program({ qualification: { window, downgrade } });
const instant = (text: string) => time.travelTo(new Date(text));

/** An environment with these members, at the given time. */
async function shopAt(
  start: string,
  document: ReturnType<typeof program>,
  customers: string[],
): Promise<Shop> {
  await instant(start);
  const shop = await counter.environment();
  await shop.publish(document, new Date('2020-01-01T00:00:00Z'));
  await shop.addMembers(writer, customers);
  return shop;
}

async function earn(shop: Shop, customer: string, points: number): Promise<void> {
  expect(codeOf(await writer.submit(shop.earn(customer, { amountMinor: points * 100 })))).toBe('done');
}

/** Tier and points of a member as a read shows them, and as they are stored. */
async function shown(shop: Shop, customer: string): Promise<[read: unknown[], written: unknown[]]> {
  const view = await createQueries(pool).member(shop.id, customer);
  const written = await counter.value<unknown[]>(
    `select json_build_array(tier, qualification_points) from program_profiles p
     join members m on m.environment_id = p.environment_id and m.id = p.member_id
     where p.environment_id = $1 and m.external_customer_id = $2`,
    [shop.id, customer],
  );
  return [
    view?.profiles.flatMap(({ tier, qualificationPoints }) => [tier, qualificationPoints]) ?? [],
    written,
  ];
}

function trail(shop: Shop): Promise<unknown[] | null> {
  return counter.value(
    `select json_agg(json_build_array(actor_type, actor_id, request_id, changes->>'from', changes->>'to',
       changes->'qualificationPoints') order by id)
     from audit_events where environment_id = $1 and action = 'tier.changed'`,
    [shop.id],
  );
}

function operations(shop: Shop): Promise<unknown[] | null> {
  return counter.value(
    `select json_agg(json_build_array(status, progress_done, progress_total, result) order by created_at, id)
     from operations where environment_id = $1 and type = 'tier_run'`,
    [shop.id],
  );
}

test('a calendar year: kept for the year after it, then what that one reaches; reads do not wait for the job', async () => {
  const shop = await shopAt('2027-06-01T09:00:00Z', counting('calendar_year'), ['ann', 'bob']);
  await earn(shop, 'ann', 6_000);
  await instant('2027-12-31T23:59:00Z');
  expect(await run(shop)).toEqual(nothing);
  expect(await shown(shop, 'ann')).toEqual([
    ['gold', 6_000],
    ['gold', 6_000],
  ]);
  await instant('2028-01-01T00:00:00Z');
  expect(await shown(shop, 'ann')).toEqual([
    ['gold', 0],
    ['gold', 6_000],
  ]);
  // Members who cannot fall any further have nothing due.
  expect(await run(shop)).toEqual({ profiles: 1, changed: 0, failed: 0 });
  await earn(shop, 'ann', 1_500);
  await instant('2029-01-01T00:00:00Z');
  expect(await shown(shop, 'ann')).toEqual([
    ['silver', 0],
    ['gold', 1_500],
  ]);
  expect(await run(null)).toEqual({ profiles: 1, changed: 1, failed: 0 });
  expect(await shown(shop, 'ann')).toEqual([
    ['silver', 0],
    ['silver', 0],
  ]);
  expect(await run(shop)).toEqual(nothing);
  expect(await trail(shop)).toEqual([
    ['api_key', 'key_test', 'req_test', 'bronze', 'gold', 6_000],
    ['system', 'time', expect.stringMatching(/^op_/), 'gold', 'silver', 0],
  ]);
  expect(await operations(shop)).toEqual([
    ['succeeded', 1, 1, { profiles: 1, changed: 0, failed: 0 }],
    ['succeeded', 1, 1, { profiles: 1, changed: 1, failed: 0 }],
  ]);
});

test('twelve months, to the day: points leave one day after the other, also where Production is locked', async () => {
  const shop = await shopAt('2027-03-10T23:00:00Z', counting('rolling_12_months'), ['ann']);
  await earn(shop, 'ann', 600);
  await instant('2027-09-01T12:00:00Z');
  await earn(shop, 'ann', 500);
  expect(await shown(shop, 'ann')).toEqual([
    ['silver', 1_100],
    ['silver', 1_100],
  ]);
  await instant('2028-03-09T23:59:59Z');
  expect(await run(shop)).toEqual(nothing);
  await instant('2028-03-10T00:00:00Z');
  await shop.setLocked(true);
  expect(await run(shop)).toEqual({ profiles: 1, changed: 1, failed: 0 });
  await shop.setLocked(false);
  expect(await shown(shop, 'ann')).toEqual([
    ['bronze', 500],
    ['bronze', 500],
  ]);
  // The points of the last twelve months are enough again, whenever in them they were earned.
  await instant('2028-08-31T23:00:00Z');
  await earn(shop, 'ann', 500);
  expect(await shown(shop, 'ann')).toEqual([
    ['silver', 1_000],
    ['silver', 1_000],
  ]);
  await instant('2028-09-01T00:00:00Z');
  expect(await shown(shop, 'ann')).toEqual([
    ['bronze', 500],
    ['silver', 1_000],
  ]);
});

test('a purchase comes before the job: it earns under the tier that is true', async () => {
  const shop = await shopAt('2027-03-10T10:00:00Z', counting('rolling_12_months', 'one_tier'), ['ann']);
  await earn(shop, 'ann', 6_000);
  await instant('2028-03-10T00:00:00Z');
  const outcome = await writer.submit(shop.earn('ann', { amountMinor: 10_000 }));
  expect(outcome).toMatchObject({
    receipt: { award: { points: 125 }, member: { tier: 'silver' } },
  });
  expect(await run(shop)).toEqual(nothing);
  expect(await shown(shop, 'ann')).toEqual([
    ['silver', 100],
    ['silver', 100],
  ]);
});

test('two runs at once, over two writers: each profile once', async () => {
  const customers = Array.from({ length: 300 }, (_, index) => `customer-${index}`);
  const shop = await shopAt('2027-06-01T09:00:00Z', counting('calendar_year', 'one_tier'), customers);
  await Promise.all(customers.map((customer) => earn(shop, customer, 6_000)));
  await instant('2029-01-01T00:00:00Z');
  const results = await Promise.all([run(shop), run(shop, { door: counter.writer() })]);
  expect(results.map(({ profiles }) => profiles).reduce((a, b) => a + b)).toBe(300);
  expect(results.map(({ changed }) => changed).reduce((a, b) => a + b)).toBe(300);
  expect(
    await counter.value(
      `select json_object_agg(tier, n) from (
         select changes->>'to' as tier, count(*) as n from audit_events
         where environment_id = $1 and action = 'tier.changed' group by 1
       ) each`,
      [shop.id],
    ),
  ).toEqual({ gold: 300, silver: 300 });
});

test('one that fails holds up no other, and is left alone for a while', async () => {
  const shop = await shopAt('2027-06-01T09:00:00Z', counting('calendar_year'), ['ann', 'bob']);
  await earn(shop, 'ann', 6_000);
  await earn(shop, 'bob', 6_000);
  await instant('2029-01-01T00:00:00Z');
  const failures = new FailurePause();
  const failed: string[] = [];
  const failing: Partial<RequalifyOptions> = {
    failures,
    onFailed: (error) => failed.push((error as Error).message),
    door: {
      submit: (command) =>
        command.laneKey === 'bob' ? Promise.reject(new Error('no')) : writer.submit(command),
    },
  };
  expect(await run(shop, failing)).toEqual({ profiles: 1, changed: 1, failed: 1 });
  expect(await run(shop, failing)).toEqual(nothing);
  expect(failed).toEqual(['no']);
  expect(await operations(shop)).toMatchObject([['failed', 0, 2, { failed: 1 }]]);
  expect(await run(shop)).toEqual({ profiles: 1, changed: 1, failed: 0 });
});

test('thresholds that change reach everyone by hand, up and down, with an entry in the trail', async () => {
  const shop = await shopAt('2027-06-01T09:00:00Z', counting('lifetime'), ['ann', 'bob']);
  await earn(shop, 'ann', 500);
  const silverFrom = (threshold: number) =>
    shop.publish(
      { ...counting('lifetime'), tiers: [tier('bronze', 0, 1), tier('silver', threshold, 2)] },
      new Date('2027-06-01T00:00:00Z'),
    );
  await silverFrom(400);
  expect(await run(shop)).toEqual(nothing);
  expect(await run(shop, { everyone: true })).toEqual({ profiles: 1, changed: 1, failed: 0 });
  expect((await shown(shop, 'ann'))[0]).toEqual(['silver', 500]);
  await silverFrom(1_000);
  expect(await run(shop)).toEqual(nothing);
  expect(await run(shop, { everyone: true })).toEqual({ profiles: 1, changed: 1, failed: 0 });
  expect(await run(shop, { everyone: true })).toEqual(nothing);
  expect(await shown(shop, 'ann')).toEqual([
    ['bronze', 500],
    ['bronze', 500],
  ]);
  expect(await trail(shop)).toEqual([
    ['system', 'time', expect.stringMatching(/^op_/), 'bronze', 'silver', 500],
    ['system', 'time', expect.stringMatching(/^op_/), 'silver', 'bronze', 500],
  ]);
});

test('everyone is looked at where that is asked for: of a new version nothing is due yet', async () => {
  const shop = await shopAt('2027-06-01T09:00:00Z', counting('lifetime'), ['ann', 'bob']);
  await earn(shop, 'ann', 900);
  await shop.publish(
    { ...counting('calendar_year'), tiers: [tier('wood', 0, 1), tier('silver', 800, 2)] },
    new Date('2027-06-01T00:00:00Z'),
  );
  expect(await run(shop)).toEqual(nothing);
  expect(await run(shop, { everyone: true })).toEqual({ profiles: 2, changed: 2, failed: 0 });
  expect(await run(shop, { everyone: true })).toEqual(nothing);
  expect(await shown(shop, 'ann')).toEqual([
    ['silver', 900],
    ['silver', 900],
  ]);
  await instant('2028-01-01T00:00:00Z');
  expect(await run(shop)).toEqual({ profiles: 1, changed: 0, failed: 0 });
});
