import { describe, expect, test } from '@jest/globals';
import { Book, issueLot } from '../../../src/ledger/books/book.ts';
import { settle } from '../../../src/ledger/books/settle.ts';
import { spend } from '../../../src/ledger/books/spend.ts';
import { LoadedPointsExceeded } from '../../../src/ledger/command.ts';
import type { LoadedPoints, State } from '../../../src/ledger/state.ts';
import { type LotRecord, originOf } from '../../../src/ledger/tables/lot-rows.ts';
import type { OrderRecord } from '../../../src/ledger/tables/orders.ts';
import type { PostingRecord } from '../../../src/ledger/tables/postings.ts';
import type { ProfileRecord } from '../../../src/ledger/tables/program-profiles.ts';
import type { ReservationRecord } from '../../../src/ledger/tables/redemption-reservations.ts';
import { daysFrom } from '../../support/commands/desk.ts';
import { noon } from '../../support/rules/fixtures.ts';

function lot(id: string, overrides: Partial<LotRecord> = {}): LotRecord {
  return {
    id,
    memberId: 'm',
    programId: 'p',
    transactionId: `t-${id}`,
    granted: 10,
    pending: 0,
    available: 10,
    reserved: 0,
    activatesAt: null,
    expiresAt: null,
    inactivityDays: null,
    claimed: 0,
    lent: 0,
    originLotId: null,
    createdAt: noon,
    ...overrides,
  };
}

interface Page {
  lots?: LotRecord[];
  limit?: LotRecord | null;
  reservations?: ReservationRecord[];
  postings?: Record<string, PostingRecord[]>;
  orders?: OrderRecord[];
  profile?: Partial<ProfileRecord>;
}

function page({
  lots = [],
  limit = null,
  reservations = [],
  postings = {},
  orders = [],
  profile = {},
}: Page) {
  const sum = (of: 'available' | 'pending' | 'reserved'): number =>
    lots.reduce((points, each) => points + each[of], 0);
  const record: ProfileRecord = {
    memberId: 'm',
    programId: 'p',
    enrolled: true,
    tier: 'bronze',
    qualificationPoints: 0,
    qualificationSince: null,
    qualificationDays: null,
    requalifyAt: null,
    available: sum('available'),
    pending: sum('pending'),
    reserved: sum('reserved'),
    enrolledAt: noon,
    unenrolledAt: null,
    nextDueAt: null,
    lastActivityAt: null,
    purchaseCount: 0,
    purchaseAmountMinor: 0,
    firstPurchaseAt: null,
    lastPurchaseAt: null,
    referralCode: null,
    referredBy: null,
    referralCount: 0,
    version: 1,
    ...profile,
  };
  let ids = 0;
  const state = {
    newId: () => `00000000-0000-7000-8000-${String(++ids).padStart(12, '0')}`,
    lot: (id: string) => lots.find((each) => each.id === id),
    lotsOfOrigin: (one: LotRecord) => lots.filter((each) => originOf(each) === originOf(one)),
    postingsOf: (id: string) => postings[id] ?? [],
    orderOf: ({ transactionId }: LotRecord) => orders.find((each) => each.transactionId === transactionId),
    stock: () => null,
  } as unknown as State;
  const loaded: LoadedPoints = { externalCustomerId: 'ann', lots, limit, reservations, moreDue: false };
  return { book: new Book(record, state, noon), state, loaded };
}

function hold(lotId: string, amount: number, overrides: Partial<ReservationRecord> = {}) {
  const reservation = {
    id: '00000000-0000-7000-9000-000000000001',
    programId: 'p',
    memberId: 'm',
    rewardId: 'mug',
    sourceReference: 'checkout-1',
    state: 'reserved',
    points: amount,
    reserveTransactionId: 't-hold',
    terms: { inventory: null },
    expiresAt: daysFrom(noon, 1),
    ...overrides,
  } as ReservationRecord;
  const posting: PostingRecord = {
    transactionId: 't-hold',
    line: 1,
    programId: 'p',
    memberId: 'm',
    debitAccount: 'member.available',
    creditAccount: 'member.reserved',
    amount,
    lotId,
    createdAt: noon,
  };
  return { reservations: [reservation], postings: { 't-hold': [posting] } };
}

describe('spending', () => {
  test('takes the lot that expires soonest first, of those that expire together the oldest, the endless one last', () => {
    const { book, loaded } = page({
      lots: [
        lot('4'),
        lot('2', { expiresAt: daysFrom(noon, 9) }),
        lot('3', { expiresAt: daysFrom(noon, 9) }),
        lot('1', { expiresAt: daysFrom(noon, 2), granted: 3, available: 3 }),
      ],
    });
    const entry = book.open({ eventType: 'redemption.reserved' });
    spend(book, entry, loaded, 25, 'member.reserved');
    book.close(entry);
    const { postings } = book.changes().inserts;
    expect(postings?.map(({ lotId, amount }) => [lotId, amount])).toEqual([
      ['1', 3],
      ['2', 10],
      ['3', 10],
      ['4', 2],
    ]);
    expect(book.profile).toMatchObject({ available: 8, reserved: 25 });
  });

  test('does not pass over lots that were not loaded', () => {
    const last = lot('1', { expiresAt: daysFrom(noon, 2) });
    const { book, loaded } = page({ lots: [last, lot('9')], limit: last });
    const entry = book.open({ eventType: 'redemption.reserved' });
    expect(() => spend(book, entry, loaded, 11, 'member.reserved')).toThrow(LoadedPointsExceeded);
  });
});

describe('settling', () => {
  test('activates, then expires; what is not due stays', () => {
    const { book, loaded, state } = page({
      lots: [
        lot('1', { pending: 10, available: 0, activatesAt: noon, expiresAt: daysFrom(noon, 30) }),
        lot('2', { pending: 10, available: 0, activatesAt: daysFrom(noon, 1) }),
        lot('3', { expiresAt: noon }),
        lot('4', { expiresAt: daysFrom(noon, 20) }),
      ],
    });
    settle(book, loaded, state);
    const types = book.changes().inserts.transactions?.map((row) => [row.eventType, row.points]);
    expect(types).toEqual([
      ['points.activated', 10],
      ['points.expired', 10],
    ]);
    expect(book.profile).toMatchObject({ available: 20, pending: 10, nextDueAt: daysFrom(noon, 1) });
  });

  test('looks again at once where the last lot that was loaded has lapsed and others lie behind it', () => {
    const lapsed = lot('1', { expiresAt: noon });
    const named = lot('9', { expiresAt: daysFrom(noon, 30) });
    const { book, loaded, state } = page({
      lots: [lapsed, named],
      limit: lapsed,
      profile: { available: 30, nextDueAt: noon },
    });
    settle(book, loaded, state);
    expect(book.profile).toMatchObject({ available: 20, nextDueAt: noon });
  });

  test('is due no later than the last lot that was loaded where others lie behind it', () => {
    const last = lot('1', { expiresAt: daysFrom(noon, 2), available: 0 });
    const named = lot('9', { expiresAt: daysFrom(noon, 30) });
    const behind = { lots: [last, named], limit: last, profile: { available: 20, nextDueAt: noon } };
    const { book, loaded, state } = page(behind);
    settle(book, loaded, state);
    expect(book.profile.nextDueAt).toEqual(daysFrom(noon, 2));
    const all = page({ ...behind, profile: { available: 10, nextDueAt: noon } });
    settle(all.book, all.loaded, all.state);
    expect(all.book.profile.nextDueAt).toEqual(daysFrom(noon, 30));
  });

  test('posts nothing the second time', () => {
    const first = page({ lots: [lot('1', { expiresAt: noon })] });
    settle(first.book, first.loaded, first.state);
    const [settled] = first.book.changes().updates.lots ?? [];
    const second = page({ lots: [settled as LotRecord] });
    settle(second.book, second.loaded, second.state);
    expect(second.book.changes()).toEqual({
      inserts: { transactions: [], lots: [], postings: [] },
      updates: { profiles: expect.anything(), lots: [], orders: [] },
    });
  });

  test('dates a lot under an inactivity policy anew while its member is active', () => {
    const stale = lot('1', { expiresAt: noon, inactivityDays: 30 });
    const active = page({ lots: [stale], profile: { lastActivityAt: daysFrom(noon, -10) } });
    settle(active.book, active.loaded, active.state);
    expect(active.book.lot('1')).toMatchObject({ available: 10, expiresAt: daysFrom(noon, 20) });
    const idle = page({ lots: [stale], profile: { lastActivityAt: daysFrom(noon, -30) } });
    settle(idle.book, idle.loaded, idle.state);
    expect(idle.book.lot('1').available).toBe(0);
  });

  test.each([
    ['at the instant itself', noon, ['points.activated', 'redemption.expired', 'points.expired']],
    ['a millisecond before it', new Date(noon.getTime() + 1), []],
  ])('posts %s what falls due', (_what, at, expected) => {
    const { book, loaded, state } = page({
      lots: [
        lot('1', { pending: 10, available: 0, activatesAt: at }),
        lot('2', { expiresAt: at }),
        lot('3', { expiresAt: noon, inactivityDays: 30 }),
        lot('4', { available: 0, reserved: 10 }),
      ],
      profile: { lastActivityAt: daysFrom(at, -30), nextDueAt: noon },
      ...hold('4', 10, { expiresAt: at }),
    });
    settle(book, loaded, state);
    expect(book.changes().inserts.transactions?.map((row) => row.eventType)).toEqual(expected);
    const over = expected.length > 0;
    expect(book.lot('3').available).toBe(over ? 0 : 10);
    expect(book.profile.nextDueAt).toEqual(over ? null : at);
  });

  test.each([
    ['available', lot('1', { available: 0, expiresAt: noon }), { available: 5 }],
    ['pending', lot('1', { available: 0, activatesAt: noon }), { pending: 5 }],
  ])('looks again at once where no lot was loaded that has the %s points', (_what, emptied, balances) => {
    const { book, loaded, state } = page({ lots: [emptied], profile: { ...balances, nextDueAt: noon } });
    settle(book, loaded, state);
    expect(book.profile.nextDueAt).toEqual(noon);
    const none = page({ lots: [emptied], profile: { nextDueAt: noon } });
    settle(none.book, none.loaded, none.state);
    expect(none.book.profile.nextDueAt).toBeNull();
  });

  test('ends a hold whose time is over and expires at once what has expired while it was held', () => {
    const held = lot('1', { available: 0, reserved: 10, expiresAt: daysFrom(noon, -1) });
    const { book, loaded, state } = page({ lots: [held], ...hold('1', 10, { expiresAt: noon }) });
    const changes = settle(book, loaded, state);
    expect(changes.reservations).toMatchObject([{ state: 'expired', changedAt: noon }]);
    expect(book.profile).toMatchObject({ available: 0, reserved: 0 });
    expect(book.changes().inserts.transactions?.map((row) => row.eventType)).toEqual([
      'redemption.expired',
      'points.expired',
    ]);
    expect(book.webhookEvents.map((event) => event.type)).toEqual(['redemption.expired', 'points.expired']);
  });

  test('a hold that ends pays what a return has claimed before it gives anything back', () => {
    const held = lot('1', { available: 0, reserved: 10, claimed: 4 });
    const order = { sourceReference: 'o', transactionId: 't-1', points: 10, clawedBack: 2 } as OrderRecord;
    const { book, loaded, state } = page({
      lots: [held],
      orders: [order],
      ...hold('1', 10, { expiresAt: noon }),
    });
    settle(book, loaded, state);
    expect(book.lot('1')).toMatchObject({ available: 6, reserved: 0, claimed: 0 });
    expect(book.changes().updates.orders).toMatchObject([{ sourceReference: 'o', clawedBack: 6 }]);
    expect(
      book
        .changes()
        .inserts.postings?.map(({ debitAccount, creditAccount, amount }) => [
          debitAccount,
          creditAccount,
          amount,
        ]),
    ).toEqual([
      ['member.reserved', 'program.issuance', 4],
      ['member.reserved', 'member.available', 6],
    ]);
  });
});

describe('a book', () => {
  test.each([
    ['at once where they activate at this instant', noon, { available: 10, pending: 0 }],
    [
      'pending where they activate a millisecond later',
      new Date(noon.getTime() + 1),
      { available: 0, pending: 10 },
    ],
  ])('issues points %s', (_what, activatesAt, balances) => {
    const { book } = page({});
    const entry = book.open({ eventType: 'purchase.completed' });
    issueLot(book, entry, 10, { activatesAt, expiresAt: null, inactivityDays: null });
    book.close(entry);
    expect(book.profile).toMatchObject(balances);
  });

  test('refuses to take more out of a lot than it has, and posts nothing for nothing', () => {
    const { book } = page({ lots: [lot('1')] });
    const entry = book.open({ eventType: 'points.expired' });
    expect(() => book.move(entry, '1', 'member.available', 'program.expiry', 11)).toThrow(RangeError);
    book.move(entry, '1', 'member.available', 'program.expiry', 0);
    expect(book.close(entry).points).toBe(0);
    expect(book.changes().inserts.postings).toEqual([]);
  });
});

test('a lot of a merged member is a lot of the other one, with the last expiry that it has had on the way', () => {
  const [early, late] = [daysFrom(noon, 1), daysFrom(noon, 5)];
  const first = lot('first', { memberId: 'a', available: 0, expiresAt: early, inactivityDays: 30 });
  const second = { ...first, id: 'second', memberId: 'b', expiresAt: late, originLotId: 'first' };
  for (const lots of [
    [first, second],
    [second, first],
  ]) {
    const { book } = page({ lots });
    for (const id of ['first', 'second']) {
      expect(book.lot(id)).toMatchObject({
        memberId: 'm',
        originLotId: 'first',
        expiresAt: late,
        available: 0,
      });
    }
    expect(book.changes().inserts.lots).toEqual([]);
    book.setLot('first', { claimed: 3 });
    expect(book.changes().inserts.lots).toEqual([expect.objectContaining({ claimed: 3, expiresAt: late })]);
  }
});
