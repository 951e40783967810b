import { expect, jest, test } from '@jest/globals';
import { createLanePool } from '../../../src/ledger/batch/lane-pool.ts';
import { isUnavailability } from '../../../src/ledger/batch/sqlstate.ts';
import type { Command, Decision, Outcome } from '../../../src/ledger/command.ts';
import { codeOf, receiptOf } from '../../support/commands/desk.ts';
import { atEnd, fixture } from '../../support/fixture.ts';
import { bound, tamperedPool } from '../../support/ledger/tampered-pool.ts';
import { useCounter } from '../../support/ledger/use-counter.ts';
import { program } from '../../support/rules/fixtures.ts';

const counter = useCounter();
const shop = fixture('the shop', () => counter.environment());

atEnd(async () => expect(await counter.failedControls()).toEqual([]));

function earned(externalCustomerId: string): Promise<number> {
  return counter.value(
    `select count(*) from transactions t join members m on m.id = t.member_id
     where external_customer_id = $1`,
    [externalCustomerId],
  );
}

/** The command, with its decision replaced by what this makes of it. */
function tampered(command: Command, tamper: (decision: Decision) => Decision): Command {
  return {
    ...command,
    decide(state, now) {
      const decision = command.decide(state, now);
      return 'receipt' in decision ? tamper(decision) : decision;
    },
  };
}

test('a command that throws fails alone: its neighbours are answered', async () => {
  const writer = counter.writer({ lanes: 1 });
  await shop.addMembers(writer, ['ann']);
  const broken = tampered(shop.earn('ann'), () => {
    throw new TypeError('broken');
  });
  const results = await Promise.allSettled(
    [shop.earn('ann'), broken, shop.earn('ann')].map((command) => writer.submit(command)),
  );
  expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(results[1]).toMatchObject({ reason: expect.any(TypeError) });
  expect(await earned('ann')).toBe(2);
});

test('a command that the database refuses fails alone, and leaves nothing behind', async () => {
  const writer = counter.writer({ lanes: 1 });
  await shop.addMembers(writer, ['bob']);
  const command = shop.earn('bob');
  // Points on a profile that is not enrolled.
  const forbidden = tampered(command, (decision) => ({
    ...decision,
    updates: {
      ...decision.updates,
      profiles: (decision.updates.profiles ?? []).map((profile) => ({
        ...profile,
        enrolled: false,
        unenrolledAt: profile.enrolledAt,
      })),
    },
  }));
  const results = await Promise.allSettled(
    [shop.earn('bob'), forbidden, shop.earn('bob')].map((each) => writer.submit(each)),
  );
  expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(results[1]).toMatchObject({
    reason: { code: '23514', constraint: 'points_only_while_enrolled' },
  });
  expect(await earned('bob')).toBe(2);
  // The key was not used up: the same command, whole this time, has its effect.
  expect(codeOf(await writer.submit(command))).toBe('done');
});

test('the connection of a batch that failed is closed, and the next batch has another one', async () => {
  const lanePool = createLanePool({
    url: counter.database.serverUrl,
    size: 1,
    applicationName: 'failed once',
  });
  const writer = counter.writer({ lanes: 1, lanePool });
  await shop.addMembers(writer, ['pat']);
  const process = () =>
    counter.value<number>(`select pid from pg_stat_activity where application_name = 'failed once'`);
  const first = await process();
  expect(codeOf(await writer.submit(shop.earn('pat')))).toBe('done');
  expect(await process()).toBe(first);
  const broken = tampered(shop.earn('pat'), () => {
    throw new TypeError('broken');
  });
  await expect(writer.submit(broken)).rejects.toThrow('broken');
  expect(codeOf(await writer.submit(shop.earn('pat')))).toBe('done');
  expect(await process()).not.toBe(first);
});

test('a command that reads what it did not lock fails', async () => {
  const writer = counter.writer({ lanes: 1 });
  const command = { ...shop.earn('ann'), subjects: [] };
  await expect(writer.submit(command)).rejects.toThrow('read without a lock');
});

test('what exceeds the queue is refused before any work, and the rest is done', async () => {
  const writer = counter.writer({ lanes: 1, maxWaiting: 10 });
  await shop.addMembers(writer, ['cyd']);
  const outcomes = await Promise.all(Array.from({ length: 15 }, () => writer.submit(shop.earn('cyd'))));
  expect(outcomes.map(codeOf)).toEqual([...Array(10).fill('done'), ...Array(5).fill('overloaded')]);
  expect(await earned('cyd')).toBe(10);
  expect(codeOf(await writer.submit(shop.earn('cyd')))).toBe('done');
});

test('where batches take long, only so many wait as are soon served, and others than the first caller too', async () => {
  const writer = counter.writer({ lanes: 1, maxBatch: 4, maxWaitMs: 2_000 });
  await shop.addMembers(writer, ['cyn']);
  const blocker = await counter.database.adminPool.connect();
  await blocker.query('begin');
  await blocker.query('select from program_profiles for update');
  // The first one waits for the lock; behind it full batches are expected to take 50 ms each.
  const first = writer.submit(shop.earn('cyn'));
  await new Promise((done) => setTimeout(done, 100));
  const many = Array.from({ length: 400 }, () => writer.submit(shop.earn('cyn')));
  const other = { ...shop.earn('cyn'), actor: { type: 'api_key' as const, id: 'another' } };
  const accepted = writer.submit(other);
  const refused = (await Promise.race([Promise.all(many.slice(200)), first])) as Outcome[];
  expect(new Set(refused.map(codeOf))).toEqual(new Set(['overloaded']));
  expect(writer.refusal(shop.id, shop.caller.actor.id)?.code).toBe('overloaded');
  expect(writer.refusal(shop.id, 'a third')).toBeNull();
  await blocker.query('rollback');
  blocker.release();
  expect(codeOf(await first)).toBe('done');
  expect(codeOf(await accepted)).toBe('done');
  const done = (await Promise.all(many)).map(codeOf).filter((code) => code === 'done').length;
  expect(await earned('cyn')).toBe(done + 2);
  expect(done).toBeGreaterThanOrEqual(4);
});

test('a command that has waited too long for those before it is not begun, and its key is free', async () => {
  const writer = counter.writer({ lanes: 1, maxBatch: 1, maxQueuedMs: 300 });
  await shop.addMembers(writer, ['cal']);
  const blocker = await counter.database.adminPool.connect();
  await blocker.query('begin');
  await blocker.query('select from program_profiles for update');
  const first = writer.submit(shop.earn('cal'));
  const late = shop.earn('cal');
  const waited = writer.submit(late);
  const rejected = expect(waited).rejects.toMatchObject({ name: 'QueuedTooLong', code: 'ETIMEDOUT' });
  await new Promise((done) => setTimeout(done, 400));
  await blocker.query('rollback');
  blocker.release();
  expect(codeOf(await first)).toBe('done');
  await rejected;
  expect(await earned('cal')).toBe(1);
  expect(codeOf(await writer.submit(late))).toBe('done');
  expect(await earned('cal')).toBe(2);
});

test('a writer that closes finishes what it accepted and refuses what comes', async () => {
  const writer = counter.writer({ lanes: 2 });
  await shop.addMembers(writer, ['dan']);
  const accepted = Array.from({ length: 20 }, () => writer.submit(shop.earn('dan')));
  const closed = writer.close();
  expect(codeOf(await writer.submit(shop.earn('dan')))).toBe('overloaded');
  await closed;
  expect((await Promise.all(accepted)).map(codeOf)).toEqual(Array(20).fill('done'));
});

test('a connection lost while a batch waits: the batch is run again, with one effect each', async () => {
  const lanePool = createLanePool({ url: counter.database.serverUrl, size: 1, applicationName: 'to be cut' });
  const writer = counter.writer({ lanes: 1, lanePool });
  await shop.addMembers(writer, ['eve']);
  const blocker = await counter.database.adminPool.connect();
  await blocker.query('begin');
  await blocker.query('select from program_profiles for update');
  const outcomes = Promise.all(Array.from({ length: 10 }, () => writer.submit(shop.earn('eve'))));
  const waiting = `select count(*) from pg_stat_activity
    where application_name = 'to be cut' and wait_event_type = 'Lock'`;
  while ((await counter.value<number>(waiting)) === 0) await new Promise((done) => setTimeout(done, 5));
  await blocker.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'to be cut'`,
  );
  await blocker.query('rollback');
  blocker.release();
  expect((await outcomes).map(codeOf)).toEqual(Array(10).fill('done'));
  expect(await earned('eve')).toBe(10);
});

test('a connection lost after COMMIT and before its answer: found done, not done twice', async () => {
  const lanePool = createLanePool({ url: counter.database.serverUrl, size: 1, applicationName: 'writer' });
  let lose = false;
  const losing = tamperedPool(lanePool, async (text, send) => {
    const result = await send();
    if (text !== 'commit' || !lose) return result;
    lose = false;
    throw Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' });
  });
  const writer = counter.writer({ lanes: 1, lanePool: losing });
  await shop.addMembers(writer, ['fay']);
  lose = true;
  const outcomes = await Promise.all(Array.from({ length: 5 }, () => writer.submit(shop.earn('fay'))));
  expect(lose).toBe(false);
  expect(outcomes.map(codeOf)).toEqual(Array(5).fill('replayed'));
  expect(new Set(outcomes.map((outcome) => receiptOf(outcome).id)).size).toBe(5);
  expect(await earned('fay')).toBe(5);
});

test('a command whose row is no longer where it was found is tried again, also alone', async () => {
  const lanePool = createLanePool({ url: counter.database.serverUrl, size: 1, applicationName: 'writer' });
  let moves = 0;
  const moving = tamperedPool(lanePool, async (text, send, client) => {
    if (moves === 0 || !text.includes('update program_profiles t')) return send();
    moves -= 1;
    const moved = client.query(
      `update program_profiles set version = version where environment_id = '${shop.id}'`,
    );
    const [, sent] = await Promise.all([moved, send()]);
    return sent;
  });
  const writer = counter.writer({ lanes: 1, lanePool: moving });
  await shop.addMembers(writer, ['lea']);
  moves = 1;
  expect(codeOf(await writer.submit(shop.earn('lea')))).toBe('done');
  expect(moves).toBe(0);
  expect(await earned('lea')).toBe(1);
});

test('a batch some of whose rows have moved is tried again as a whole, once, and then each command alone', async () => {
  const lanePool = createLanePool({ url: counter.database.serverUrl, size: 1, applicationName: 'writer' });
  let [moves, batches] = [0, 0];
  const moving = tamperedPool(lanePool, async (text, send, client) => {
    if (text.startsWith('begin')) batches += 1;
    if (moves === 0 || !text.includes('update program_profiles t')) return send();
    moves -= 1;
    const moved = client.query(
      `update program_profiles set version = version where environment_id = '${shop.id}'`,
    );
    const [, sent] = await Promise.all([moved, send()]);
    return sent;
  });
  const causes: string[] = [];
  const writer = counter.writer({
    ...{ lanes: 1, lanePool: moving },
    onRetry: (cause) => causes.push(cause),
  });
  const customers = Array.from({ length: 10 }, (_, index) => `moved-${index}`);
  await shop.addMembers(writer, customers);
  const earn = () => Promise.all(customers.map((customer) => writer.submit(shop.earn(customer))));
  for (const [moved, transactions, tried] of [
    [1, 2, ['moved_row']],
    [2, 12, ['moved_row', 'moved_row']],
  ] as const) {
    [moves, batches] = [moved, 0];
    causes.length = 0;
    expect((await earn()).map(codeOf)).toEqual(Array(10).fill('done'));
    expect({ moves, batches, causes }).toEqual({ moves: 0, batches: transactions, causes: tried });
  }
  expect(await Promise.all(customers.map(earned))).toEqual(Array(10).fill(2));
});

test('a COMMIT whose outcome stays unknown is no refusal: the failure says that it will pass, and the same key finds it done', async () => {
  const lanePool = createLanePool({ url: counter.database.serverUrl, size: 1, applicationName: 'writer' });
  let away = false;
  const losing = tamperedPool(lanePool, async (text, send) => {
    if (away) throw Object.assign(new Error('the database system is starting up'), { code: '57P03' });
    const result = await send();
    if (text !== 'commit') return result;
    away = true;
    throw new Error('Connection terminated unexpectedly');
  });
  const writer = counter.writer({ lanes: 1, lanePool: losing });
  const command = shop.createMember('kim');
  const failure: unknown = await writer.submit(command).catch((error: unknown) => error);
  expect(isUnavailability(failure)).toBe(true);
  const present = `select count(*) from members where external_customer_id = 'kim'`;
  expect(await counter.value(present)).toBe(1);
  const again = counter.writer({ lanes: 1 });
  expect(codeOf(await again.submit(command))).toBe('replayed');
  expect(await counter.value(present)).toBe(1);
});

test('a batch that comes second to a new counter is run again as a whole, once', async () => {
  const capped = await counter.environment(
    program({
      campaigns: [
        {
          id: 'spring',
          match: 'all',
          conditions: [],
          award: { bonusPoints: 50 },
          stacking: 'stack',
          caps: { totalPoints: 200 },
        },
      ],
    }),
  );
  const lanePool = createLanePool({ url: counter.database.serverUrl, size: 1, applicationName: 'second' });
  let batches = 0;
  const counting = tamperedPool(lanePool, (text, send) => {
    if (text.startsWith('begin')) batches += 1;
    return send();
  });
  const writer = counter.writer({ lanes: 1, lanePool: counting });
  const customers = Array.from({ length: 10 }, (_, index) => `second-${index}`);
  await capped.addMembers(writer, customers);
  batches = 0;
  const first = await counter.database.adminPool.connect();
  await first.query('begin');
  // Somebody else's, who has not committed: the batch sees no counter, and waits as it writes its own.
  await first.query(
    `insert into shared_counters select environment_id, id, 'campaign:spring', 0 from programs
      where environment_id = $1`,
    [capped.id],
  );
  const outcomes = Promise.all(customers.map((customer) => writer.submit(capped.earn(customer))));
  const waiting = `select count(*) from pg_stat_activity
    where application_name = 'second' and wait_event_type = 'Lock'`;
  while ((await counter.value<number>(waiting)) === 0) await new Promise((done) => setTimeout(done, 5));
  await first.query('commit');
  first.release();
  expect((await outcomes).map(codeOf)).toEqual(Array(10).fill('done'));
  expect(batches).toBe(2);
  const taken = 'select taken from shared_counters where environment_id = $1';
  expect(await counter.value(taken, [capped.id])).toBe(200);
});

test('a database that cannot be reached for a moment is waited for; for longer, the failure is answered', async () => {
  const lanePool = createLanePool({ url: counter.database.serverUrl, size: 1, applicationName: 'writer' });
  let refusals = 0;
  const unreachable = new Proxy(lanePool, {
    get(target, name) {
      if (name !== 'connect' || refusals === 0) return bound(target, name);
      refusals -= 1;
      return () => Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }));
    },
  });
  const causes: string[] = [];
  const writer = counter.writer({
    ...{ lanes: 1, lanePool: unreachable },
    onRetry: (cause) => causes.push(cause),
  });
  refusals = 4;
  expect(codeOf(await writer.submit(shop.createMember('gus')))).toBe('done');
  expect(causes).toEqual(Array(4).fill('connection'));
  await writer.close();
  const other = counter.writer({ lanes: 1, lanePool: unreachable });
  refusals = 5;
  await expect(other.submit(shop.createMember('hal'))).rejects.toThrow('refused');
  expect(refusals).toBe(0);
  expect(codeOf(await other.submit(shop.createMember('hal')))).toBe('done');
});

test('where each try takes long, a failure is answered after a few seconds and not after five tries', async () => {
  const lanePool = createLanePool({ url: counter.database.serverUrl, size: 1, applicationName: 'writer' });
  let passed = 0;
  let tries = 0;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => passed);
  const slow = new Proxy(lanePool, {
    get(target, name) {
      if (name !== 'connect') return bound(target, name);
      return () => {
        tries += 1;
        passed += 5_000;
        return Promise.reject(new Error('timeout exceeded when trying to connect'));
      };
    },
  });
  try {
    const writer = counter.writer({ lanes: 1, lanePool: slow });
    await expect(writer.submit(shop.createMember('ian'))).rejects.toThrow('timeout exceeded');
    expect(tries).toBe(2);
  } finally {
    clock.mockRestore();
  }
});
