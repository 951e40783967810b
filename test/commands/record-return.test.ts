import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { RecordReturnInput } from '../../src/contract/generated/types.ts';
import { toTypeId } from '../../src/ids.ts';
import type { LotRecord } from '../../src/ledger/tables/lot-rows.ts';
import type { OrderRecord } from '../../src/ledger/tables/orders.ts';
import { isRefusal } from '../../src/refusal.ts';
import { pointsDue } from '../../src/rules/clawback.ts';
import { codeOf, counter, type Desk, daysFrom, receiptOf, rows } from '../support/commands/desk.ts';
import {
  commitAndReverse,
  holdPoints,
  releasePoints,
  settlePoints,
  spendPoints,
} from '../support/commands/direct-redemption.ts';
import { program } from '../support/rules/fixtures.ts';

const lines = [
  { lineReference: 'beans', quantity: 2, unitPriceMinor: 1000 },
  { lineReference: 'mug', quantity: 1, unitPriceMinor: 2000 },
  { sku: 'card', quantity: 1, unitPriceMinor: 1000 },
];

/** An order `o1` of 100 dollars and 100 points. */
function ordered(amountMinor = 10_000, items: object[] = []): Desk {
  const desk = counter();
  desk.earn({ sourceReference: 'o1', amountMinor, items });
  return desk;
}

function order(desk: Desk, reference = 'o1'): OrderRecord {
  return desk.store.tables.orders.get(reference) as OrderRecord;
}

function lotsOf(desk: Desk, reference = 'o1'): LotRecord[] {
  return rows(desk.store.tables.lots).filter(
    (lot) => lot.transactionId === order(desk, reference).transactionId,
  );
}

function returned(desk: Desk, changes: Partial<RecordReturnInput>): Record<string, unknown> {
  const returnReference = `r-${desk.store.tables.returns.size}`;
  const receipt = receiptOf(desk.return({ sourceReference: 'o1', returnReference, ...changes }));
  return receipt.return as Record<string, unknown>;
}

/** What is true of every order, whatever has happened to it. */
function expectBalanced(desk: Desk): void {
  const { tables } = desk.store;
  for (const order of rows(tables.orders)) {
    const { sourceReference, points, returnedMinor, clawedBack } = order;
    const claimed = lotsOf(desk, sourceReference).reduce((sum, lot) => sum + lot.claimed, 0);
    expect(clawedBack + claimed).toBe(pointsDue(points, order));
    const returns = rows(tables.returns).filter((row) => row.sourceReference === sourceReference);
    expect(returns.reduce((sum, row) => sum + row.returnAmountMinor, 0)).toBe(returnedMinor);
  }
  const held = { available: 0, pending: 0, reserved: 0 };
  for (const lot of rows(tables.lots)) {
    held.available += lot.available;
    held.pending += lot.pending;
    held.reserved += lot.reserved;
  }
  expect(desk.profile()).toMatchObject(held);
  const moved = { available: 0, pending: 0, reserved: 0 };
  for (const { debitAccount, creditAccount, amount } of rows(tables.postings)) {
    for (const [account, sign] of [
      [debitAccount, -1],
      [creditAccount, 1],
    ] as const) {
      const name = account.replace('member.', '') as keyof typeof moved;
      if (name in moved) moved[name] += sign * amount;
    }
  }
  expect(moved).toEqual(held);
}

describe('what a return leaves behind', () => {
  test('transaction, posting, lot, order, return, balance, receipt and audit event', () => {
    const desk = ordered();
    desk.now = daysFrom(desk.now, 3);
    const receipt = receiptOf(
      desk.return({ sourceReference: 'o1', returnReference: 'r1', returnAmountMinor: 2550 }),
    );
    const { tables } = desk.store;
    const transaction = rows(tables.transactions).at(-1);
    const [lot] = lotsOf(desk);
    expect(receipt).toEqual({
      id: toTypeId('txn', transaction?.id ?? ''),
      status: 'committed',
      return: {
        sourceReference: 'o1',
        returnReference: 'r1',
        returnAmountMinor: 2550,
        pointsClawedBack: 26,
        shortfall: 0,
        orderStatus: 'partially_returned',
        referral: null,
      },
      evidence: { returnReference: 'r1', lines: null, returnedMinor: 2550 },
    });
    expect(transaction).toMatchObject({
      eventType: 'order.returned',
      sourceReference: 'o1',
      state: 'committed',
      points: 26,
      createdAt: desk.now,
      receipt,
    });
    expect(rows(tables.postings).filter((row) => row.transactionId === transaction?.id)).toEqual([
      expect.objectContaining({
        line: 1,
        debitAccount: 'member.available',
        creditAccount: 'program.issuance',
        amount: 26,
        lotId: lot?.id,
      }),
    ]);
    expect(lot).toMatchObject({ granted: 100, available: 74, claimed: 0 });
    expect(order(desk)).toMatchObject({ state: 'partially_returned', returnedMinor: 2550, clawedBack: 26 });
    expect(rows(tables.returns)).toEqual([
      {
        returnReference: 'r1',
        sourceReference: 'o1',
        transactionId: transaction?.id,
        returnAmountMinor: 2550,
        pointsClawedBack: 26,
        shortfall: 0,
        createdAt: desk.now,
        receipt,
      },
    ]);
    expect(desk.profile()).toMatchObject({ available: 74, qualificationPoints: 100, tier: 'bronze' });
    expect(rows(tables.audits).at(-1)).toMatchObject({
      action: 'order.returned',
      targetType: 'transaction',
      targetId: receipt.id,
      actorId: 'key_a',
      changes: {
        programId: 'coffee-club',
        returnAmountMinor: 2550,
        pointsClawedBack: 26,
        shortfall: 0,
      },
    });
    expect(desk.store.webhookEvents.filter(({ type }) => type.includes('return'))).toEqual([]);
    expectBalanced(desk);
  });

  test('a return of no points is a transaction without a posting', () => {
    const desk = ordered(99);
    expect(returned(desk, { returnAmountMinor: 99 })).toMatchObject({
      pointsClawedBack: 0,
      shortfall: 0,
      orderStatus: 'returned',
    });
    expect(desk.store.tables.postings.size).toBe(0);
    expect(rows(desk.store.tables.transactions).at(-1)).toMatchObject({ points: 0 });
  });

  test('neither tier nor qualification nor what is left of a limit come back', () => {
    const desk = counter({ memberLimit: { points: 100, period: 'day', onExceed: 'trim' } });
    desk.earn({ sourceReference: 'o1' });
    returned(desk, { returnAmountMinor: 10_000 });
    expect(receiptOf(desk.earn())).toMatchObject({ award: { points: 0 } });
    expect(desk.profile().qualificationPoints).toBe(200);
  });
});

describe('by amount', () => {
  test('8 points in three equal returns are 8, and the order is returned', () => {
    const desk = ordered(801);
    const answers = [0, 1, 2].map(() => returned(desk, { returnAmountMinor: 267 }));
    expect(answers.map((answer) => [answer.pointsClawedBack, answer.orderStatus])).toEqual([
      [3, 'partially_returned'],
      [2, 'partially_returned'],
      [3, 'returned'],
    ]);
    expect(desk.profile().available).toBe(0);
    expectBalanced(desk);
  });

  test('one minor unit too much is refused, and nothing is taken', () => {
    const desk = ordered();
    returned(desk, { returnAmountMinor: 9_999 });
    const before = desk.store.tables.transactions.size;
    expect(codeOf(desk.return({ sourceReference: 'o1', returnReference: 'x', returnAmountMinor: 2 }))).toBe(
      'return_exceeds_remaining',
    );
    expect(desk.store.tables.transactions.size).toBe(before);
    expect(returned(desk, { returnAmountMinor: 1 })).toMatchObject({ orderStatus: 'returned' });
  });

  test('of an order of no value nothing can go back', () => {
    const desk = ordered(0);
    expect(codeOf(desk.return({ sourceReference: 'o1', returnReference: 'x', returnAmountMinor: 1 }))).toBe(
      'return_exceeds_remaining',
    );
  });
});

describe('by lines', () => {
  test('amount and points follow from the lines; one named twice is added up', () => {
    const desk = ordered(5000, lines);
    const items = [
      { lineReference: 'beans', quantity: 1 },
      { lineReference: 'mug', quantity: 1 },
      { lineReference: 'beans', quantity: 1 },
    ];
    expect(returned(desk, { items })).toMatchObject({
      returnAmountMinor: 4000,
      pointsClawedBack: 40,
      orderStatus: 'partially_returned',
    });
    expect(order(desk).returnedLines).toEqual({ beans: 2, mug: 1 });
    expect(rows(desk.store.tables.transactions).at(-1)?.receipt).toMatchObject({
      evidence: {
        lines: [
          { lineReference: 'beans', quantity: 2 },
          { lineReference: 'mug', quantity: 1 },
        ],
      },
    });
  });

  test('more than remains of a line is refused, named by its path; what remains goes back', () => {
    const desk = ordered(5000, lines);
    returned(desk, { items: [{ lineReference: 'beans', quantity: 1 }] });
    const items = [
      { lineReference: 'mug', quantity: 1 },
      { lineReference: 'beans', quantity: 2 },
    ];
    const refused = desk.return({ sourceReference: 'o1', returnReference: 'x', items });
    expect(refused).toMatchObject({
      code: 'return_exceeds_remaining',
      details: [
        {
          path: 'items[1].quantity',
          message: 'must be at most 1 for this line in all: 1 of 2 returned before',
        },
      ],
    });
    expect(returned(desk, { items: [{ lineReference: 'beans', quantity: 1 }] })).toMatchObject({
      returnAmountMinor: 1000,
    });
  });

  test.each([
    ['one that is not there', ordered(5000, lines), 'tea'],
    ['one of an order without lines', ordered(), 'beans'],
    ['a name of the language', ordered(5000, lines), 'constructor'],
    ['an item that had no reference', ordered(5000, lines), 'card'],
  ])('an unknown line is refused: %s', (_what, desk, lineReference) => {
    const items = [{ lineReference, quantity: 1 }];
    expect(desk.return({ sourceReference: 'o1', returnReference: 'x', items })).toMatchObject({
      code: 'unknown_line',
      details: [{ path: 'items[0].lineReference' }],
    });
  });

  test('of an order without lines the refusal says what to send', () => {
    const items = [{ lineReference: 'beans', quantity: 1 }];
    expect(ordered().return({ sourceReference: 'o1', returnReference: 'x', items })).toMatchObject({
      message: 'The order was recorded without lines: send returnAmountMinor.',
    });
  });

  test('lines follow amounts as long as they are worth no more than remains', () => {
    const desk = ordered(5000, lines);
    returned(desk, { returnAmountMinor: 2500 });
    expect(returned(desk, { items: [{ lineReference: 'beans', quantity: 1 }] })).toMatchObject({
      returnAmountMinor: 1000,
      pointsClawedBack: 10,
    });
    const mug = { items: [{ lineReference: 'mug', quantity: 1 }] };
    expect(codeOf(desk.return({ sourceReference: 'o1', returnReference: 'x', ...mug }))).toBe(
      'return_exceeds_remaining',
    );
    expect(returned(desk, { returnAmountMinor: 1500 })).toMatchObject({ orderStatus: 'returned' });
    expect(order(desk).returnedLines).toEqual({ beans: 1 });
    expectBalanced(desk);
  });

  test('an order of no value is returned once all of its lines are', () => {
    const desk = ordered(0, lines.slice(0, 2));
    const free = { returnAmountMinor: 0, pointsClawedBack: 0 };
    expect(returned(desk, { items: [{ lineReference: 'beans', quantity: 2 }] })).toMatchObject({
      ...free,
      orderStatus: 'partially_returned',
    });
    expect(returned(desk, { items: [{ lineReference: 'mug', quantity: 1 }] })).toMatchObject({
      ...free,
      orderStatus: 'returned',
    });
  });

  test('the points of an order of no value, such as those of a coupon, are due when all of its lines are back', () => {
    const desk = counter({ coupons: [{ code: 'WELCOME', award: { bonusPoints: 50 } }] });
    const items = lines.slice(0, 2);
    desk.earn({ sourceReference: 'o1', amountMinor: 0, items, couponCode: 'WELCOME' });
    expect(desk.profile('ann').available).toBe(50);
    expect(returned(desk, { items: [{ lineReference: 'beans', quantity: 2 }] })).toMatchObject({
      pointsClawedBack: 0,
    });
    expect(returned(desk, { items: [{ lineReference: 'mug', quantity: 1 }] })).toMatchObject({
      pointsClawedBack: 50,
      orderStatus: 'returned',
    });
    expect(desk.profile('ann').available).toBe(0);
    expectBalanced(desk);
  });

  test('an order of no value with an item that cannot be named is never returned whole', () => {
    const desk = ordered(0, lines);
    const items = [
      { lineReference: 'beans', quantity: 2 },
      { lineReference: 'mug', quantity: 1 },
    ];
    expect(returned(desk, { items })).toMatchObject({ orderStatus: 'partially_returned' });
  });

  test('a lineReference may be any string', () => {
    const desk = ordered(1000, [{ lineReference: '__proto__', quantity: 2, unitPriceMinor: 500 }]);
    const one = [{ lineReference: '__proto__', quantity: 1 }];
    expect(returned(desk, { items: one })).toMatchObject({ returnAmountMinor: 500 });
    expect(returned(desk, { items: one })).toMatchObject({ orderStatus: 'returned' });
    const refused = desk.return({ sourceReference: 'o1', returnReference: 'x', items: one });
    expect(codeOf(refused)).toBe('return_exceeds_remaining');
  });
});

describe('the form', () => {
  const some = { returnAmountMinor: 1, items: [{ lineReference: 'beans', quantity: 1 }] };
  test.each([
    ['both', some, 'return_form_invalid'],
    ['neither', {}, 'return_form_invalid'],
    ['no lines', { items: [] }, 'return_form_invalid'],
    ['nulls', { returnAmountMinor: null, items: null }, 'return_form_invalid'],
    ['an amount, and an empty list', { returnAmountMinor: 1, items: [] }, 'done'],
    ['lines, and a null', { ...some, returnAmountMinor: null }, 'done'],
  ])('%s: %s', (_what, form, code) => {
    expect(
      codeOf(ordered(5000, lines).return({ sourceReference: 'o1', returnReference: 'x', ...form })),
    ).toBe(code);
  });

  test('is looked at before the order', () => {
    expect(codeOf(counter().return({ sourceReference: 'none', returnReference: 'x' }))).toBe(
      'return_form_invalid',
    );
  });
});

describe('identities', () => {
  const first = { sourceReference: 'o1', returnReference: 'r1', returnAmountMinor: 1000 };

  test('the same key is a replay, another input under it is refused', () => {
    const desk = ordered();
    const done = desk.return({ ...first, idempotencyKey: 'k' });
    expect(codeOf(desk.return({ ...first, idempotencyKey: 'k' }))).toBe('replayed');
    expect(receiptOf(desk.return({ ...first, idempotencyKey: 'k' }))).toEqual(receiptOf(done));
    expect(codeOf(desk.return({ ...first, idempotencyKey: 'k', returnAmountMinor: 1 }))).toBe(
      'idempotency_key_reused',
    );
    expect(desk.profile().available).toBe(90);
  });

  test('the same return under another key is the existing one, even where it says another amount', () => {
    const desk = ordered();
    const done = receiptOf(desk.return(first));
    const again = desk.return({ ...first, idempotencyKey: 'again', returnAmountMinor: 9999 });
    expect({ code: codeOf(again), receipt: receiptOf(again) }).toEqual({ code: 'replayed', receipt: done });
    expect(desk.profile().available).toBe(90);
    expect(desk.store.tables.returns.size).toBe(1);
    // The key `again` belongs to the input that it came with, which had another amount.
    expect(codeOf(desk.return({ ...first, idempotencyKey: 'again' }))).toBe('idempotency_key_reused');
    const stored = rows(desk.store.tables.idempotency).filter(
      ({ operation }) => operation === 'recordReturn',
    );
    expect(stored.map(({ transactionId }) => transactionId)).toEqual([
      rows(desk.store.tables.transactions).at(-1)?.id,
      rows(desk.store.tables.transactions).at(-1)?.id,
    ]);
  });

  test('the same reference for another order is refused', () => {
    const desk = ordered();
    desk.earn({ sourceReference: 'o2' });
    desk.return(first);
    expect(codeOf(desk.return({ ...first, sourceReference: 'o2' }))).toBe('return_reference_conflict');
  });

  test('two of one reference in one batch: one acts', () => {
    const desk = ordered();
    const commands = ['a', 'b'].map((idempotencyKey) => {
      const command = desk.returnCommand({ ...first, idempotencyKey });
      if (isRefusal(command)) throw new Error(command.code);
      return command;
    });
    expect(desk.store.runBatch(commands, desk.now).map(codeOf)).toEqual(['done', 'replayed']);
    expect(desk.profile().available).toBe(90);
  });

  test('an unknown order is refused after a replay and a lock, before everything else', () => {
    const desk = ordered();
    desk.return({ ...first, idempotencyKey: 'k' });
    expect(codeOf(desk.return({ ...first, sourceReference: 'none' }))).toBe('order_not_found');
    expect(codeOf(desk.return({ ...first, sourceReference: 'none', idempotencyKey: 'k' }))).toBe(
      'idempotency_key_reused',
    );
    desk.store.setLocked(true);
    expect(codeOf(desk.return({ ...first, sourceReference: 'none' }))).toBe('production_locked');
    expect(codeOf(desk.return({ ...first, idempotencyKey: 'k' }))).toBe('replayed');
  });
});

describe('where the points are', () => {
  test('pending ones are taken first; what is left becomes available on its day', () => {
    const desk = counter({ pending: { days: 14 } });
    desk.earn({ sourceReference: 'o1' });
    expect(returned(desk, { returnAmountMinor: 4000 })).toMatchObject({ pointsClawedBack: 40, shortfall: 0 });
    expect(desk.profile()).toMatchObject({ pending: 60, available: 0 });
    desk.now = daysFrom(desk.now, 14);
    expect(returned(desk, { returnAmountMinor: 1000 })).toMatchObject({ pointsClawedBack: 10 });
    expect(desk.profile()).toMatchObject({ pending: 0, available: 50 });
    const events = rows(desk.store.tables.transactions).map(({ eventType }) => eventType);
    expect(events).toEqual(['purchase.completed', 'order.returned', 'points.activated', 'order.returned']);
    expectBalanced(desk);
  });

  test('points of other orders are left alone', () => {
    const desk = ordered();
    desk.earn({ sourceReference: 'o2' });
    spendPoints(desk, 100);
    const [spent, other] = lotsOf(desk)[0]?.available === 0 ? ['o1', 'o2'] : ['o2', 'o1'];
    expect(returned(desk, { sourceReference: spent, returnAmountMinor: 10_000 })).toMatchObject({
      pointsClawedBack: 0,
      shortfall: 100,
    });
    expect(lotsOf(desk, other)).toMatchObject([{ available: 100, claimed: 0 }]);
    expectBalanced(desk);
  });

  test('spent ones are a shortfall, and a claim; no balance goes below zero', () => {
    const desk = ordered();
    spendPoints(desk, 70);
    expect(returned(desk, { returnAmountMinor: 5000 })).toMatchObject({
      pointsClawedBack: 30,
      shortfall: 20,
    });
    expect(returned(desk, { returnAmountMinor: 5000 })).toMatchObject({ pointsClawedBack: 0, shortfall: 50 });
    expect(lotsOf(desk)).toMatchObject([{ available: 0, claimed: 70 }]);
    expect(order(desk)).toMatchObject({ state: 'returned', clawedBack: 30 });
    expectBalanced(desk);
  });

  test('held ones pay when they are released', () => {
    const desk = ordered();
    const hold = holdPoints(desk, 80);
    expect(returned(desk, { returnAmountMinor: 5000 })).toMatchObject({
      pointsClawedBack: 20,
      shortfall: 30,
    });
    releasePoints(desk, hold);
    expect(desk.profile()).toMatchObject({ available: 50, reserved: 0 });
    expect(order(desk).clawedBack).toBe(50);
    expect(lotsOf(desk)).toMatchObject([{ available: 50, claimed: 0 }]);
    expectBalanced(desk);
  });

  test('held ones pay when the hold expires, and a return at that moment finds them', () => {
    const desk = ordered();
    holdPoints(desk, 80);
    returned(desk, { returnAmountMinor: 5000 });
    desk.now = daysFrom(desk.now, 1);
    expect(returned(desk, { returnAmountMinor: 2000 })).toMatchObject({ pointsClawedBack: 20, shortfall: 0 });
    expect(order(desk)).toMatchObject({ clawedBack: 70, returnedMinor: 7000 });
    expect(desk.profile()).toMatchObject({ available: 30, reserved: 0 });
    expect(rows(desk.store.tables.reservations)).toMatchObject([{ state: 'expired' }]);
    expectBalanced(desk);
  });

  test('held ones pay when they were spent and come back by a reversal', () => {
    const desk = ordered();
    const hold = holdPoints(desk, 100);
    expect(returned(desk, { returnAmountMinor: 2500 })).toMatchObject({ pointsClawedBack: 0, shortfall: 25 });
    commitAndReverse(desk, hold);
    expect(desk.profile()).toMatchObject({ available: 75, reserved: 0 });
    expectBalanced(desk);
  });

  test('expired ones are not there, whether they were swept or not', () => {
    const outcomes = [false, true].map((swept) => {
      const desk = counter({ expiration: { policy: 'rolling_days', days: 30 } });
      desk.earn({ sourceReference: 'o1' });
      desk.now = daysFrom(desk.now, 30);
      if (swept) settlePoints(desk);
      const answer = returned(desk, { returnAmountMinor: 10_000 });
      expect(desk.profile()).toMatchObject({ available: 0 });
      expectBalanced(desk);
      return answer;
    });
    expect(outcomes).toMatchObject([
      { pointsClawedBack: 0, shortfall: 100 },
      { pointsClawedBack: 0, shortfall: 100 },
    ]);
  });

  test('of a member who has left, or is suspended, an order can be returned', () => {
    const desk = ordered();
    spendPoints(desk, 100);
    expect(codeOf(desk.unenroll())).toBe('done');
    desk.setMember({ status: 'suspended' });
    expect(returned(desk, { returnAmountMinor: 10_000 })).toMatchObject({
      pointsClawedBack: 0,
      shortfall: 100,
    });
    expect(desk.profile()).toMatchObject({ enrolled: false, available: 0 });
  });
});

describe('where the program refuses a shortfall', () => {
  test('nothing happens, and what is there can still go back', () => {
    const desk = counter({ returns: { onShortfall: 'refuse' } });
    desk.earn({ sourceReference: 'o1' });
    spendPoints(desk, 70);
    const before = desk.store.tables.transactions.size;
    const refused = desk.return({ sourceReference: 'o1', returnReference: 'x', returnAmountMinor: 3100 });
    expect(codeOf(refused)).toBe('points_not_recoverable');
    expect({
      transactions: desk.store.tables.transactions.size,
      returns: desk.store.tables.returns.size,
    }).toEqual({ transactions: before, returns: 0 });
    expect(order(desk)).toMatchObject({ state: 'active', returnedMinor: 0 });
    expect(returned(desk, { returnAmountMinor: 3000 })).toMatchObject({ pointsClawedBack: 30, shortfall: 0 });
  });

  test('the version in effect now decides, not the one of the purchase', () => {
    const desk = ordered();
    spendPoints(desk, 100);
    const versions = [{ version: 1, effectiveFrom: desk.now, publishedAt: desk.now, document: program() }];
    const strict = program({ returns: { onShortfall: 'refuse' } });
    const tomorrow = daysFrom(desk.now, 1);
    desk.publish(strict, { effectiveFrom: tomorrow, versions });
    expect(returned(desk, { returnAmountMinor: 1000 })).toMatchObject({ shortfall: 10 });
    desk.now = tomorrow;
    expect(
      codeOf(desk.return({ sourceReference: 'o1', returnReference: 'x', returnAmountMinor: 1000 })),
    ).toBe('points_not_recoverable');
  });
});

test('law: however an order is returned, held and released meanwhile, in the end exactly its points are due', () => {
  const step = fc.oneof(
    fc.record({ what: fc.constant('return' as const), part: fc.integer({ min: 1, max: 400 }) }),
    fc.record({ what: fc.constant('hold' as const), part: fc.integer({ min: 1, max: 12 }) }),
    fc.record({ what: fc.constant('release' as const), part: fc.constant(0) }),
    fc.record({ what: fc.constant('spend' as const), part: fc.integer({ min: 1, max: 4 }) }),
    fc.record({ what: fc.constant('wait' as const), part: fc.constant(0) }),
  );
  fc.assert(
    fc.property(
      fc.integer({ min: 100, max: 3000 }),
      fc.array(step, { maxLength: 15 }),
      (amountMinor, steps) => {
        const desk = ordered(amountMinor);
        const holds: string[] = [];
        for (const { what, part } of steps) {
          settlePoints(desk);
          const { available } = desk.profile();
          const remaining = order(desk).amountMinor - order(desk).returnedMinor;
          if (what === 'return' && remaining > 0)
            returned(desk, { returnAmountMinor: Math.min(part, remaining) });
          else if (what === 'hold' && available > 0) holds.push(holdPoints(desk, Math.min(part, available)));
          else if (what === 'spend' && available > 0) spendPoints(desk, Math.min(part, available));
          else if (what === 'wait') desk.now = new Date(desk.now.getTime() + 600_000);
          else if (what === 'release') {
            const open = holds.find((id) => desk.store.tables.reservations.get(id)?.state === 'reserved');
            if (open) releasePoints(desk, open);
          }
          expectBalanced(desk);
        }
        const { returnedMinor } = order(desk);
        if (returnedMinor < amountMinor) returned(desk, { returnAmountMinor: amountMinor - returnedMinor });
        desk.now = daysFrom(desk.now, 1);
        settlePoints(desk);
        // All unspent points have been clawed back, and the spent ones are claimed.
        expect(desk.profile()).toMatchObject({ available: 0, pending: 0, reserved: 0 });
        const claimed = lotsOf(desk).reduce((sum, lot) => sum + lot.claimed, 0);
        expect(order(desk).clawedBack + claimed).toBe(order(desk).points);
        expectBalanced(desk);
      },
    ),
    { numRuns: 200 },
  );
});
