import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createLanePool } from '../../../src/ledger/batch/lane-pool.ts';
import type { Writer } from '../../../src/ledger/batch/writer.ts';
import { codeOf, receiptOf } from '../../support/commands/desk.ts';
import { atEnd } from '../../support/fixture.ts';
import type { Counter } from '../../support/ledger/counter.ts';
import { tamperedPool } from '../../support/ledger/tampered-pool.ts';
import { useCounter } from '../../support/ledger/use-counter.ts';
import { program } from '../../support/rules/fixtures.ts';

/** Two writers, which are two processes for the database. */
let one: Writer;
let two: Writer;

const counter = useCounter();

beforeAll(() => {
  one = counter.writer();
  two = counter.writer();
});

atEnd(async () => expect(await counter.failedControls()).toEqual([]));

function count<T>(values: readonly T[]): Map<T, number> {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

describe('batches', () => {
  test('what gathers while a batch is in flight goes together, up to the most a batch takes', async () => {
    const sizes: number[] = [];
    const writer = counter.writer({ lanes: 1, maxBatch: 10, onBatch: (commands) => sizes.push(commands) });
    const shop = await counter.environment();
    await shop.addMembers(writer, ['ann']);
    sizes.length = 0;
    const outcomes = await Promise.all(Array.from({ length: 25 }, () => writer.submit(shop.earn('ann'))));
    expect(sizes).toEqual([10, 10, 5]);
    expect(count(outcomes.map(codeOf))).toEqual(new Map([['done', 25]]));
    expect(writer.waiting).toBe(0);
  });

  test('a batch holds commands of one environment alone', async () => {
    const batches: number[] = [];
    const writer = counter.writer({ lanes: 1, maxBatch: 4, onBatch: (commands) => batches.push(commands) });
    const [first, second] = [await counter.environment(), await counter.environment()];
    await first.addMembers(writer, ['ann']);
    await second.addMembers(writer, ['ann']);
    batches.length = 0;
    const outcomes = await Promise.all([
      ...Array.from({ length: 8 }, () => writer.submit(first.earn('ann'))),
      ...Array.from({ length: 2 }, () => writer.submit(second.earn('ann'))),
    ]);
    expect(batches.toSorted()).toEqual([2, 4, 4]);
    expect(count(outcomes.map(codeOf))).toEqual(new Map([['done', 10]]));
  });

  test('an environment that waits for a lock holds up no other', async () => {
    const writer = counter.writer({ lanes: 1 });
    const [stuck, free] = [await counter.environment(), await counter.environment()];
    await stuck.addMembers(writer, ['ann']);
    await free.addMembers(writer, ['ann']);
    const holder = await counter.database.adminPool.connect();
    try {
      await holder.query('begin');
      await holder.query('select from program_profiles where environment_id = $1 for update', [stuck.id]);
      const order: string[] = [];
      const waits = writer.submit(stuck.earn('ann')).then(() => order.push('stuck'));
      await writer.submit(free.earn('ann')).then(() => order.push('free'));
      expect(order).toEqual(['free']);
      await holder.query('commit');
      await waits;
      expect(order).toEqual(['free', 'stuck']);
    } finally {
      holder.release(true);
    }
  });

  test('commands of a batch see what the ones before them did', async () => {
    const writer = counter.writer({ lanes: 1 });
    const shop = await counter.environment();
    const outcomes = await Promise.all(
      [
        shop.enroll('ann'),
        shop.createMember('ann'),
        shop.earn('ann'),
        shop.enroll('ann'),
        shop.earn('ann', { sourceReference: 'o1' }),
        shop.earn('ann', { sourceReference: 'o1' }),
        shop.unenroll('ann'),
        shop.createMember('ann'),
      ].map((command) => writer.submit(command)),
    );
    expect(outcomes.map(codeOf)).toEqual([
      'member_not_found',
      'done',
      'enrollment_required',
      'done',
      'done',
      'source_reference_conflict',
      'balance_not_zero',
      'member_exists',
    ]);
  });

  test('events of one member in several periods of its limit go in one batch', async () => {
    const statements: string[] = [];
    const pool = createLanePool({ url: counter.database.serverUrl, size: 1, applicationName: 'periods' });
    const recording = tamperedPool(pool, (text, send) => {
      statements.push(text);
      return send();
    });
    const writer = counter.writer({ lanes: 1, lanePool: recording });
    const shop = await counter.environment(
      program({ memberLimit: { points: 150, period: 'day', onExceed: 'trim' } }),
    );
    await shop.addMembers(writer, ['ann']);
    const svcEvaluation = {
      mode: 'event_time_pinned_configuration',
      configurationVersion: 1,
      memberTier: 'bronze',
    };
    const days = [1, 2, 3].map((ago) => ({
      occurredAt: new Date(Date.now() - ago * 86_400_000).toISOString(),
      context: { attributes: { svcEvaluation } },
    }));
    const earnAll = async () =>
      (await Promise.all([{}, ...days].map((day) => writer.submit(shop.earn('ann', day))))).map(
        (outcome) => (receiptOf(outcome).award as { points: number }).points,
      );
    expect(await earnAll()).toEqual([100, 100, 100, 100]);
    expect(await earnAll()).toEqual([50, 50, 50, 50]);
    expect(statements.filter((text) => text === 'rollback')).toEqual([]);
  });

  test('members spread over the lanes, and every lane is used', async () => {
    const pools = createLanePool({ url: counter.database.serverUrl, size: 2, applicationName: 'two lanes' });
    const writer = counter.writer({ lanes: 2, lanePool: pools });
    const shop = await counter.environment();
    await shop.addMembers(
      writer,
      Array.from({ length: 20 }, (_, index) => `m${index}`),
    );
    expect(pools.totalCount).toBe(2);
  });

  test('a batch in which nothing changes writes nothing', async () => {
    const shop = await counter.environment();
    const before = await counter.value('select count(*) from audit_events');
    expect(codeOf(await one.submit(shop.earn('nobody')))).toBe('member_not_found');
    expect(await counter.value('select count(*) from audit_events')).toBe(before);
    expect(
      await counter.value('select count(*) from idempotency_keys where environment_id = $1', [shop.id]),
    ).toBe(0);
  });

  test('a new version and a lock hold from the next batch on, in every process', async () => {
    const shop = await counter.environment();
    await shop.addMembers(one, ['ann']);
    const version = async (writer: Writer) =>
      receiptOf(await writer.submit(shop.earn('ann'))).configurationVersion;
    expect({ one: await version(one), two: await version(two) }).toEqual({ one: 1, two: 1 });
    await shop.publish(program({ name: 'Second' }));
    expect({ one: await version(one), two: await version(two) }).toEqual({ one: 2, two: 2 });
    await shop.setLocked(true);
    const locked = await Promise.all([one, two].map((writer) => writer.submit(shop.earn('ann'))));
    expect(locked.map(codeOf)).toEqual(['production_locked', 'production_locked']);
    expect(codeOf(await two.submit(shop.unenroll('ann')))).toBe('balance_not_zero');
    await shop.setLocked(false);
    expect(await version(two)).toBe(2);
  });
});

test('whatever text a merchant chooses comes back as it was', async () => {
  const shop = await counter.environment();
  // Texts that the contract accepts: no control characters, no lone surrogates, no space at either end.
  const id = fc
    .string({ unit: 'binary', minLength: 1, maxLength: 60 })
    .filter((text) => text.isWellFormed() && text === text.trim() && !/[\p{Cc}]/u.test(text));
  const awkward = ['{', '}', ',', '"', '\\', '\\"', 'null', 'NULL', "'; --", '{"a":[1]}', '\\x00', 'é', '👍'];
  const ids = [...new Set([...awkward, ...fc.sample(id, 100)])];
  await shop.addMembers(one, ids);
  const outcomes = await Promise.all(
    ids.map((text) => two.submit(shop.earn(text, { sourceReference: text, couponCode: text }))),
  );
  expect(outcomes.map((outcome) => (receiptOf(outcome).coupon as { code: string }).code)).toEqual(ids);
  const { rows } = await counter.database.adminPool.query<{ source_reference: string }>(
    'select source_reference from orders where environment_id = $1',
    [shop.id],
  );
  expect(new Set(rows.map((row) => row.source_reference))).toEqual(new Set(ids));
  const replays = await Promise.all(
    ids.map((text) => one.submit(shop.earn(text, { idempotencyKey: 'awkward', sourceReference: text }))),
  );
  expect(count(replays.map(codeOf))).toEqual(new Map([['source_reference_conflict', ids.length]]));
});

describe('idempotency', () => {
  test('one key twice in a batch: one effect, one replay, one receipt', async () => {
    const writer = counter.writer({ lanes: 1 });
    const shop = await counter.environment();
    await shop.addMembers(writer, ['ann']);
    const command = shop.earn('ann');
    const [first, second] = await Promise.all([writer.submit(command), writer.submit(command)]);
    expect([first, second].map(codeOf)).toEqual(['done', 'replayed']);
    expect(receiptOf(second)).toEqual(receiptOf(first));
  });

  test.each([
    ['createMember', 'ann', (shop: Shop) => shop.createMember('ann', 'k'), 'members'],
    ['enrollMember', 'bob', (shop: Shop) => shop.enroll('bob', 'k'), 'program_profiles'],
    ['purchaseEarn', 'cyd', (shop: Shop) => shop.earn('cyd', { idempotencyKey: 'k' }), 'transactions'],
  ])('%s: one key in two processes at once has one effect', async (_operation, _member, make, table) => {
    const shop = await counter.environment();
    await one.submit(shop.createMember('bob'));
    await shop.addMembers(one, ['cyd']);
    const effects = (): Promise<number> =>
      counter.value(`select count(*) from ${table} where environment_id = $1`, [shop.id]);
    const before = await effects();
    const outcomes = await Promise.all([one, two, one, two].map((writer) => writer.submit(make(shop))));
    expect(count(outcomes.map(codeOf))).toEqual(
      new Map([
        ['done', 1],
        ['replayed', 3],
      ]),
    );
    expect(new Set(outcomes.map((outcome) => JSON.stringify(receiptOf(outcome)))).size).toBe(1);
    expect(await effects()).toBe(before + 1);
  });

  test('200 keys, each sent 50 times at once through two processes: 200 effects', async () => {
    const [left, right] = [0, 1].map(() => counter.writer({ maxWaiting: 20_000 })) as [Writer, Writer];
    const shop = await counter.environment();
    const members = Array.from({ length: 40 }, (_, index) => `m${index}`);
    await shop.addMembers(left, members);
    const keys = Array.from({ length: 200 }, (_, index) => index);
    const make = (key: number, amountMinor: number) =>
      shop.earn(members[key % members.length] as string, { idempotencyKey: `k${key}`, amountMinor });
    const submit = async (key: number, time: number) => {
      const outcome = await (time % 2 ? left : right).submit(make(key, 10_000 + key * 100));
      return { key, code: codeOf(outcome), id: receiptOf(outcome).id };
    };
    const sent: Promise<Awaited<ReturnType<typeof submit>>>[] = [];
    for (let time = 0; time < 50; time++) for (const key of keys) sent.push(submit(key, time));
    const answers = await Promise.all(sent);
    expect(count(answers.map(({ code }) => code))).toEqual(
      new Map([
        ['done', 200],
        ['replayed', 9_800],
      ]),
    );
    expect(new Set(answers.map(({ key, id }) => `${key} ${id}`)).size).toBe(200);
    const earned = 'select sum(points)::bigint from transactions where environment_id = $1';
    const total = keys.reduce((sum, key) => sum + 100 + key, 0);
    expect(await counter.value(earned, [shop.id])).toBe(total);

    const others = await Promise.all(keys.map((key) => (key % 2 ? left : right).submit(make(key, 1))));
    expect(count(others.map(codeOf))).toEqual(new Map([['idempotency_key_reused', 200]]));
    expect(await counter.value(earned, [shop.id])).toBe(total);
  });

  test('one order reference under many keys in two processes: one order', async () => {
    const shop = await counter.environment();
    await shop.addMembers(one, ['ann', 'bob']);
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 ? one : two).submit(shop.earn(index % 3 ? 'ann' : 'bob', { sourceReference: 'same' })),
      ),
    );
    expect(count(outcomes.map(codeOf))).toEqual(
      new Map([
        ['done', 1],
        ['source_reference_conflict', 19],
      ]),
    );
  });
});

test('earn against unenroll, raced 1,000 times over two processes: never a left profile with points', async () => {
  const shop = await counter.environment();
  const ids = Array.from({ length: 1000 }, (_, index) => `m${index}`);
  await shop.addMembers(one, ids);
  const wins = new Map<string, number>();
  for (let begin = 0; begin < ids.length; begin += 50) {
    await Promise.all(
      ids.slice(begin, begin + 50).map(async (id, index) => {
        const [earner, leaver] = (begin / 50 + index) % 2 ? [one, two] : [two, one];
        const earn = (): Promise<string> => earner.submit(shop.earn(id)).then(codeOf);
        const leave = (): Promise<string> => leaver.submit(shop.unenroll(id)).then(codeOf);
        const codes =
          index % 4 < 2
            ? await Promise.all([earn(), leave()])
            : (await Promise.all([leave(), earn()])).reverse();
        const result = codes.join(' ');
        wins.set(result, (wins.get(result) ?? 0) + 1);
      }),
    );
  }
  expect(new Set(wins.keys())).toEqual(new Set(['done balance_not_zero', 'enrollment_required done']));
  // Each side wins some of the races; otherwise the test would not race them.
  for (const won of wins.values()) expect(won).toBeGreaterThan(20);
  expect(
    await counter.value(
      `select count(*) from program_profiles
       where environment_id = $1 and not enrolled and available + pending + reserved > 0`,
      [shop.id],
    ),
  ).toBe(0);
  expect(await counter.value('select count(*) from transactions where environment_id = $1', [shop.id])).toBe(
    wins.get('done balance_not_zero'),
  );
});

type Shop = Awaited<ReturnType<Counter['environment']>>;
