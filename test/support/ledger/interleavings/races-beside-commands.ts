import type { Pool } from 'pg';
import { lockEnvironment } from '../../../../src/admin/environments/lock-environment.ts';
import { operator } from '../../../../src/admin/shared/admin-change.ts';
import { createPrisma } from '../../../../src/db/prisma.ts';
import { expireQuotes } from '../../../../src/jobs/due.ts';
import { rollUp } from '../../../../src/ledger/closed-days/roll-up.ts';
import { verifyLedger } from '../../../../src/ledger/controls/verify.ts';
import { createQueries } from '../../../../src/queries/queries.ts';
import { isRefusal } from '../../../../src/refusal.ts';
import { Sequencer } from '../../../../src/webhooks/sequencer.ts';
import { type Race, reward, withLapsedPoints } from './races.ts';
import type { Stage } from './stage.ts';

/** Races of what is no command: reads of several statements, jobs, and the administration. */
export const RACES_BESIDE_COMMANDS: readonly Race[] = [
  {
    name: 'a read of what is due, and the settlement',
    document: () => ({ expiration: { policy: 'rolling_days', days: 30 } }),
    async prepare(stage) {
      await withLapsedPoints(stage);
      return [settledRead(stage), [stage.settle('ann')]];
    },
  },
  {
    name: 'a read of what is due, and a purchase',
    document: () => ({ expiration: { policy: 'rolling_days', days: 30 } }),
    async prepare(stage) {
      await withLapsedPoints(stage);
      return [settledRead(stage), [stage.earn('ann', 80)]];
    },
  },
  {
    name: 'the check of a ledger, and a purchase',
    ownEnvironment: true,
    positions: 10,
    async prepare(stage) {
      await stage.members('ann');
      await stage.done(stage.earn('ann', 50));
      return [(pool) => verified(pool, stage.shop.id), [stage.earn('ann', 80)]];
    },
  },
  {
    name: 'a purchase, and the lock of its environment',
    ownEnvironment: true,
    async prepare(stage) {
      await stage.members('ann');
      await stage.done(stage.earn('ann', 50));
      return [[stage.earn('ann', 80)], (pool) => locked(pool, stage.shop.id)];
    },
    // After `env lock` has returned no change may be committed, although the same outcome is right before it.
    violation({ results: [outcomes], log }) {
      const isDone = (outcomes as object[]).every((outcome) => !isRefusal(outcome));
      return isDone && log.indexOf('B ended') < log.indexOf('A commit')
        ? 'a purchase was committed after the lock had returned'
        : null;
    },
  },
  {
    name: 'an unenrollment that cancels an outdated quote, and the sweep of quotes',
    document: (runs) => ({ rewards: runs.map((run) => reward(`${run}mug`)) }),
    ownEnvironment: true,
    async prepare(stage) {
      await stage.members('ann');
      await stage.done(stage.earn('ann', 50));
      await stage.quote('ann', 'mug', 50);
      const held = await stage.hold('ann', 'mug', 50);
      await stage.done(stage.commit(held));
      await stage.outdateQuotes('ann');
      return [
        [stage.shop.unenroll(`${stage.run}ann`, stage.key())],
        (pool) => expireQuotes(pool, stage.shop.id, new Date(), 100),
      ];
    },
    violation: ({ log }) => (log.includes('B waits') ? 'the sweep waits for a command' : null),
  },
  {
    name: 'two processes that close the days of one environment',
    ownEnvironment: true,
    async prepare(stage) {
      await stage.members('ann');
      // How much each of them has closed is not compared: the one that comes second leaves it to the other.
      const close = (pool: Pool) => rollUp(pool, stage.shop.id).then(() => null);
      await stage.done(stage.earn('ann', 50));
      return [close, close];
    },
    violation({ log }) {
      const waits = log.some(
        (line, index) => line.endsWith(' waits') && log[index - 1]?.includes('select closed_through'),
      );
      return waits ? 'one waits until the other has closed its days' : null;
    },
  },
  {
    name: 'two processes that number the events of one environment',
    ownEnvironment: true,
    async prepare(stage) {
      await stage.members('ann', 'bob');
      await stage.endpoint();
      await stage.placeEvents();
      for (const name of ['ann', 'bob']) await stage.done(stage.earn(name, 50));
      // How many each of them has placed is not compared: the one that comes second finds none.
      const place = (pool: Pool) => placed(stage.shop.id, pool).then(() => null);
      return [place, place];
    },
  },
];

async function placed(environmentId: string, pool: Pool): Promise<void> {
  await new Sequencer({ pool }).step(environmentId);
}

function settledRead(stage: Stage): (pool: Pool) => Promise<unknown> {
  return (pool) => createQueries(pool).member(stage.shop.id, `${stage.run}ann`);
}

async function verified(pool: Pool, environmentId: string): Promise<unknown> {
  const client = await pool.connect();
  try {
    return await verifyLedger(client, environmentId);
  } finally {
    client.release();
  }
}

function locked(pool: Pool, environmentId: string): Promise<unknown> {
  return lockEnvironment({ prisma: createPrisma(pool), actor: operator('tests') }, environmentId, true);
}
