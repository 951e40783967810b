import { beforeAll, expect, test } from '@jest/globals';
import { createLanePool } from '../../../src/ledger/batch/lane-pool.ts';
import type { Writer } from '../../../src/ledger/batch/writer.ts';
import type { Command } from '../../../src/ledger/command.ts';
import type { ProgramDocument } from '../../../src/programs/document/program-document.ts';
import { codeOf } from '../../support/commands/desk.ts';
import type { Shop } from '../../support/ledger/counter.ts';
import { reward } from '../../support/ledger/interleavings/races.ts';
import { Stage } from '../../support/ledger/interleavings/stage.ts';
import { useCounter } from '../../support/ledger/use-counter.ts';
import { program } from '../../support/rules/fixtures.ts';

let writer: Writer;

const counter = useCounter();

beforeAll(() => {
  const lanePool = createLanePool({
    url: counter.database.serverUrl,
    size: 1,
    applicationName: 'lock order',
  });
  writer = counter.writer({ lanes: 1, lanePool });
});

const names = ['ann', 'bob', 'cat', 'dan'];

interface LockedRows {
  table: string;
  /** The column that orders the locks: the environment's rows are locked in its ascending order. */
  key: string;
  document?: Partial<ProgramDocument>;
  /** Commands that lock two rows or more. They run as one batch, in this order and in the opposite one. */
  commands(stage: Stage): Promise<Command[]>;
}

const lockedRows: readonly LockedRows[] = [
  {
    table: 'program_profiles',
    key: 'member_id',
    async commands(stage) {
      return names.map((name) => stage.earn(name, 10));
    },
  },
  {
    table: 'reward_stocks',
    key: 'reward_id',
    document: { rewards: ['mug', 'pot', 'cup'].map((id) => reward(id, { inventory: 9 })) },
    async commands(stage) {
      const wanted = [
        ['ann', 'pot'],
        ['bob', 'cup'],
        ['cat', 'mug'],
      ] as const;
      for (const [name, thing] of wanted) await stage.hold(name, thing, 50);
      const quotes = [];
      for (const [name, thing] of wanted) quotes.push(await stage.quote(name, thing, 50));
      return quotes.map((quote) => stage.reserve(quote));
    },
  },
  {
    table: 'shared_counters',
    key: 'counter_id',
    document: {
      coupons: ['SPRING', 'AUTUMN', 'WINTER'].map((code) => ({
        code,
        award: { bonusPoints: 1 },
        limits: { total: 9 },
      })),
    },
    async commands(stage) {
      const codes = ['SPRING', 'AUTUMN', 'WINTER'];
      for (const couponCode of codes) await stage.done(stage.earn('dan', 10, { couponCode }));
      return codes.map((couponCode, index) => stage.earn(names[index] ?? '', 10, { couponCode }));
    },
  },
];

// Two batches that lock the same rows in one order can not wait for each other in a circle. The order of one
// statement's locks shows where it has to wait for the last of them: it holds all the others.
test.each(lockedRows)('rows of $table are locked in the order of their keys', async (locked) => {
  const shop = await counter.environment(program(locked.document));
  const stage = new Stage(shop, '', writer, counter.database.adminPool);
  await stage.members(...names);
  await Promise.all(names.map((name) => stage.done(stage.earn(name, 500))));
  await expectInOrder(shop, locked, await locked.commands(stage));
  await expectInOrder(shop, locked, (await locked.commands(stage)).toReversed());
});

async function expectInOrder(
  { id }: Shop,
  { table, key }: LockedRows,
  commands: readonly Command[],
): Promise<void> {
  const holder = await counter.database.adminPool.connect();
  const prober = await counter.database.adminPool.connect();
  try {
    await holder.query('begin');
    await holder.query(
      `select from ${table} where environment_id = $1 and ${key} = (
        select ${key} from ${table} where environment_id = $1 order by ${key} desc limit 1) for update`,
      [id],
    );
    const outcomes = Promise.all(commands.map((command) => writer.submit(command)));
    const waiting = `select count(*) from pg_stat_activity
      where application_name = 'lock order' and wait_event_type = 'Lock'`;
    while ((await counter.value<number>(waiting)) === 0) await new Promise((done) => setTimeout(done, 5));
    const { rows: free } = await prober.query(
      `select ${key} from ${table} where environment_id = $1 order by ${key} for update skip locked`,
      [id],
    );
    expect(free).toEqual([]);
    await holder.query('rollback');
    expect((await outcomes).map(codeOf)).toEqual(commands.map(() => 'done'));
  } finally {
    holder.release(true);
    prober.release(true);
  }
}
