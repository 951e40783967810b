import type { Pool } from 'pg';
import type { Reservation } from '../../../../src/contract/generated/types.ts';
import type { Command, Outcome } from '../../../../src/ledger/command.ts';
import type { ProgramDocument } from '../../../../src/programs/document/program-document.ts';
import { isRefusal } from '../../../../src/refusal.ts';
import { engagement, perks, reviews } from '../../commands/engagement.ts';
import type { Interleaved } from './interleave.ts';
import type { Stage } from './stage.ts';

/** Commands that a writer runs as one batch; or a read or job, with the pool that it has to use. */
export type Opponent = readonly Command[] | ((pool: Pool) => Promise<unknown>);

/**
 * Two sides that want the same rows. All rows that both change exist already: otherwise a unique key would keep the
 * second one from overwriting what the first one wrote, and its retry would hide that it had read too early.
 */
export interface Race<O extends Opponent = Opponent> {
  name: string;
  /** Sections of the program that all runs share. @param runs the prefixes of the runs */
  document?(runs: readonly string[]): Partial<ProgramDocument>;
  /** Prepares a run. */
  prepare(stage: Stage): Promise<readonly [O, O]>;
  /** Each run has an environment of its own. */
  ownEnvironment?: true;
  /** A side with more statements than this is interrupted at so many places only. */
  positions?: number;
  /** What must not happen although a serial order has the same outcome; null where all is well. */
  violation?(interleaved: Interleaved): string | null;
}

/** Races of commands. */
export const RACES: readonly Race<readonly Command[]>[] = [
  {
    name: 'two purchases of a member, of whom a limit leaves less than both give',
    document: () => ({ memberLimit: { points: 150, period: 'lifetime', onExceed: 'trim' } }),
    async prepare(stage) {
      await stage.members('ann');
      await stage.done(stage.earn('ann', 50));
      return [[stage.earn('ann', 80)], [stage.earn('ann', 70)]];
    },
  },
  {
    name: 'one purchase sent twice under one key',
    async prepare(stage) {
      await stage.members('ann');
      await stage.done(stage.earn('ann', 50));
      const purchase = stage.earn('ann', 80);
      return [[purchase], [purchase]];
    },
  },
  {
    name: 'the last use of a coupon, by two members',
    document: (runs) => ({
      coupons: runs.map((run) => ({
        code: `${run}code`,
        award: { bonusPoints: 10 },
        limits: { total: 2 },
      })),
    }),
    async prepare(stage) {
      await stage.members('ann', 'bob', 'cat');
      const couponCode = `${stage.run}code`;
      await stage.done(stage.earn('cat', 50, { couponCode }));
      return [[stage.earn('ann', 50, { couponCode })], [stage.earn('bob', 60, { couponCode })]];
    },
  },
  {
    name: 'two events of a challenge, of which the second reaches its goal',
    document: () => engagement,
    async prepare(stage) {
      await stage.members('ann');
      await stage.done(stage.event('ann', reviews.eventType));
      return [[stage.event('ann', reviews.eventType)], [stage.event('ann', reviews.eventType)]];
    },
  },
  {
    name: 'the last choice of a grant, claimed twice',
    document: () => ({ ...engagement, choiceSets: [{ ...perks, choices: 1 }] }),
    async prepare(stage) {
      await stage.members('ann');
      await stage.done(stage.event('ann', 'run', { km: 10 }));
      return [[stage.claim('ann', 'mug')], [stage.claim('ann', 'tour')]];
    },
  },
  {
    name: 'one event and one claim, each sent twice under two keys',
    document: () => engagement,
    async prepare(stage) {
      await stage.members('ann');
      await stage.done(stage.event('ann', 'run', { km: 10 }));
      const both = () => [
        stage.event('ann', reviews.eventType, {}, `${stage.run}event`),
        stage.claim('ann', 'tour', `${stage.run}claim`),
      ];
      return [both(), both()];
    },
  },
  {
    name: 'a quote that is reserved twice',
    document: (runs) => ({ rewards: runs.map((run) => reward(`${run}mug`)) }),
    async prepare(stage) {
      await stage.members('ann');
      await stage.done(stage.earn('ann', 100));
      const quote = await stage.quote('ann', 'mug', 50);
      return [[stage.reserve(quote)], [stage.reserve(quote)]];
    },
  },
  {
    name: 'the last piece of a reward, reserved by two members',
    document: (runs) => ({ rewards: runs.map((run) => reward(`${run}mug`, { inventory: 2 })) }),
    async prepare(stage) {
      await stage.members('ann', 'bob', 'cat');
      await Promise.all(['ann', 'bob', 'cat'].map((name) => stage.done(stage.earn(name, 100))));
      await stage.hold('cat', 'mug', 50);
      const [ann, bob] = [await stage.quote('ann', 'mug', 50), await stage.quote('bob', 'mug', 50)];
      return [[stage.reserve(ann)], [stage.reserve(bob)]];
    },
  },
  {
    name: 'two batches that take of two stocks in opposite order, one of which has one piece left',
    document: (runs) => ({
      rewards: runs.flatMap((run) => [
        reward(`${run}mug`, { inventory: 2 }),
        reward(`${run}pot`, { inventory: 9 }),
      ]),
    }),
    async prepare(stage) {
      const names = ['ann', 'bob', 'cat', 'dan'] as const;
      await stage.members(...names);
      await Promise.all(names.map((name) => stage.done(stage.earn(name, 200))));
      await stage.hold('ann', 'mug', 50);
      await stage.hold('ann', 'pot', 50);
      const [ann, bob, cat, dan] = [
        await stage.quote('ann', 'mug', 50),
        await stage.quote('bob', 'pot', 50),
        await stage.quote('cat', 'pot', 50),
        await stage.quote('dan', 'mug', 50),
      ];
      return [
        [stage.reserve(ann), stage.reserve(bob)],
        [stage.reserve(cat), stage.reserve(dan)],
      ];
    },
    // The time of a batch is read after its last lock: the batch that waited for the other one has a later time.
    violation({ results, log }) {
      const [first, last] =
        log.indexOf('A commit') < log.indexOf('B commit') ? results : results.toReversed();
      const [before] = reservationTimes(first).toSorted().reverse();
      const [after] = reservationTimes(last).toSorted();
      return before && after && before > after ? `reserved at ${before} before ${after}` : null;
    },
  },
  {
    name: 'the commit and the release of a reservation',
    document: (runs) => ({ rewards: runs.map((run) => reward(`${run}mug`, { inventory: 2 })) }),
    async prepare(stage) {
      await stage.members('ann');
      await stage.done(stage.earn('ann', 100));
      const held = await stage.hold('ann', 'mug', 50);
      return [[stage.commit(held)], [stage.release(held)]];
    },
  },
  {
    name: 'a dispute that is resolved by one and rejected by another',
    document: (runs) => ({ rewards: runs.map((run) => reward(`${run}mug`)) }),
    async prepare(stage) {
      await stage.members('ann');
      await stage.done(stage.earn('ann', 100));
      const held = await stage.hold('ann', 'mug', 50);
      await stage.done(stage.commit(held));
      const dispute = await stage.dispute(held);
      return [[stage.resolve(held, dispute)], [stage.reject(held, dispute)]];
    },
  },
  {
    name: 'two returns of one order, for more than is left of it',
    async prepare(stage) {
      await stage.members('ann');
      const order = `${stage.run}order`;
      await stage.done(stage.earn('ann', 100, { sourceReference: order }));
      await stage.done(stage.return('ann', order, 1_000));
      return [[stage.return('ann', order, 6_000)], [stage.return('ann', order, 5_000)]];
    },
  },
  {
    name: 'a debit and a redemption, for more points than there are',
    document: (runs) => ({ rewards: runs.map((run) => reward(`${run}mug`, { points: 60 })) }),
    async prepare(stage) {
      await stage.members('ann');
      await stage.done(stage.earn('ann', 40));
      await stage.done(stage.earn('ann', 60));
      const debit = await stage.adjustment('ann', 'debit', 80);
      const quote = await stage.quote('ann', 'mug', 60);
      return [[stage.approve(debit, 'boss')], [stage.reserve(quote)]];
    },
  },
  {
    name: 'an adjustment that two principals approve',
    async prepare(stage) {
      await stage.members('ann');
      await stage.done(stage.earn('ann', 50));
      const credit = await stage.adjustment('ann', 'credit', 30);
      return [[stage.approve(credit, 'boss')], [stage.approve(credit, 'head')]];
    },
  },
  {
    name: 'an adjustment that one principal approves and another rejects',
    async prepare(stage) {
      await stage.members('ann');
      await stage.done(stage.earn('ann', 50));
      const credit = await stage.adjustment('ann', 'credit', 30);
      return [[stage.approve(credit, 'boss')], [stage.rejectAdjustment(credit, 'head')]];
    },
  },
  {
    name: 'a purchase and an unenrollment',
    async prepare(stage) {
      await stage.members('ann');
      return [[stage.earn('ann', 80)], [stage.shop.unenroll(`${stage.run}ann`, stage.key())]];
    },
  },
  {
    name: 'a purchase and the settlement of points whose time is over',
    document: () => ({ expiration: { policy: 'rolling_days', days: 30 } }),
    async prepare(stage) {
      await withLapsedPoints(stage);
      return [[stage.earn('ann', 80)], [stage.settle('ann')]];
    },
  },
];

/** A member, ann, with 60 points, and 40 points whose time is over and that have not been taken away. */
export async function withLapsedPoints(stage: Stage): Promise<void> {
  await stage.members('ann');
  await stage.done(stage.earn('ann', 40));
  await stage.done(stage.earn('ann', 60));
  await stage.lapseFirstLot('ann');
}

function reservationTimes(outcomes: unknown): string[] {
  return (outcomes as Outcome[]).flatMap((outcome) =>
    isRefusal(outcome) ? [] : [(outcome.receipt as { reservation: Reservation }).reservation.reservedAt],
  );
}

export function reward(
  id: string,
  rest: { inventory?: number; points?: number } = {},
): NonNullable<ProgramDocument['rewards']>[number] {
  return { id, name: 'A thing', points: 50, ...rest };
}
