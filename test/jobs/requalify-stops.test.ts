import { expect, test } from '@jest/globals';
import { FailurePause } from '../../src/jobs/failure-pause.ts';
import { type RequalifyOptions, requalify } from '../../src/jobs/requalify.ts';
import { refuse } from '../../src/refusal.ts';
import { codeOf } from '../support/commands/desk.ts';
import { fixture } from '../support/fixture.ts';
import type { Shop } from '../support/ledger/counter.ts';
import { useCounter, useWriter } from '../support/ledger/use-counter.ts';
import { program } from '../support/rules/fixtures.ts';
import { install } from '../support/time-machine.ts';
import { usePool } from '../support/use-database.ts';

// Runs that end early, and runs over several environments. A page has 256 profiles.

const PAGE = 256;

const counter = useCounter({ twins: true });
const time = fixture('the time machine', () => install(counter.database.adminUrl));
const writer = useWriter(counter);
const pool = usePool(() => ({ url: counter.database.serverUrl, size: 3 }));

/** An environment with this many members who became gold in 2027; the time is the beginning of 2029. */
async function shopOf(members: number): Promise<Shop> {
  await time.travelTo(new Date('2027-06-01T09:00:00Z'));
  const shop = await counter.environment();
  await shop.publish(
    program({ qualification: { window: 'calendar_year' } }),
    new Date('2020-01-01T00:00:00Z'),
  );
  const customers = Array.from({ length: members }, (_, index) => `customer-${index}`);
  await shop.addMembers(writer, customers);
  await Promise.all(
    customers.map(async (customer) =>
      expect(codeOf(await writer.submit(shop.earn(customer, { amountMinor: 600_000 })))).toBe('done'),
    ),
  );
  await time.travelTo(new Date('2029-01-01T00:00:00Z'));
  return shop;
}

function run(options: Partial<RequalifyOptions>): ReturnType<typeof requalify> {
  return requalify({
    pool,
    door: writer,
    signal: new AbortController().signal,
    failures: new FailurePause(),
    onFailed: (error) => {
      throw error;
    },
    ...options,
  });
}

function operations(shop: Shop): Promise<unknown[] | null> {
  return counter.value(
    `select json_agg(json_build_array(status, progress_done, progress_total, result, error ->> 'code')
       order by created_at, id)
     from operations where environment_id = $1 and type = 'tier_run'`,
    [shop.id],
  );
}

test('a run that is told to stop does so between two pages, and the next one does the rest', async () => {
  const shop = await shopOf(PAGE + 4);
  const stop = new AbortController();
  const stopped = { profiles: PAGE, changed: PAGE, failed: 0 };
  const onProgress = () => stop.abort();
  expect(await run({ environmentId: shop.id, signal: stop.signal, onProgress })).toEqual(stopped);
  const rest = { profiles: 4, changed: 4, failed: 0 };
  expect(await run({ environmentId: shop.id })).toEqual(rest);
  expect(await operations(shop)).toEqual([
    ['failed', 0, PAGE + 4, stopped, 'interrupted'],
    ['succeeded', 4, 4, rest, null],
  ]);
});

test('a run that the service is too busy for stops there, and says how far it came', async () => {
  const shop = await shopOf(PAGE + 4);
  let submitted = 0;
  const door: RequalifyOptions['door'] = {
    submit: (command) => {
      submitted += 1;
      return submitted > PAGE ? Promise.resolve(refuse('overloaded', 'busy')) : writer.submit(command);
    },
  };
  const done = { profiles: PAGE, changed: PAGE, failed: 0 };
  expect(await run({ environmentId: shop.id, door })).toEqual(done);
  expect(await operations(shop)).toEqual([['failed', PAGE, PAGE + 4, done, 'interrupted']]);
  await run({ environmentId: shop.id });
});

test('a run over all environments adds up what it did in each', async () => {
  const shops = [await shopOf(1), await shopOf(2)];
  expect(await run({})).toEqual({ profiles: 3, changed: 3, failed: 0 });
  for (const [index, shop] of shops.entries()) {
    const count = index + 1;
    const done = { profiles: count, changed: count, failed: 0 };
    expect(await operations(shop)).toEqual([['succeeded', count, count, done, null]]);
  }
});
