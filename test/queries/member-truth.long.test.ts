import { beforeEach, describe, expect, test } from '@jest/globals';
import { approveAdjustment } from '../../src/commands/adjustments/approve-adjustment.ts';
import { requestAdjustment } from '../../src/commands/adjustments/request-adjustment.ts';
import { reverseAdjustment } from '../../src/commands/adjustments/reverse-adjustment.ts';
import { settleProfile } from '../../src/commands/members/settle-profile.ts';
import { quoteRedemption } from '../../src/commands/redemptions/quote-redemption.ts';
import { reserveRedemption } from '../../src/commands/redemptions/reserve-redemption.ts';
import { recordReturn } from '../../src/commands/returns/record-return.ts';
import type { Statement } from '../../src/db/statement.ts';
import { fromTypeId, newUuid } from '../../src/ids.ts';
import type { Command, Outcome } from '../../src/ledger/command.ts';
import type { ProgramDocument } from '../../src/programs/document/program-document.ts';
import { createQueries } from '../../src/queries/queries.ts';
import type { ProfileView } from '../../src/queries/shared/member-view.ts';
import { isRefusal, type Refusal } from '../../src/refusal.ts';
import { fixture } from '../support/fixture.ts';
import type { Shop } from '../support/ledger/counter.ts';
import { addLots } from '../support/ledger/many-lots.ts';
import { bound } from '../support/ledger/tampered-pool.ts';
import { useCounter, useWriter } from '../support/ledger/use-counter.ts';
import { program } from '../support/rules/fixtures.ts';
import { widgetDocument } from '../support/surfaces/widgets.ts';
import { install } from '../support/time-machine.ts';
import { usePool } from '../support/use-database.ts';

const DAY_MS = 86_400_000;
const HOLD_MS = 1_800_000;
const programId = 'coffee-club';

let keys = 0;

const counter = useCounter({ twins: true });
const time = fixture('the time machine', () => install(counter.database.adminUrl));
const writer = useWriter(counter);
const pool = usePool(() => ({ url: counter.database.serverUrl, size: 4 }));
const queries = fixture('the queries', () => createQueries(pool));
beforeEach(() => time.travelTo(new Date()));

const rewards = [1, 7, 30, 80].map((points) => ({ id: `reward-${points}`, name: 'A reward', points }));

async function open(document: Partial<ProgramDocument> = {}): Promise<Shop> {
  const shop = await counter.environment(program({ rewards, ...document }));
  await shop.addMembers(writer, ['ann', 'bob']);
  return shop;
}

async function run(command: Command | Refusal): Promise<Exclude<Outcome, Refusal>> {
  const outcome = isRefusal(command) ? command : await writer.submit(command);
  if (isRefusal(outcome)) throw new Error(`${outcome.code}: ${outcome.message}`);
  return outcome;
}

const earn = (shop: Shop, points: number, sourceReference = `order-${++keys}`, customer = 'ann') =>
  run(shop.earn(customer, { amountMinor: points * 100, sourceReference }));

/** Holds the points of a reward, as the resolvers do. */
async function hold(shop: Shop, points: number): Promise<void> {
  const said = { programId, externalCustomerId: 'ann', rewardId: `reward-${points}` };
  const quoted = await run(
    quoteRedemption({ ...said, idempotencyKey: `k${++keys}`, sourceReference: `cart-${keys}` }, shop.caller),
  );
  const { quote } = quoted.receipt as { quote: { id: string } };
  const id = fromTypeId('quo', quote.id) ?? '';
  const owner = await queries.owner(shop.id, { kind: 'quote', id });
  const named = owner && { ...owner, id };
  await run(reserveRedemption({ idempotencyKey: `k${++keys}`, quoteId: quote.id }, named, shop.caller));
}

async function giveBack(shop: Shop, sourceReference: string, returnAmountMinor: number): Promise<void> {
  const owner = await queries.owner(shop.id, { kind: 'order', sourceReference });
  const input = {
    idempotencyKey: `k${++keys}`,
    sourceReference,
    returnReference: `r${keys}`,
    returnAmountMinor,
  };
  await run(recordReturn(input, owner, shop.caller));
}

const asPrincipal = (shop: Shop, id: string) => ({ ...shop.caller, actor: { type: 'api_key', id } as const });

/** Credits points to ann. @returns the adjustment's id */
async function credit(shop: Shop, points: number): Promise<string> {
  const said = {
    programId,
    externalCustomerId: 'ann',
    direction: 'credit',
    points,
    reason: 'kindness',
  } as const;
  const asked = { ...said, evidence: { ticket: 'CS-1' }, idempotencyKey: `k${++keys}` };
  const requested = await run(requestAdjustment(asked, asPrincipal(shop, 'clerk')));
  const { id } = (requested.receipt as { adjustment: { id: string } }).adjustment;
  await decideOn(shop, id, approveAdjustment);
  return id;
}

async function decideOn(
  shop: Shop,
  adjustmentId: string,
  decide: typeof approveAdjustment | typeof reverseAdjustment,
): Promise<void> {
  const id = fromTypeId('adj', adjustmentId) ?? '';
  const owner = await queries.owner(shop.id, { kind: 'adjustment', id });
  const input = { idempotencyKey: `k${++keys}`, adjustmentId, reason: 'decided' };
  await run(decide(input, owner && { ...owner, id }, asPrincipal(shop, 'boss')));
}

async function read(shop: Shop, externalCustomerId = 'ann'): Promise<ProfileView> {
  const view = await queries.member(shop.id, externalCustomerId);
  const profile = view?.profiles[0];
  if (!profile) throw new Error('no profile');
  return profile;
}

/** Reads before and after what is due is settled: both must return the same, and the read itself posts nothing. */
async function truth(shop: Shop) {
  const transactions = 'select count(*)::integer from transactions where environment_id = $1';
  const before = await counter.value<number>(transactions, [shop.id]);
  const seen = shown(await read(shop));
  const lots = await lotsOf(shop);
  const { available, pending, reserved } = seen;
  expect(await ofWidget(shop)).toEqual({ available, pending, reserved, unitName: expect.any(String) });
  expect(await counter.value<number>(transactions, [shop.id])).toBe(before);
  await run(
    settleProfile({ environmentId: shop.id, programId, externalCustomerId: 'ann', requestId: 'req_t' }),
  );
  expect(shown(await read(shop))).toEqual(seen);
  expect(await lotsOf(shop)).toEqual(lots);
  return seen;
}

/** The details of ann's lots and holds, whose sums are the balances. */
async function lotsOf(shop: Shop) {
  const details = await queries.memberDetails(shop.id, 'ann');
  const profile = details?.profiles[0];
  if (!profile) throw new Error('no profile');
  const { lots, holds, expirations, nextExpiry, available, pending, reserved } = profile;
  const sum = (of: 'available' | 'pending' | 'reserved') => lots.reduce((total, lot) => total + lot[of], 0);
  expect({ available: sum('available'), pending: sum('pending'), reserved: sum('reserved') }).toEqual({
    ...{ available, pending, reserved },
  });
  expect(holds.reduce((total, { points }) => total + points, 0)).toBe(reserved);
  expect(expirations[0] ?? null).toEqual(nextExpiry);
  const { nextExpiry: expected, ...balances } = await read(shop);
  expect({ nextExpiry, available, pending, reserved }).toEqual({
    nextExpiry: expected,
    ...{ available: balances.available, pending: balances.pending, reserved: balances.reserved },
  });
  // When a hold ended is written down by what settles it; the lots and their dates are the same.
  return { lots, holds, expirations };
}

/** The balance that a widget shows to ann. */
async function ofWidget(shop: Shop) {
  const document = widgetDocument({ program: programId });
  const deployment = { environmentId: shop.id, deploymentId: 'wdg_1', version: 1, programId, document };
  const view = await queries.member(shop.id, 'ann');
  const surface = await queries.surface(shop.id, deployment, view?.member.id ?? '');
  if (isRefusal(surface)) throw new Error(surface.message);
  const balance = surface.components.find(({ kind }) => kind === 'svc.balance');
  return balance?.kind === 'svc.balance' ? balance.state : null;
}

function shown({ available, pending, reserved, nextExpiry }: ProfileView) {
  return { available, pending, reserved, expires: nextExpiry?.points ?? null };
}

const none = { available: 0, pending: 0, reserved: 0, expires: null };

describe('a read before any sweep', () => {
  test('sees pending points become available', async () => {
    const shop = await open({ pending: { days: 14 } });
    await earn(shop, 100);
    expect(await truth(shop)).toEqual({ ...none, pending: 100 });
    await time.travel(14 * DAY_MS + 1000);
    expect(await truth(shop)).toEqual({ ...none, available: 100 });
  });

  test('sees points lapse, also those that became available and lapsed since', async () => {
    const shop = await open({ pending: { days: 14 }, expiration: { policy: 'rolling_days', days: 30 } });
    await earn(shop, 100);
    await time.travel(10 * DAY_MS);
    await earn(shop, 40);
    await time.travel(35 * DAY_MS);
    expect(await truth(shop)).toEqual({ ...none, available: 40, expires: 40 });
    await time.travel(30 * DAY_MS);
    expect(await truth(shop)).toEqual(none);
  });

  test('sees a hold end, and what it held lapse with it', async () => {
    const shop = await open({ expiration: { policy: 'rolling_days', days: 30 } });
    await earn(shop, 100);
    await hold(shop, 30);
    expect(await truth(shop)).toEqual({ ...none, available: 70, reserved: 30, expires: 70 });
    await time.travel(HOLD_MS + 1000);
    expect(await truth(shop)).toEqual({ ...none, available: 100, expires: 100 });
    await time.travel(30 * DAY_MS - HOLD_MS - 60_000);
    await hold(shop, 80);
    await time.travel(120_000);
    expect(await truth(shop)).toEqual({ ...none, reserved: 80 });
    await time.travel(HOLD_MS);
    expect(await truth(shop)).toEqual(none);
  });

  test('sees points that come back pay what a return has claimed of them', async () => {
    const shop = await open();
    await earn(shop, 30, 'order-claimed');
    await hold(shop, 30);
    await giveBack(shop, 'order-claimed', 1000);
    expect(await truth(shop)).toEqual({ ...none, reserved: 30 });
    await time.travel(HOLD_MS + 1000);
    expect(await truth(shop)).toEqual({ ...none, available: 20 });
  });

  test('sees points that come back to a reversed credit go to the lots that lent them, and pay their claims', async () => {
    const shop = await open({ expiration: { policy: 'rolling_days', days: 30 } });
    await time.travel(DAY_MS);
    const adjustmentId = await credit(shop, 30);
    await hold(shop, 30);
    await earn(shop, 20, 'order-lender');
    await earn(shop, 20);
    await decideOn(shop, adjustmentId, reverseAdjustment);
    await giveBack(shop, 'order-lender', 500);
    expect(await truth(shop)).toMatchObject({ available: 10, reserved: 30 });
    await time.travel(HOLD_MS + 1000);
    expect(await truth(shop)).toMatchObject({ available: 35, reserved: 0 });
  });

  test('sees points under an inactivity policy live on from the last activity', async () => {
    const shop = await open({ expiration: { policy: 'inactivity', days: 30 } });
    await earn(shop, 100);
    await time.travel(20 * DAY_MS);
    await earn(shop, 11);
    const at = (await read(shop)).nextExpiry?.at.getTime() ?? 0;
    expect(Math.abs(at - (await time.now()).getTime() - 30 * DAY_MS)).toBeLessThan(10_000);
    expect(await truth(shop)).toEqual({ ...none, available: 111, expires: 111 });
    await time.travel(20 * DAY_MS);
    expect(await truth(shop)).toEqual({ ...none, available: 111, expires: 111 });
    await time.travel(11 * DAY_MS);
    expect(await truth(shop)).toEqual(none);
  });

  test('names all that expires at the soonest instant, and nothing else', async () => {
    const shop = await open({ expiration: { policy: 'end_of_period', period: 'month' } });
    await time.travelTo(new Date('2031-03-10T12:00:00Z'));
    await earn(shop, 10);
    await earn(shop, 5);
    await shop.publish(program({ rewards }));
    await earn(shop, 1000);
    expect((await read(shop)).nextExpiry).toEqual({ points: 15, at: new Date('2031-04-01T00:00:00Z') });
    await hold(shop, 7);
    expect((await read(shop)).nextExpiry?.points).toBe(8);
    await time.travelTo(new Date('2031-04-01T00:00:00Z'));
    expect(await truth(shop)).toEqual({ ...none, available: 1000 });
  });

  test('answers those who are due and those who are not, asked together', async () => {
    const shop = await open({ expiration: { policy: 'rolling_days', days: 30 } });
    await earn(shop, 10);
    await time.travel(31 * DAY_MS);
    await earn(shop, 20, 'order-bob', 'bob');
    const asked = ['ann', 'bob', 'nobody', 'ann', 'bob'];
    const views = await Promise.all(asked.map((id) => queries.member(shop.id, id)));
    expect(views.map((view) => view?.profiles[0]?.available)).toEqual([0, 20, undefined, 0, 20]);
  });
});

test('of a member with very many due lots the database reads the lots, and the service one row', async () => {
  const shop = await open();
  await addLots(counter, shop, 'ann', { count: 5_000, activatesIn: -60 });
  await addLots(counter, shop, 'ann', { count: 5_000, expiresIn: -60 });
  await addLots(counter, shop, 'ann', { count: 100, points: 2, expiresIn: 3_600 });
  let rows = 0;
  const counting = new Proxy(pool, {
    get(target, name) {
      if (name !== 'query') return bound(target, name);
      return async (statement: Statement) => {
        const result = await target.query(statement);
        rows += result.rows.length;
        return result;
      };
    },
  });
  const member = await createQueries(counting).member(shop.id, 'ann');
  expect(member?.profiles.map(shown)).toEqual([{ ...none, available: 5_200, expires: 200 }]);
  expect(rows).toBe(2);
  // Its details have the first lots, and all of what lapses next.
  const details = (await queries.memberDetails(shop.id, 'ann'))?.profiles[0];
  expect({ lots: details?.lots.length, hasMoreLots: details?.hasMoreLots }).toEqual({
    lots: 50,
    hasMoreLots: true,
  });
  expect(details?.expirations).toEqual([details?.nextExpiry]);
  expect(details).toMatchObject({ available: 5_200, nextExpiry: { points: 200 } });
});

test('whatever happens in whatever order, a read says what a sweep then posts', async () => {
  const random = seeded(20_260_304);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const shops: string[] = [];
  for (const document of [
    { pending: { days: 3 }, expiration: { policy: 'rolling_days', days: 9 } },
    { pending: { days: 2 }, expiration: { policy: 'inactivity', days: 5 } },
    { expiration: { policy: 'end_of_period', period: 'month' } },
  ] as const) {
    const shop = await open(document);
    shops.push(shop.id);
    const orders = ['no-order'];
    const credits: string[] = [];
    for (let step = 0; step < 90; step += 1) {
      const kind = pick([
        'earn',
        'earn',
        'hold',
        'hold',
        'return',
        'credit',
        'reverse',
        'wait',
        'wait',
      ] as const);
      if (kind === 'earn') {
        orders.push(`o-${newUuid()}`);
        await earn(shop, pick([3, 10, 40]), orders.at(-1));
      } else if (kind === 'credit') credits.push(await credit(shop, pick([7, 30])));
      else if (kind === 'wait') await time.travel(pick([60_000, HOLD_MS, DAY_MS, 4 * DAY_MS, 12 * DAY_MS]));
      else {
        const attempts = {
          hold: () => hold(shop, pick([1, 7, 30])),
          return: () => giveBack(shop, pick(orders), 100),
          reverse: async () => credits.length > 0 && decideOn(shop, pick(credits), reverseAdjustment),
        };
        await attempts[kind]().catch((error: Error) => {
          const refused =
            /insufficient_points|return_exceeds_remaining|order_not_found|invalid_adjustment_state/;
          if (!refused.test(error.message)) throw error;
        });
      }
      if (random() < 0.5) await truth(shop);
    }
  }
  // Every kind of event that settling posts, and every kind that leads to it, has occurred.
  const { rows } = await counter.database.adminPool.query<{ event_type: string }>(
    'select distinct event_type from transactions where environment_id = any($1)',
    [shops],
  );
  expect(rows.map((row) => row.event_type).toSorted()).toEqual([
    'adjustment.posted',
    'adjustment.reversed',
    'order.returned',
    'points.activated',
    'points.expired',
    'purchase.completed',
    'redemption.expired',
    'redemption.reserved',
  ]);
});

/** A generator of random numbers (Mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
