import { expect, test } from '@jest/globals';
import { purchaseEarn } from '../../src/commands/earning/purchase-earn.ts';
import type { ProgramDocument } from '../../src/programs/document/program-document.ts';
import { isRefusal } from '../../src/refusal.ts';
import { type OpenPoints, readOpenPoints } from '../../src/what-if/open-points.ts';
import { readMembers } from '../../src/what-if/read-members.ts';
import { daysFrom } from '../support/commands/desk.ts';
import { fixture } from '../support/fixture.ts';
import type { Shop } from '../support/ledger/counter.ts';
import { useCounter, useWriter } from '../support/ledger/use-counter.ts';
import { program } from '../support/rules/fixtures.ts';
import { install } from '../support/time-machine.ts';

// What is left of points in the ledger, at each boundary.

const start = new Date('2027-03-01T12:00:00Z');
const later = daysFrom(start, 1_000);

const counter = useCounter({ twins: true });
const time = fixture('the time machine', () => install(counter.database.adminUrl));
const writer = useWriter(counter);

async function open(document: Partial<ProgramDocument>): Promise<Shop> {
  await time.travelTo(start);
  const shop = await counter.environment();
  await shop.publish(program(document), daysFrom(start, -9));
  await shop.addMembers(writer, ['ann', 'bob']);
  return shop;
}

async function earn(shop: Shop, purchase: Parameters<Shop['earn']>[1] = {}): Promise<void> {
  const outcome = await writer.submit(shop.earn('ann', purchase));
  if (isRefusal(outcome)) throw new Error(outcome.code);
}

interface Asked {
  clock?: 'receipt' | 'event';
  from?: Date | null;
  to?: Date;
}

async function read(shop: Shop, end: Date, { clock = 'receipt', from = null, to = later }: Asked = {}) {
  const client = await counter.database.adminPool.connect();
  try {
    const period = { environmentId: shop.id, programId: 'coffee-club', clock, from, to };
    return await readOpenPoints(client, period, end);
  } finally {
    client.release();
  }
}

const sums = ({ unexpired, pending, expired, alive }: OpenPoints) =>
  [unexpired, pending, expired, alive.granted, alive.open].map(Number);

test('a lot has expired at its expiry, and is pending until before its activation', async () => {
  const shop = await open({ pending: { days: 5 }, expiration: { policy: 'rolling_days', days: 10 } });
  await earn(shop, { occurredAt: start.toISOString() });
  const [activation, end] = [daysFrom(start, 5), daysFrom(start, 15)];
  const just = (at: Date) => new Date(at.getTime() - 1);
  expect(sums(await read(shop, just(activation)))).toEqual([100, 100, 0, 100, 100]);
  expect(sums(await read(shop, activation))).toEqual([100, 0, 0, 100, 100]);
  expect(sums(await read(shop, just(end)))).toEqual([100, 0, 0, 100, 100]);
  expect(sums(await read(shop, end))).toEqual([0, 0, 100, 0, 0]);
});

test('points that have expired by today do not count in the unredeemed share', async () => {
  const shop = await open({ expiration: { policy: 'rolling_days', days: 10 } });
  await earn(shop);
  await time.travelTo(daysFrom(start, 20));
  await earn(shop, { amountMinor: 5_000 });
  expect(sums(await read(shop, daysFrom(start, 5)))).toEqual([150, 0, 0, 50, 50]);
});

test('points under an inactivity policy are extended by the last activity', async () => {
  const shop = await open({ expiration: { policy: 'inactivity', days: 30 } });
  await earn(shop);
  await time.travelTo(daysFrom(start, 20));
  await earn(shop, { amountMinor: 0 });
  expect(sums(await read(shop, daysFrom(start, 49)))).toEqual([100, 0, 0, 100, 100]);
  expect(sums(await read(shop, daysFrom(start, 51)))).toEqual([0, 0, 100, 0, 0]);
});

test('a period includes its first instant and not its last, on the clock of the events', async () => {
  const shop = await open({});
  const at = daysFrom(start, -2);
  await earn(shop, { occurredAt: at.toISOString() });
  const granted = async (asked: Asked) => sums(await read(shop, later, { clock: 'event', ...asked }))[0];
  const after = new Date(at.getTime() + 1);
  expect(await granted({ to: at })).toBe(0);
  expect(await granted({ to: after })).toBe(100);
  expect(await granted({ from: at })).toBe(100);
  expect(await granted({ from: after })).toBe(0);
  expect(await granted({ clock: 'receipt', to: after })).toBe(0);
});

test('points of referrals are included, and held points count as unredeemed', async () => {
  const shop = await open({ referral: { referrerPoints: 70, refereePoints: 7 } });
  const referralCode = await counter.value<string>(
    `select p.referral_code from program_profiles p join members m on m.id = p.member_id
      where p.environment_id = $1 and m.external_customer_id = 'bob'`,
    [shop.id],
  );
  const outcome = await writer.submit(
    purchaseEarn(
      {
        idempotencyKey: 'referred',
        programId: 'coffee-club',
        externalCustomerId: 'ann',
        amountMinor: 10_000,
        channel: 'web',
        sourceReference: 'referred',
        context: { attributes: { referralCode } },
      },
      shop.caller,
      'bob',
    ),
  );
  expect(outcome).toMatchObject({ receipt: { referral: { referrerPoints: 70 } } });
  expect(sums(await read(shop, later))).toEqual([177, 0, 0, 177, 177]);
  await counter.database.adminPool.query(
    'update lots set available = available - 60, reserved = 60 where environment_id = $1 and granted = 100',
    [shop.id],
  );
  expect(sums(await read(shop, later))).toEqual([177, 0, 0, 177, 177]);
  await counter.database.adminPool.query(
    'update lots set reserved = 0 where environment_id = $1 and granted = 100',
    [shop.id],
  );
  expect(sums(await read(shop, later))).toEqual([177, 0, 0, 177, 117]);
});

test('every enrollment and its end is read, and no consent without a change', async () => {
  const shop = await open({});
  await time.travelTo(daysFrom(start, 10));
  await writer.submit(shop.enroll('ann'));
  await writer.submit(shop.unenroll('ann'));
  await writer.submit(shop.unenroll('ann'));
  await time.travelTo(daysFrom(start, 20));
  await writer.submit(shop.enroll('ann'));
  const client = await counter.database.adminPool.connect();
  try {
    await client.query('begin');
    const found: unknown[][] = [];
    for await (const { member, enrollments } of readMembers(client, shop.id, 'coffee-club')) {
      const days = enrollments.map(({ at, enrolled }) => [at.toISOString().slice(0, 10), enrolled]);
      found.push([member.externalCustomerId, ...days]);
    }
    await client.query('rollback');
    expect(found.sort()).toEqual([
      ['ann', ['2027-03-01', true], ['2027-03-11', false], ['2027-03-21', true]],
      ['bob', ['2027-03-01', true]],
    ]);
  } finally {
    client.release();
  }
});
