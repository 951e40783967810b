import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Counter } from '../ledger/counter.ts';
import { Rounds } from './rounds.ts';

const ROUNDS = process.env.FULL === '1' ? 1_000 : 60;
const SEED = Number(process.env.SIMULATION_SEED ?? randomInt(2 ** 32 - 1));

let counter: Counter;

beforeAll(async () => {
  counter = await Counter.open();
});

afterAll(async () => {
  await counter.close();
});

test(`the workload over two writers on one Postgres does what the model says (SIMULATION_SEED=${SEED})`, async () => {
  const shop = await counter.environment();
  const rounds = new Rounds(SEED, counter, shop, [counter.writer(), counter.writer({ maxBatch: 7 })]);
  await rounds.begin();
  for (let round = 0; round < ROUNDS; round++) await rounds.round(round % 5 === 4);

  const { model } = rounds;
  expect(Object.fromEntries(await rounds.profiles())).toEqual(Object.fromEntries(model.profiles.own));
  const rows = (table: string): Promise<number> =>
    counter.value(`select count(*) from ${table} where environment_id = $1`, [shop.id]);
  expect(await rows('members')).toBe(model.members.own.size);
  expect(await rows('orders')).toBe(model.orders.own.size);
  expect(await rows('limit_counters')).toBe(model.counted.own.size);
  expect(await rows('idempotency_keys')).toBe(model.answers.own.size);
  expect(await rows('audit_events')).toBe(model.answers.own.size);
  expect(await counter.failedControls()).toEqual([]);
  // It went through what it is there for.
  for (const name of [
    'purchaseEarn done',
    'purchaseEarn replayed',
    'enrollMember done',
    'unenrollMember done',
  ]) {
    expect([name, (rounds.outcomes.get(name) ?? 0) > 10]).toEqual([name, true]);
  }
}, 120_000);
