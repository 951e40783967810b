import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { LotRecord } from '../../../src/ledger/tables/lot-rows.ts';
import { decide, posted } from '../../support/commands/adjustments.ts';
import { codeOf, type Desk, daysFrom, receiptOf, rows } from '../../support/commands/desk.ts';
import type { RewardCounter } from '../../support/commands/reward-counter.ts';
import {
  carryOut,
  type Deed,
  giveBack,
  REWARD_POINTS,
  undoAll,
  undoCounter,
} from '../../support/commands/undoing.ts';
import { noon } from '../../support/rules/fixtures.ts';

function lots(desk: Desk): LotRecord[] {
  return rows(desk.store.tables.lots);
}

/** Each lot's `available`, what is claimed of it, and what it has lent; oldest first. */
function standings(desk: Desk): number[][] {
  return lots(desk).map(({ available, claimed, lent }) => [available, claimed, lent]);
}

function undoOf(desk: RewardCounter, act: Deed['act'], points: number): () => boolean {
  const undo = carryOut(desk, { act, points });
  if (!undo) throw new Error(`${act} of ${points} was refused`);
  return undo;
}

/** A credit of 150 that was redeemed, and an order of 150: how each is undone. */
function spentCredit(desk: RewardCounter): Record<'A' | 'V' | 'R', () => boolean> {
  const A = undoOf(desk, 'credit', 150);
  const V = undoOf(desk, 'redeem', 150);
  const R = undoOf(desk, 'order', 150);
  return { A, V, R };
}

describe('a credit that was spent, with an order after it', () => {
  test.each(['AVR', 'ARV', 'VAR', 'VRA', 'RAV', 'RVA'])(
    'reversed, returned and the redemption reversed (%s): nothing is left',
    (order) => {
      const desk = undoCounter();
      const undo = spentCredit(desk);
      undoAll([...order].map((step) => undo[step as keyof typeof undo]));
      expect(desk.balances).toEqual([0, 0, 0]);
      expect(standings(desk)).toEqual([
        [0, 0, 0],
        [0, 0, 0],
      ]);
    },
  );

  test.each(['AV', 'VA'])('reversed and redemption reversed (%s): the order keeps its points', (order) => {
    const desk = undoCounter();
    const undo = spentCredit(desk);
    undoAll([...order].map((step) => undo[step as keyof typeof undo]));
    expect(standings(desk)).toEqual([
      [0, 0, 0],
      [150, 0, 0],
    ]);
  });

  test('each step moves the points where they belong', () => {
    const desk = undoCounter();
    const { A, R, V } = spentCredit(desk);
    A();
    expect(standings(desk)).toEqual([
      [0, 0, -150],
      [0, 0, 150],
    ]);
    R();
    expect(standings(desk)).toEqual([
      [0, 0, -150],
      [0, 150, 150],
    ]);
    V();
    const [reversal, repayment] = rows(desk.store.tables.transactions).slice(-2);
    expect(reversal).toMatchObject({ eventType: 'redemption.reversed', points: 150 });
    expect(repayment).toMatchObject({ eventType: 'adjustment.reversed', points: 300, reversalOf: null });
    const [own, order] = lots(desk).map(({ id }) => id);
    expect(
      rows(desk.store.tables.postings)
        .filter(({ transactionId }) => transactionId === repayment?.id)
        .map(({ debitAccount, creditAccount, amount, lotId }) => [
          debitAccount,
          creditAccount,
          amount,
          lotId,
        ]),
    ).toEqual([
      ['member.available', 'program.adjustment', 150, own],
      ['program.adjustment', 'program.issuance', 150, order],
    ]);
    expect(rows(desk.store.tables.orders)).toMatchObject([{ points: 150, clawedBack: 150 }]);
    const audit = rows(desk.store.tables.audits).find(({ action }) => action === 'adjustment.repaid');
    expect(audit).toMatchObject({ actorType: 'system', changes: { points: 300 } });
  });

  test('one batch decides the same as three', () => {
    const desk = undoCounter();
    // An earlier credit still owes an order: the lots that lend are paid in one order, however commands are batched.
    const early = spentCredit(desk);
    early.A();
    const { A, V } = spentCredit(desk);
    const submitted: Parameters<typeof desk.store.runBatch>[0][number][] = [];
    const run = desk.run.bind(desk);
    desk.run = (command) => {
      if ('code' in command) throw new Error(command.code);
      submitted.push(command);
      return { receipt: {}, idempotent: false };
    };
    A();
    V();
    desk.run = run;
    expect(desk.store.runBatch(submitted, desk.now).map(codeOf)).toEqual(['done', 'done']);
    expect(standings(desk)).toEqual([
      [0, 0, -150],
      [150, 0, 0],
      [0, 0, 0],
      [0, 0, 150],
    ]);
  });
});

test('a credit that has lent points hands over to the lots that lend when it is reversed itself', () => {
  const desk = undoCounter();
  const first = undoOf(desk, 'credit', 100);
  const redemption = undoOf(desk, 'redeem', 100);
  const second = undoOf(desk, 'credit', 150);
  first();
  undoOf(desk, 'order', 120);
  expect(standings(desk)).toEqual([
    [0, 0, -100],
    [50, 0, 100],
    [120, 0, 0],
  ]);
  second();
  expect(standings(desk)).toEqual([
    [0, 0, -100],
    [0, 0, 0],
    [20, 0, 100],
  ]);
  redemption();
  expect(standings(desk)).toEqual([
    [0, 0, 0],
    [0, 0, 0],
    [120, 0, 0],
  ]);
});

test.each(['hold', 'debit'] as const)('what comes back from a %s is repaid too', (act) => {
  const desk = undoCounter();
  const credit = undoOf(desk, 'credit', 50);
  const back = undoOf(desk, act, 50);
  undoOf(desk, 'order', 80);
  credit();
  back();
  expect(standings(desk)).toEqual([
    [0, 0, 0],
    [80, 0, 0],
  ]);
});

test('a hold that runs out repays, within the settlement that ends it', () => {
  const desk = undoCounter();
  const credit = undoOf(desk, 'credit', 50);
  undoOf(desk, 'hold', 50);
  undoOf(desk, 'order', 80);
  credit();
  desk.now = daysFrom(noon, 1);
  undoOf(desk, 'order', 10);
  expect(standings(desk)).toEqual([
    [0, 0, 0],
    [80, 0, 0],
    [10, 0, 0],
  ]);
});

test('a part comes back: the lot that expires soonest is repaid first', () => {
  const desk = undoCounter({ expiration: { policy: 'rolling_days', days: 30 } });
  const credit = undoOf(desk, 'credit', 150);
  const small = undoOf(desk, 'redeem', 50);
  undoOf(desk, 'redeem', 100);
  for (const day of [1, 2]) {
    desk.now = daysFrom(noon, day);
    undoOf(desk, 'order', 80);
  }
  credit();
  small();
  expect(standings(desk)).toEqual([
    [0, 0, -100],
    [50, 0, 30],
    [10, 0, 70],
  ]);
});

describe('a lot that lent points and has expired meanwhile', () => {
  function lapsed(
    act: 'redeem' | 'hold' | 'debit',
    graceDays = 5,
  ): { desk: RewardCounter; back: () => boolean } {
    const desk = undoCounter({
      expiration: { policy: 'rolling_days', days: 30 },
      graceDays,
      rewards: [{ id: 'of-50', name: 'A mug', points: 50, holdSeconds: 86_400 * 40, graceDays }] as never,
    });
    const credit = undoOf(desk, 'credit', 50);
    const back = undoOf(desk, act, 50);
    undoOf(desk, 'order', 80);
    credit();
    desk.now = daysFrom(noon, 33);
    return { desk, back };
  }

  test.each(['redeem', 'debit'] as const)('lives on for the grace days after a reversal (%s)', (act) => {
    const { desk, back } = lapsed(act);
    back();
    expect(lots(desk)).toMatchObject([
      { available: 0, lent: 0 },
      { available: 50, lent: 0, expiresAt: daysFrom(noon, 38) },
    ]);
    expect(desk.profile()).toMatchObject({ available: 50, nextDueAt: daysFrom(noon, 38) });
  });

  test.each(['redeem', 'debit'] as const)('expires at once without grace days (%s)', (act) => {
    const { desk, back } = lapsed(act, 0);
    back();
    expect(lots(desk)).toMatchObject([
      { available: 0, lent: 0 },
      { available: 0, lent: 0, expiresAt: daysFrom(noon, 33) },
    ]);
    expect(desk.balances).toEqual([0, 0, 0]);
    expect(rows(desk.store.tables.transactions).at(-1)).toMatchObject({
      eventType: 'points.expired',
      points: 50,
    });
  });

  test('expires at once after a release', () => {
    const { desk, back } = lapsed('hold');
    back();
    expect(standings(desk)).toEqual([
      [0, 0, 0],
      [0, 0, 0],
    ]);
    expect(desk.balances).toEqual([0, 0, 0]);
  });
});

test('points of the credit that have expired never come back, and what lent them stays short', () => {
  const desk = undoCounter({ expiration: { policy: 'rolling_days', days: 30 } });
  const credit = posted(desk, { points: 50 });
  desk.now = daysFrom(noon, 10);
  undoOf(desk, 'order', 80);
  desk.now = daysFrom(noon, 31);
  receiptOf(decide(desk, 'reverse', credit));
  expect(standings(desk)).toEqual([
    [0, 0, -50],
    [30, 0, 50],
  ]);
});

/** Something that is done, and how it is undone. */
interface Plan extends Deed {
  /** Whether it is never undone. */
  isKept: boolean;
  /** Whether it is undone before the next deed, where that is not refused. */
  isBrief: boolean;
  /** Its places in four orders of undoing. */
  places: number[];
}

const fates = {
  isKept: fc.nat(2).map((draw) => draw === 0),
  isBrief: fc.nat(4).map((draw) => draw === 0),
  places: fc.array(fc.nat(), { minLength: 4, maxLength: 4 }),
};
const plans: fc.Arbitrary<Plan[]> = fc.array(
  fc.oneof(
    fc.record({
      act: fc.constantFrom<Deed['act']>('credit', 'order', 'exchange in'),
      points: fc.integer({ min: 1, max: 15 }).map((tens) => tens * 10),
      ...fates,
    }),
    fc.record({
      act: fc.constantFrom<Deed['act']>('redeem', 'hold', 'debit', 'exchange out'),
      points: fc.constantFrom(...REWARD_POINTS),
      ...fates,
    }),
  ),
  { minLength: 3, maxLength: 14 },
);

/** What holds after every step. */
function expectLaws(desk: RewardCounter): void {
  const all = lots(desk);
  for (const lot of all) {
    if (lot.lent < 0 || lot.claimed > 0) expect(lot.available).toBe(0);
    expect(lot.pending + lot.available + lot.reserved + lot.lent).toBeLessThanOrEqual(lot.granted);
  }
  expect(sumOf(all.map(({ lent }) => lent))).toBe(0);
  expect(sumOf(all.map(({ available }) => available))).toBe(desk.profile().available);
}

function sumOf(amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => sum + amount, 0);
}

function inOrder(undos: readonly { place: number; undo: () => boolean }[]): (() => boolean)[] {
  return undos.toSorted((a, b) => a.place - b.place).map(({ undo }) => undo);
}

describe('laws, whatever is done and undone in whatever order', () => {
  test('when all that was spent is back, each lot has what its own credit or order is worth', () => {
    fc.assert(
      fc.property(plans, (list) => {
        const desk = undoCounter();
        const watched = (undo: () => boolean) => () => {
          const done = undo();
          expectLaws(desk);
          return done;
        };
        const undos: { place: number; undo: () => boolean }[] = [];
        const kept: number[] = [];
        for (const plan of list) {
          const undo = carryOut(desk, plan);
          if (!undo) continue;
          const grants = ['credit', 'order', 'exchange in'].includes(plan.act);
          const isKept = grants && plan.isKept;
          if (grants) kept.push(isKept ? plan.points : 0);
          if (isKept || (plan.isBrief && watched(undo)())) continue;
          undos.push({ place: plan.places[0] ?? 0, undo: watched(undo) });
        }
        undoAll(inOrder(undos));
        expect(standings(desk)).toEqual(kept.map((points) => [points, 0, 0]));
        expect(desk.balances).toEqual([sumOf(kept), 0, 0]);
      }),
      { numRuns: 100 },
    );
  });

  test('returns and what gives points back lead to the same lots in any order, also where some never come back', () => {
    fc.assert(
      fc.property(plans, (list) => {
        const [one, other] = [0, 1].map((run) => {
          const desk = undoCounter();
          const credits: (() => boolean)[] = [];
          const undos: { place: number; undo: () => boolean }[] = [];
          for (const { isKept, places, ...deed } of list) {
            const undo = carryOut(desk, deed);
            if (!undo || isKept) continue;
            const [place = 0, second = 0] = [places[run], places[run + 2]];
            if (deed.act === 'credit' || deed.act === 'exchange in') credits.push(undo);
            else if (deed.act !== 'order') undos.push({ place, undo });
            else {
              const sourceReference = rows(desk.store.tables.orders).at(-1)?.sourceReference ?? '';
              const half = deed.points / 2;
              for (const each of [place, second]) {
                undos.push({ place: each, undo: () => giveBack(desk, sourceReference, half) });
              }
            }
          }
          for (const reverse of credits) reverse();
          for (const undo of inOrder(undos)) expect(undo()).toBe(true);
          expectLaws(desk);
          return standings(desk);
        });
        expect(one).toEqual(other);
      }),
      { numRuns: 100 },
    );
  });
});
