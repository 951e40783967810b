import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Reward } from '../../../src/programs/document/program-document.ts';
import { codeOf, daysFrom, receiptOf, rows } from '../../support/commands/desk.ts';
import { type RewardCounter, reward, rewardCounter } from '../../support/commands/reward-counter.ts';
import { noon, program } from '../../support/rules/fixtures.ts';

/** 10 points are worth 30 cents, for at most half of an order. */
const voucher: Reward = {
  id: 'mug',
  name: 'Points at the checkout',
  payWithPoints: {
    pointsPerUnit: 10,
    unitMinor: 30,
    minimumPoints: 20,
    maximumShareOfOrder: { numerator: 1, denominator: 2 },
  },
};
const order = { orderAmountMinor: 100_000 };

/** ann has lots of 50, 120 and 80 points. */
function counterWith(overrides: Partial<Reward> = {}): RewardCounter {
  return rewardCounter({ rewards: [{ ...voucher, ...overrides }] });
}

const discountOf = (desk: RewardCounter): unknown => {
  const { state, reversedMinor, reversedPoints } = desk.newestReservation;
  return [state, reversedMinor, reversedPoints];
};

test('a quote says what the points pay for, and the reservation keeps it', () => {
  const desk = counterWith();
  expect(receiptOf(desk.quote({ points: 180, ...order }))).toMatchObject({
    quote: { points: 180, terms: { discountMinor: 540, currency: 'USD', orderAmountMinor: 100_000 } },
  });
  // What is published later changes nothing of it.
  desk.publish(program({ rewards: [reward()] }));
  const discount = { amountMinor: 540, currency: 'USD', ...order, reversedMinor: 0, reversedPoints: 0 };
  expect(receiptOf(desk.reserve())).toMatchObject({
    reservation: { state: 'reserved', points: 180, discount },
  });
  expect(desk.lots).toEqual(['0/50', '0/120', '70/10']);
  expect(receiptOf(desk.commit())).toMatchObject({ reservation: { state: 'committed', discount } });
  expect(desk.balances).toEqual([70, 0, 0]);
});

test('by amount it pays what the balance allows; a fixed price has no discount', () => {
  const desk = counterWith();
  const paid = receiptOf(desk.quote({ amountMinor: 50_000, ...order }));
  expect(paid).toMatchObject({ quote: { points: 250, terms: { discountMinor: 750 } } });
  const share = receiptOf(desk.quote({ amountMinor: 50_000, orderAmountMinor: 599 }));
  expect(share).toMatchObject({ quote: { points: 90, terms: { discountMinor: 270 } } });
  const plain = rewardCounter();
  expect(receiptOf(plain.quote())).toMatchObject({ quote: { terms: { holdSeconds: 1800 } } });
  expect(plain.newestQuote.terms.discount).toBeUndefined();
  expect(receiptOf(plain.reserve())).not.toHaveProperty('reservation.discount');
});

test('refusals of a quote, each before the ones below it', () => {
  const desk = counterWith();
  desk.setProfile({ enrolled: false, unenrolledAt: noon });
  let input: Parameters<typeof desk.quote>[0] = { points: 265, amountMinor: 100, ...order };
  const offer = (overrides: Partial<Reward>): void =>
    desk.publish(program({ rewards: [{ ...voucher, ...overrides }] }));
  offer({ inventory: 0 });
  const steps: [code: string, repair: () => void][] = [
    ['quote_form_invalid', () => (input = { points: 265, amountMinor: null })],
    ['quote_form_invalid', () => (input = { ...input, orderAmountMinor: 1_000 })],
    ['enrollment_required', () => desk.setProfile({ enrolled: true, unenrolledAt: null })],
    ['inventory_exhausted', () => offer({ inventory: 1 })],
    ['points_out_of_range', () => (input = { ...input, points: 260 })],
    ['points_out_of_range', () => (input = { ...input, ...order })],
    ['insufficient_points', () => (input = { ...input, points: 250 })],
    ['done', () => {}],
  ];
  for (const [code, repair] of steps) {
    expect(codeOf(desk.quote(input))).toBe(code);
    repair();
  }
});

test.each([{ points: 100 }, { amountMinor: 100 }, { orderAmountMinor: 100 }])(
  'a reward with a fixed price takes no %j',
  (payment) => {
    expect(rewardCounter().quote(payment)).toMatchObject({
      code: 'quote_form_invalid',
      details: [{ path: Object.keys(payment)[0] }],
    });
  },
);

test('parts of the discount give points back to the lots that were spent last, until nothing is left', () => {
  const desk = counterWith({ inventory: 1 });
  receiptOf(desk.redeem({ points: 180, ...order }));
  const commit = rows(desk.store.tables.transactions).at(-1);
  const changedAt = desk.newestReservation.changedAt;
  desk.inSeconds(5);
  expect(receiptOf(desk.reverse({ amountMinor: 100 }))).toMatchObject({
    reservation: {
      state: 'committed',
      points: 180,
      discount: { amountMinor: 540, reversedMinor: 100, reversedPoints: 33 },
    },
  });
  expect(desk.lots).toEqual(['0/0', '23/0', '80/0']);
  expect(desk.newestReservation.changedAt).toEqual(changedAt);
  expect(desk.store.tables.transactions.get(commit?.id ?? '')).toMatchObject({
    state: 'committed',
    reversedBy: null,
  });
  expect(rows(desk.store.tables.transactions).at(-1)).toMatchObject({ points: 33, reversalOf: commit?.id });
  expect(desk.store.webhookEvents.at(-1)).toMatchObject({
    type: 'redemption.reversed',
    data: { points: 180, reservationState: 'committed', reversedPoints: 33, reversedMinor: 100 },
  });
  expect(rows(desk.store.tables.stocks)).toMatchObject([{ taken: 1 }]);
  expect(codeOf(desk.reverse({ amountMinor: 441 }))).toBe('reversal_exceeds_remaining');
  // A cent is worth a third of a point: nothing comes back for it, and a whole one for the next.
  expect([desk.reverse({ amountMinor: 1 }), desk.reverse({ amountMinor: 1 })].map(codeOf)).toEqual([
    'done',
    'done',
  ]);
  expect(discountOf(desk)).toEqual(['committed', 102, 34]);
  expect(receiptOf(desk.reverse())).toMatchObject({
    reservation: { state: 'reversed', discount: { reversedMinor: 540, reversedPoints: 180 } },
  });
  const last = rows(desk.store.tables.transactions).at(-1);
  expect(last).toMatchObject({ points: 146, reversalOf: commit?.id });
  expect(desk.store.tables.transactions.get(commit?.id ?? '')).toMatchObject({
    state: 'reversed',
    reversedBy: last?.id,
  });
  expect(desk.lots).toEqual(['50/0', '120/0', '80/0']);
  expect(rows(desk.store.tables.stocks)).toMatchObject([{ taken: 0 }]);
  expect(codeOf(desk.reverse({ amountMinor: 1 }))).toBe('invalid_redemption_state');
});

test('a reward with a fixed price is reversed as a whole; evidence is asked for each part', () => {
  const plain = rewardCounter();
  plain.redeem();
  expect(codeOf(plain.reverse({ amountMinor: 1 }))).toBe('reversal_form_invalid');
  const desk = counterWith({ cancellationEvidenceRequired: true });
  desk.redeem({ points: 100, ...order });
  expect(codeOf(desk.reverse({ amountMinor: 10 }))).toBe('cancellation_evidence_required');
  expect(codeOf(desk.reverse({ amountMinor: 10, cancellationEvidence: { ticket: 1 } }))).toBe('done');
});

test('a part is done once under its key, and another amount is another input', () => {
  const desk = counterWith();
  desk.redeem({ points: 100, ...order });
  const part = { idempotencyKey: 'part', amountMinor: 30 };
  expect([desk.reverse(part), desk.reverse(part)].map(codeOf)).toEqual(['done', 'replayed']);
  expect(codeOf(desk.reverse({ ...part, amountMinor: 31 }))).toBe('idempotency_key_reused');
  expect(discountOf(desk)).toEqual(['committed', 30, 10]);
});

test('a dispute that is resolved with a reversal gives back what parts have left', () => {
  const desk = counterWith();
  desk.redeem({ points: 100, ...order });
  desk.reverse({ amountMinor: 31 });
  desk.dispute();
  expect(codeOf(desk.resolve({ reverse: true }))).toBe('done');
  expect({ discount: discountOf(desk), balances: desk.balances }).toEqual({
    discount: ['reversed', 300, 100],
    balances: [250, 0, 0],
  });
});

test('each part pays the claims of returns first, and revives only the lots that it gives back to', () => {
  const desk = rewardCounter({
    rewards: [voucher],
    expiration: { policy: 'rolling_days', days: 10 },
    graceDays: 5,
  });
  desk.redeem({ points: 180, ...order });
  const second = rows(desk.store.tables.orders)[1];
  desk.return({
    sourceReference: second?.sourceReference ?? '',
    returnReference: 'r',
    returnAmountMinor: 12_000,
  });
  desk.now = daysFrom(noon, 12);
  desk.reverse({ amountMinor: 300 });
  // 10 points of the third lot live on for the grace days, and 90 of the second pay for the return.
  expect(desk.lots).toEqual(['0/0', '0/0', '10/0']);
  expect(rows(desk.store.tables.orders)[1]).toMatchObject({ clawedBack: 90 });
});

test('a widget does not offer it', () => {
  expect(codeOf(counterWith().redeemInWidget())).toBe('reward_not_available');
});

test('any parts in any order of a redemption give each lot back just what was spent of it', () => {
  const parts = fc.array(fc.integer({ min: 1, max: 900 }), { maxLength: 12 });
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 25 }), parts, (tens, amounts) => {
      const points = tens * 10;
      const desk = counterWith();
      desk.redeem({ points, ...order });
      for (const amountMinor of [...amounts, null]) {
        const left = points * 3 - desk.newestReservation.reversedMinor;
        const outcome = codeOf(desk.reverse({ amountMinor }));
        const expected = left === 0 ? 'invalid_redemption_state' : 'reversal_exceeds_remaining';
        expect(outcome).toBe(left > 0 && (amountMinor ?? 0) <= left ? 'done' : expected);
        const { reversedMinor, reversedPoints } = desk.newestReservation;
        expect(reversedPoints).toBe(Math.floor((2 * reversedMinor + 3) / 6));
        // As if only so many had been spent.
        const spent = points - reversedPoints;
        const kept = [
          Math.max(0, 50 - spent),
          Math.min(120, Math.max(0, 170 - spent)),
          Math.min(80, 250 - spent),
        ];
        expect(desk.lots).toEqual(kept.map((available) => `${available}/0`));
      }
      expect(desk.balances).toEqual([250, 0, 0]);
    }),
    { numRuns: 200 },
  );
});
