import { beforeAll, expect, test } from '@jest/globals';
import { createPool, type Pool } from '../../src/db/pool.ts';
import { toTypeId } from '../../src/ids.ts';
import { FailurePause } from '../../src/jobs/failure-pause.ts';
import { noticeExpiries } from '../../src/jobs/notice-expiries.ts';
import { sweep } from '../../src/jobs/sweep.ts';
import type { Writer } from '../../src/ledger/batch/writer.ts';
import type { ProgramDocument } from '../../src/programs/document/program-document.ts';
import { atEnd, fixture } from '../support/fixture.ts';
import type { Shop } from '../support/ledger/counter.ts';
import { addLots } from '../support/ledger/many-lots.ts';
import { useCounter } from '../support/ledger/use-counter.ts';
import { program } from '../support/rules/fixtures.ts';
import { install } from '../support/time-machine.ts';
import { validateStored } from '../support/webhooks/validate-event.ts';

const DAY_MS = 86_400_000;

let writers: readonly Writer[];
/** With the privileges of the server. */
let pool: Pool;

const counter = useCounter({ twins: true });
const time = fixture('the time machine', () => install(counter.database.adminUrl));

beforeAll(() => {
  writers = [counter.writer(), counter.writer()];
  pool = createPool({ url: counter.database.serverUrl, size: 4 });
});

atEnd(() => pool.end());
atEnd(async () => expect(await validateStored(counter.database.adminPool)).toEqual([]));
atEnd(async () => expect(await counter.failedControls()).toEqual([]));

const writer = (): Writer => writers[0] as Writer;
const onFailed = (error: unknown): never => {
  throw error;
};
const common = () => ({ pool, failures: new FailurePause(), signal: new AbortController().signal, onFailed });

/** A run over all environments. @returns how many lots it reported */
function notice(by = 0): Promise<number> {
  return noticeExpiries({ ...common(), door: writers[by] as Writer });
}

async function shopWith(document: Partial<ProgramDocument>): Promise<Shop> {
  const shop = await counter.environment(program(document));
  await shop.addMembers(writer(), ['ann', 'bob']);
  return shop;
}

interface Expiring {
  lotId: string;
  points: number;
  expiresAt: string;
  balances: object;
  profileVersion: number;
}

/** The data of the events points.expiring of an environment, in the order in which they were written. */
async function expiring(shop: Shop): Promise<Expiring[]> {
  const { rows } = await counter.database.adminPool.query<{ data: Expiring }>(
    `select data from events where environment_id = $1 and type = 'points.expiring' order by written_at, id`,
    [shop.id],
  );
  return rows.map(({ data }) => data);
}

test('a lot is reported once, when its expiry is as near as the program says', async () => {
  const shop = await shopWith({ expiration: { policy: 'rolling_days', days: 30 }, expiryNoticeDays: 7 });
  await writer().submit(shop.earn('ann'));
  await time.travel(10 * DAY_MS);
  await writer().submit(shop.earn('ann', { amountMinor: 5_000 }));
  await time.travel(13 * DAY_MS - 60_000);
  expect(await notice()).toBe(0);
  await time.travel(120_000);
  expect(await notice()).toBe(1);
  const lot = await counter.value<{ id: string; expires_at: string }>(
    'select row_to_json(lots) from lots where environment_id = $1 and granted = 100',
    [shop.id],
  );
  expect(await expiring(shop)).toEqual([
    {
      programId: 'coffee-club',
      lotId: toTypeId('lot', lot.id),
      points: 100,
      expiresAt: new Date(lot.expires_at).toISOString(),
      balances: { available: 150, pending: 0, reserved: 0 },
      profileVersion: 3,
    },
  ]);
  expect(await notice()).toBe(0);
  await time.travel(10 * DAY_MS);
  expect(await notice()).toBe(1);
  expect((await expiring(shop)).map(({ points }) => points)).toEqual([100, 50]);
});

test('programs without expiryNoticeDays, lots that never expire, and lots without points report nothing', async () => {
  const shops = await Promise.all([
    shopWith({ expiration: { policy: 'rolling_days', days: 2 } }),
    shopWith({ expiryNoticeDays: 365 }),
    shopWith({
      expiration: { policy: 'rolling_days', days: 10 },
      pending: { days: 5 },
      expiryNoticeDays: 20,
    }),
  ]);
  for (const shop of shops) await writer().submit(shop.earn('ann'));
  expect(await notice()).toBe(0);
  // Pending points are reported once they are available.
  await time.travel(6 * DAY_MS);
  await sweep({ ...common(), door: writer() });
  expect(await notice()).toBe(1);
});

test('what has expired already is left to the sweep', async () => {
  const shop = await shopWith({ expiration: { policy: 'rolling_days', days: 3 }, expiryNoticeDays: 7 });
  await writer().submit(shop.earn('ann'));
  await time.travel(3 * DAY_MS);
  expect(await notice()).toBe(0);
  await sweep({ ...common(), door: writer() });
  expect(await expiring(shop)).toEqual([]);
});

test('activity moves an expiry: what it moved away is not reported, and what was reported is not again', async () => {
  const shop = await shopWith({ expiration: { policy: 'inactivity', days: 30 }, expiryNoticeDays: 7 });
  await writer().submit(shop.earn('ann'));
  await writer().submit(shop.earn('bob'));
  await time.travel(20 * DAY_MS);
  await writer().submit(shop.earn('bob', { amountMinor: 5_000 }));
  await time.travel(5 * DAY_MS);
  expect(await notice()).toBe(1);
  await writer().submit(shop.earn('ann', { amountMinor: 5_000 }));
  await time.travel(20 * DAY_MS);
  // The first of bob's lots was extended by his activity, which its stored expiry does not show yet.
  expect(await notice()).toBe(2);
  await time.travel(3 * DAY_MS);
  expect(await notice()).toBe(1);
  expect((await expiring(shop)).map(({ points }) => points).sort()).toEqual([100, 100, 50, 50]);
});

test('two processes at once report each lot once, page by page, also of a member with very many', async () => {
  const shop = await shopWith({ expiryNoticeDays: 7 });
  await addLots(counter, shop, 'ann', { count: 250, expiresIn: 86_400 });
  await addLots(counter, shop, 'bob', { count: 3, expiresIn: 86_400 });
  await Promise.all([notice(0), notice(1)]);
  expect(await notice()).toBe(0);
  const reported = await expiring(shop);
  expect(new Set(reported.map(({ lotId }) => lotId)).size).toBe(253);
  expect(reported).toHaveLength(253);
  expect(
    await counter.value('select count(*) from expiry_notices where environment_id = $1', [shop.id]),
  ).toBe(253);
});

test('while Production is locked too, since the points expire all the same', async () => {
  const shop = await shopWith({ expiration: { policy: 'rolling_days', days: 3 }, expiryNoticeDays: 7 });
  await writer().submit(shop.earn('ann'));
  await shop.setLocked(true);
  expect(await notice()).toBe(1);
});

test('a run that is told to stop ends between two pages, and a failure stops no other profile', async () => {
  const shop = await shopWith({ expiration: { policy: 'rolling_days', days: 3 }, expiryNoticeDays: 7 });
  await writer().submit(shop.earn('ann'));
  await writer().submit(shop.earn('bob'));
  const stopped = { ...common(), signal: AbortSignal.abort(), door: writer() };
  expect(await noticeExpiries(stopped)).toBe(0);
  const failed: string[] = [];
  let calls = 0;
  const door = {
    submit: (command: Parameters<Writer['submit']>[0]) => {
      calls += 1;
      return calls === 1 ? Promise.reject(new Error('broken')) : writer().submit(command);
    },
  };
  const options = { ...common(), door, onFailed: (_error: unknown, subject: string) => failed.push(subject) };
  expect(await noticeExpiries(options)).toBe(1);
  expect(failed).toHaveLength(1);
  // It is left alone for a while by the same process, not by others.
  expect(await noticeExpiries(options)).toBe(0);
  expect(await notice()).toBe(1);
});
