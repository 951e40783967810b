import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { purchaseEarn } from '../../../src/commands/earning/purchase-earn.ts';
import { toTypeId } from '../../../src/ids.ts';
import type { ProgramDocument } from '../../../src/programs/document/program-document.ts';
import { pointsDue } from '../../../src/rules/clawback.ts';
import { codeOf, Desk, daysFrom, receiptOf, rows } from '../../support/commands/desk.ts';
import {
  holdPoints,
  releasePoints,
  settlePoints,
  spendPoints,
} from '../../support/commands/direct-redemption.ts';
import { noon, program } from '../../support/rules/fixtures.ts';

type Referral = NonNullable<ProgramDocument['referral']>;

const whole = { referrerPoints: 200, refereePoints: 50 };

/** Ann has referred bob with his order `o1`. */
function referred(
  referral: Partial<Referral> = {},
  document: Partial<ProgramDocument> = {},
  amountMinor = 10_000,
): Desk {
  const desk = new Desk();
  desk.publish(program({ referral: { ...whole, ...referral }, ...document }));
  for (const externalCustomerId of ['ann', 'bob']) {
    desk.createMember({ externalCustomerId });
    desk.enroll({ externalCustomerId });
  }
  const referralCode = desk.profile('ann').referralCode as string;
  const purchase = { externalCustomerId: 'bob', sourceReference: 'o1', amountMinor };
  const input = desk.purchaseInput({ ...purchase, context: { attributes: { referralCode } } });
  expect(receiptOf(desk.run(purchaseEarn(input, desk.caller, 'ann'))).referral).not.toBeNull();
  return desk;
}

function returned(desk: Desk, returnAmountMinor: number): Record<string, unknown> {
  const returnReference = `r${desk.store.tables.returns.size + 1}`;
  const receipt = receiptOf(desk.return({ sourceReference: 'o1', returnReference, returnAmountMinor }));
  return receipt.return as Record<string, unknown>;
}

function lotOf(desk: Desk, externalCustomerId: string) {
  const { memberId } = desk.profile(externalCustomerId);
  const awards = rows(desk.store.tables.transactions)
    .filter((row) => row.eventType === 'referral.awarded' && row.memberId === memberId)
    .map(({ id }) => id);
  return rows(desk.store.tables.lots).find((lot) => awards.includes(lot.transactionId));
}

/** Points that went from a lot back to the program. */
function takenFrom(desk: Desk, lotId = ''): number {
  return rows(desk.store.tables.postings)
    .filter((row) => row.lotId === lotId && row.creditAccount === 'program.issuance')
    .reduce((sum, { amount }) => sum + amount, 0);
}

describe('a return of the order that qualified a referral', () => {
  test('takes the points back from both members, in transactions of their own', () => {
    const desk = referred();
    desk.now = daysFrom(noon, 2);
    expect(returned(desk, 2_500)).toEqual({
      sourceReference: 'o1',
      returnReference: 'r1',
      returnAmountMinor: 2_500,
      pointsClawedBack: 25,
      shortfall: 0,
      orderStatus: 'partially_returned',
      referral: {
        referrerPointsClawedBack: 50,
        referrerShortfall: 0,
        refereePointsClawedBack: 13,
        refereeShortfall: 0,
      },
    });
    const { tables, webhookEvents } = desk.store;
    const [ann, bob] = [desk.profile('ann'), desk.profile('bob')];
    expect({ ann: ann.available, bob: bob.available }).toEqual({ ann: 150, bob: 112 });
    const returns = rows(tables.transactions).filter(({ eventType }) => eventType === 'order.returned');
    expect(
      returns
        .map(({ memberId, points, sourceReference }) => [memberId === ann.memberId, points, sourceReference])
        .sort(),
    ).toEqual([
      [false, 13, 'o1'],
      [false, 25, 'o1'],
      [true, 50, 'o1'],
    ]);
    expect(
      rows(tables.audits)
        .slice(-3)
        .map(({ action, changes }) => [action, (changes as { points?: number }).points])
        .sort(),
    ).toEqual([
      ['order.returned', undefined],
      ['referral.clawed_back', 13],
      ['referral.clawed_back', 50],
    ]);
    const { id: returnId } = returns.find(({ points }) => points === 25) ?? {};
    const ofReturn = {
      returnId: toTypeId('txn', returnId ?? ''),
      returnReference: 'r1',
      orderReference: 'o1',
    };
    const clawedBack = webhookEvents.filter(({ type }) => type === 'points.clawed_back');
    expect(
      clawedBack.map(({ data }) => [data.externalCustomerId, data.points, data.balances]).sort(),
    ).toEqual([
      ['ann', 50, { available: 150, pending: 0, reserved: 0 }],
      ['bob', 13, { available: 112, pending: 0, reserved: 0 }],
      ['bob', 25, { available: 112, pending: 0, reserved: 0 }],
    ]);
    for (const { data } of clawedBack) expect(data).toMatchObject({ ...ofReturn, shortfall: 0 });
    // The referral stays used: neither of the two gets it again.
    expect({ referralCount: ann.referralCount, referredBy: bob.referredBy }).toEqual({
      referralCount: 1,
      referredBy: ann.memberId,
    });
  });

  test('in three odd parts takes exactly all of it', () => {
    const desk = referred({}, {}, 801);
    const parts = [0, 1, 2].map(() => returned(desk, 267).referral as Record<string, number>);
    expect(
      parts.map(({ referrerPointsClawedBack, refereePointsClawedBack }) => [
        referrerPointsClawedBack,
        refereePointsClawedBack,
      ]),
    ).toEqual([
      [67, 17],
      [66, 16],
      [67, 17],
    ]);
    expect({ ann: desk.profile('ann').available, bob: desk.profile('bob').available }).toEqual({
      ann: 0,
      bob: 0,
    });
  });

  test('takes nothing of it where the program had said keep at the purchase, whatever it says now', () => {
    const desk = referred({ onReturn: 'keep' });
    desk.publish(program({ referral: { ...whole, onReturn: 'take_back' } }));
    expect(returned(desk, 10_000)).toMatchObject({ pointsClawedBack: 100, referral: null });
    expect({ ann: desk.profile('ann').available, bob: desk.profile('bob').available }).toEqual({
      ann: 200,
      bob: 50,
    });
  });

  test('takes it where the program had said take_back, or nothing, and has no referral any more', () => {
    const desk = referred({ onReturn: 'take_back' });
    desk.publish(program());
    returned(desk, 10_000);
    expect({ ann: desk.profile('ann').available, bob: desk.profile('bob').available }).toEqual({
      ann: 0,
      bob: 0,
    });
  });

  test('says null where the order has no referral', () => {
    const desk = referred();
    desk.earn({ externalCustomerId: 'bob', sourceReference: 'o2' });
    const receipt = receiptOf(
      desk.return({ sourceReference: 'o2', returnReference: 'r', returnAmountMinor: 1 }),
    );
    expect(receipt.return).toMatchObject({ referral: null });
  });

  test('takes pending points first, and posts what time has done to the referrer before', () => {
    const desk = referred({}, { pending: { days: 3 }, expiration: { policy: 'rolling_days', days: 30 } });
    returned(desk, 5_000);
    expect(desk.profile('ann')).toMatchObject({ pending: 100, available: 0 });
    desk.now = daysFrom(noon, 4);
    returned(desk, 2_500);
    expect(desk.profile('ann')).toMatchObject({ pending: 0, available: 50 });
    desk.now = daysFrom(noon, 40);
    expect(returned(desk, 2_500)).toMatchObject({
      referral: { referrerPointsClawedBack: 0, referrerShortfall: 50 },
    });
    expect(desk.profile('ann').available).toBe(0);
  });

  test('is counted where only one of the two got points', () => {
    const desk = referred({ refereePoints: 0 });
    expect(returned(desk, 10_000)).toMatchObject({
      referral: { referrerPointsClawedBack: 200, refereePointsClawedBack: 0, refereeShortfall: 0 },
    });
    expect(lotOf(desk, 'bob')).toBeUndefined();
  });

  test('replays without taking anything again, also in one batch', () => {
    const desk = referred();
    const input = {
      idempotencyKey: 'k',
      sourceReference: 'o1',
      returnReference: 'r',
      returnAmountMinor: 5_000,
    };
    const command = desk.returnCommand(input);
    const again = desk.returnCommand({ ...input, idempotencyKey: 'k2' });
    const rest = desk.returnCommand({ ...input, idempotencyKey: 'k3', returnReference: 's' });
    if ('refused' in command || 'refused' in again || 'refused' in rest) throw new Error('refused');
    const outcomes = desk.store.runBatch([command, command, again, rest], desk.now);
    expect(outcomes.map(codeOf)).toEqual(['done', 'replayed', 'replayed', 'done']);
    expect({ ann: desk.profile('ann').available, bob: desk.profile('bob').available }).toEqual({
      ann: 0,
      bob: 0,
    });
  });
});

describe('what the members have spent of a referral', () => {
  test('is a shortfall, and a claim on the lot that points which come back pay first', () => {
    const desk = referred();
    const hold = holdPoints(desk, 150);
    expect(returned(desk, 10_000)).toMatchObject({
      shortfall: 0,
      referral: { referrerPointsClawedBack: 50, referrerShortfall: 150, refereePointsClawedBack: 50 },
    });
    expect(desk.profile('ann')).toMatchObject({ available: 0, reserved: 150 });
    expect(lotOf(desk, 'ann')).toMatchObject({ claimed: 150 });
    releasePoints(desk, hold);
    expect(desk.profile('ann')).toMatchObject({ available: 0, reserved: 0 });
    expect(lotOf(desk, 'ann')).toMatchObject({ claimed: 0 });
    expect(takenFrom(desk, lotOf(desk, 'ann')?.id)).toBe(200);
    // An order counts what was taken of its own award alone.
    expect(rows(desk.store.tables.orders)[0]).toMatchObject({ points: 100, clawedBack: 100 });
  });

  test('stays a claim where the referrer has left the program', () => {
    const desk = referred();
    spendPoints(desk, 200);
    receiptOf(desk.unenroll());
    expect(returned(desk, 10_000)).toMatchObject({
      referral: { referrerPointsClawedBack: 0, referrerShortfall: 200 },
    });
  });

  test('makes the return impossible where the program refuses shortfalls', () => {
    const desk = referred({}, { returns: { onShortfall: 'refuse' } });
    spendPoints(desk, 1);
    const before = structuredClone(rows(desk.store.tables.lots));
    const refused = desk.return({ sourceReference: 'o1', returnReference: 'r', returnAmountMinor: 10_000 });
    expect(refused).toMatchObject({
      code: 'points_not_recoverable',
      message: '350 points are due back, and 349 of them are left: the program refuses such returns.',
    });
    expect(rows(desk.store.tables.lots)).toEqual(before);
    expect(returned(desk, 5_000)).toMatchObject({ referral: { referrerPointsClawedBack: 100 } });
  });
});

test('in any parts, with holds that begin and end between them, both lots lose exactly what is due', () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('return' as const), share: fc.double({ min: 0, max: 1, noNaN: true }) }),
    fc.record({
      kind: fc.constantFrom('hold' as const, 'spend' as const),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
    fc.record({ kind: fc.constantFrom('release' as const, 'lapse' as const), share: fc.constant(0) }),
  );
  const amounts = fc.record({
    amountMinor: fc.integer({ min: 1, max: 10_000 }),
    referrerPoints: fc.integer({ min: 1, max: 1_000 }),
    refereePoints: fc.integer({ min: 0, max: 1_000 }),
    steps: fc.array(step, { maxLength: 12 }),
  });
  fc.assert(
    fc.property(amounts, ({ amountMinor, steps, ...referral }) => {
      const desk = referred(referral, {}, amountMinor);
      const holds: string[] = [];
      let gone = 0;
      const give = (part: number): void => {
        if (part === 0) return;
        returned(desk, part);
        gone += part;
      };
      const check = (): void => {
        for (const [who, points] of [
          ['ann', referral.referrerPoints],
          ['bob', referral.refereePoints],
        ] as const) {
          const lot = lotOf(desk, who);
          const taken = takenFrom(desk, lot?.id) + (lot?.claimed ?? 0);
          expect(taken).toBe(
            pointsDue(points, {
              amountMinor,
              returnedMinor: gone,
              state: gone === amountMinor ? 'returned' : 'partially_returned',
            }),
          );
        }
      };
      for (const { kind, share } of steps) {
        const points = Math.floor(desk.profile('ann').available * share);
        if (kind === 'return') give(Math.floor((amountMinor - gone) * share));
        if (kind === 'hold' && points > 0) holds.push(holdPoints(desk, points));
        if (kind === 'spend' && points > 0) spendPoints(desk, points);
        if (kind === 'release' && holds.length > 0) releasePoints(desk, holds.shift() as string);
        if (kind === 'lapse') {
          holds.length = 0;
          desk.now = new Date(desk.now.getTime() + 3_600_000);
          settlePoints(desk);
        }
        check();
      }
      give(amountMinor - gone);
      check();
    }),
    { numRuns: 150 },
  );
});
