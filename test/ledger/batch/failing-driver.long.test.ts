import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createLanePool } from '../../../src/ledger/batch/lane-pool.ts';
import type { Writer } from '../../../src/ledger/batch/writer.ts';
import type { Command } from '../../../src/ledger/command.ts';
import { codeOf, receiptOf } from '../../support/commands/desk.ts';
import { Counter } from '../../support/ledger/counter.ts';
import { FAILURES, FailingDriver, type Failure } from '../../support/ledger/failing-driver.ts';
import { RACES, type Race } from '../../support/ledger/interleavings/races.ts';
import { comparable, storedOf } from '../../support/ledger/interleavings/run-outcome.ts';
import { Stage } from '../../support/ledger/interleavings/stage.ts';
import { program } from '../../support/rules/fixtures.ts';

let counter: Counter;
let setup: Writer;

beforeAll(async () => {
  counter = await Counter.open();
  setup = counter.writer({ lanes: 1 });
});

afterAll(() => counter.close());

/** A batch of commands, prepared as one side of a race. */
type Batch = Pick<Race, 'name' | 'document'> & { commands(stage: Stage): Promise<readonly Command[]> };

const batches: readonly Batch[] = [
  {
    name: 'a new member',
    commands: async (stage) => [stage.shop.createMember(`${stage.run}ann`, stage.key())],
  },
  {
    name: 'an enrollment',
    async commands(stage) {
      await stage.done(stage.shop.createMember(`${stage.run}ann`, stage.key()));
      return [stage.shop.enroll(`${stage.run}ann`, stage.key())];
    },
  },
  sideOf('a purchase with a coupon', 'the last use of a coupon, by two members', 0),
  sideOf('an event and a claim', 'one event and one claim, each sent twice under two keys', 0),
  sideOf('a reserve', 'the last piece of a reward, reserved by two members', 0),
  sideOf('a commit', 'the commit and the release of a reservation', 0),
  sideOf('a release', 'the commit and the release of a reservation', 1),
  sideOf('a resolved dispute', 'a dispute that is resolved by one and rejected by another', 0),
  sideOf('a return', 'two returns of one order, for more than is left of it', 0),
  sideOf('an approved debit', 'a debit and a redemption, for more points than there are', 0),
  sideOf('an unenrollment', 'a purchase and an unenrollment', 1),
  sideOf('a settlement', 'a purchase and the settlement of points whose time is over', 1),
];

function sideOf(name: string, raceName: string, side: 0 | 1): Batch {
  const race = RACES.find((one) => one.name === raceName);
  if (!race) throw new Error(`no race ${raceName}`);
  const { document, prepare } = race;
  return { name, ...(document && { document }), commands: async (stage) => (await prepare(stage))[side] };
}

/** One of the failures, with a lane of its own. */
class Lane {
  readonly driver: FailingDriver;
  readonly writer: Writer;
  readonly how: Failure;

  constructor(how: Failure) {
    const { serverUrl } = counter.database;
    const lanePool = createLanePool({ url: serverUrl, size: 1, applicationName: 'failing' });
    this.how = how;
    this.driver = new FailingDriver(lanePool);
    this.writer = counter.writer({ lanes: 1, lanePool: this.driver.pool });
  }
}

let lanes: Lane[];

beforeAll(() => {
  lanes = FAILURES.map((how) => new Lane(how));
});

test.each(batches)(
  'wherever a statement fails, all of a batch is done once: $name',
  async ({ document, commands }) => {
    const most = 30;
    const names = FAILURES.map((_how, lane) =>
      Array.from({ length: most }, (_, at) => `lane-${lane}-at-${at}-`),
    );
    const shop = await counter.environment(program(document?.([...names.flat(), 'all-'])));
    const prepare = async (run: string) => {
      const stage = new Stage(shop, run, setup, counter.database.adminPool);
      return { run, commands: await commands(stage), stage };
    };
    const stored = (run: string) => storedOf(counter.database.adminPool, shop.id, run);

    for (const { writer } of lanes) await writer.submit(shop.earn('nobody'));
    const whole = await prepare('all-');
    const before = await stored('all-');
    const [first] = lanes as [Lane];
    first.driver.failAt(null, first.how);
    const expected = comparable(await receiptsOf(first.writer, whole.commands), 'all-');
    const statements = first.driver.sent;
    const after = await stored('all-');
    expect(statements).toBeGreaterThan(5);
    expect(statements).toBeLessThanOrEqual(most);

    await Promise.all(
      lanes.map(async ({ driver, how, writer }, lane) => {
        const runs = await Promise.all((names[lane] ?? []).slice(0, statements).map(prepare));
        for (const [at, { run, commands: batch }] of runs.entries()) {
          driver.failAt(at, how);
          const answered = await Promise.allSettled(batch.map((command) => writer.submit(command)));
          if (answered.some(({ status }) => status === 'rejected')) {
            // Only a command that is alone in its batch is rejected, and then nothing of it is stored.
            expect({ how, batch: batch.length, stored: await stored(run) }).toEqual({
              how: 'an error of the statement',
              batch: 1,
              stored: before,
            });
          }
          // The next use of the lane: what was done is answered again, and what was not is done now.
          const again = await receiptsOf(writer, batch);
          if (batch.every(({ idempotencyKey }) => idempotencyKey !== null)) {
            expect([how, at, comparable(again, run)]).toEqual([how, at, expected]);
          }
          expect([how, at, await stored(run)]).toEqual([how, at, after]);
        }
        expect([how, driver.dirty]).toEqual([how, 0]);
      }),
    );
  },
);

test('the books are right after all that', async () => {
  expect(await counter.failedControls()).toEqual([]);
});

async function receiptsOf(writer: Writer, batch: readonly Command[]): Promise<object[]> {
  const outcomes = await Promise.all(batch.map((command) => writer.submit(command)));
  return outcomes.map((outcome) => {
    expect(['done', 'replayed']).toContain(codeOf(outcome));
    return receiptOf(outcome);
  });
}
