import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { createLanePool } from '../../../src/ledger/batch/lane-pool.ts';
import { Sequencer } from '../../../src/webhooks/sequencer.ts';
import { fixture } from '../../support/fixture.ts';
import type { Shop } from '../../support/ledger/counter.ts';
import { useCounter } from '../../support/ledger/use-counter.ts';
import { Rounds } from '../../support/simulator/rounds.ts';
import { storedCounters, storedPart, storedProfiles } from '../../support/simulator/stored-profiles.ts';
import { install } from '../../support/time-machine.ts';
import { addEndpoint, deliveriesOf } from '../../support/webhooks/endpoints.ts';

const ROUNDS = process.env.FULL === '1' ? 1_000 : 180;
const SEED = Number(process.env.SIMULATION_SEED ?? randomInt(2 ** 32 - 1));

const counter = useCounter();
const time = fixture('the time machine', () => install(counter.database.adminUrl));

test(`the workload over two writers on one Postgres does what the model says (SIMULATION_SEED=${SEED})`, async () => {
  const shop = await counter.environment();
  const rounds = new Rounds(SEED, counter, shop, [counter.writer(), counter.writer({ maxBatch: 7 })], time);
  await rounds.begin();
  for (let round = 0; round < ROUNDS; round++) await rounds.round(round % 5 === 4);

  const { model } = rounds;
  const stored = await storedProfiles(counter.database.adminPool, shop.id);
  const expected = [...model.profiles.ownRows].map(([name, profile]) => [name, storedPart(profile)] as const);
  expect(Object.fromEntries(stored)).toEqual(Object.fromEntries(expected));
  const rows = (table: string): Promise<number> =>
    counter.value(`select count(*) from ${table} where environment_id = $1`, [shop.id]);
  expect(await rows('members')).toBe(model.members.ownRows.size);
  expect(await rows('orders')).toBe(model.orders.ownRows.size);
  const counted = await storedCounters(counter.database.adminPool, shop.id);
  expect(counted.ofMembers).toEqual(Object.fromEntries(model.counted.ownRows));
  expect(counted.shared).toEqual(Object.fromEntries(model.shared.ownRows));
  expect(await rows('custom_events')).toBe(model.events.ownRows.size);
  expect(await rows('choice_claims')).toBe(model.claims.ownRows.size);
  expect(await rows('idempotency_keys')).toBe(model.idempotencyKeys.ownRows.size);
  expect(await rows('returns')).toBe(model.returns.ownRows.size);
  for (const [table, inModelTable] of [
    ['redemption_quotes', model.quotes],
    ['redemption_reservations', model.reservations],
    ['redemption_disputes', model.disputes],
    ['adjustments', model.adjustments],
  ] as const) {
    const states = await counter.value<object | null>(
      `select json_object_agg(state, count) from (
         select state, count(*)::int from ${table} where environment_id = $1 group by state) as counted`,
      [shop.id],
    );
    const counts = Map.groupBy<string, { state: string }>(
      inModelTable.ownRows.values(),
      ({ state }) => state,
    );
    const inModel = Object.fromEntries([...counts].map(([state, all]) => [state, all.length]));
    expect([table, states ?? {}]).toEqual([table, inModel]);
  }
  const taken = await counter.value<object | null>(
    `select json_object_agg(program_id || ' ' || reward_id, taken) from reward_stocks where environment_id = $1`,
    [shop.id],
  );
  expect(taken ?? {}).toEqual(Object.fromEntries(model.stocks.ownRows));
  await expectSequences(shop);
  expect(await counter.failedControls()).toEqual([]);
  // The run has exercised these operations.
  const often = [
    'purchaseEarn done',
    'purchaseEarn replayed',
    'enrollMember done',
    'recordReturn done',
    'quoteRedemption done',
    'requestAdjustment done',
    'recordCustomEvent done',
    'settleProfile done',
  ];
  for (const name of often) {
    expect([name, (rounds.outcomes.get(name) ?? 0) > 5]).toEqual([name, true]);
  }
  expect([...rounds.outcomes.keys()]).toEqual(
    expect.arrayContaining(['reserveRedemption done', 'approveAdjustment done', 'claimChoiceBenefit done']),
  );
}, 900_000);

/**
 * Gives the events of 20 types, the most that an endpoint takes, to one: every one of them, without gaps in their
 * order.
 */
async function expectSequences({ id }: Shop): Promise<void> {
  const { adminPool, serverUrl } = counter.database;
  const written = await counter.value<string[]>(
    'select json_agg(type order by written_at, id) from events where environment_id = $1',
    [id],
  );
  const types = [...new Set(written)].slice(0, 20);
  const endpointId = await addEndpoint(adminPool, id, types);
  const pool = createLanePool({ url: serverUrl, role: 'rewards_app', size: 2 });
  const failures: unknown[] = [];
  const sequencer = new Sequencer({ pool, onError: (error) => failures.push(error) });
  sequencer.wake(id);
  const waiting = 'select count(*) from events where environment_id = $1 and position is null';
  while ((await counter.value<number>(waiting, [id])) > 0 && failures.length === 0) await sleep(20);
  await sequencer.close();
  await pool.end();
  expect(failures).toEqual([]);
  const deliveries = await deliveriesOf(adminPool, endpointId);
  const sent = written
    .map((type, index) => ({ type, position: index + 1 }))
    .filter(({ type }) => types.includes(type));
  expect(deliveries.map(({ sequence }) => sequence)).toEqual(sent.map((_event, index) => index + 1));
  expect(deliveries.map(({ position }) => position)).toEqual(sent.map(({ position }) => position));
  expect(deliveries.map(({ eventType }) => eventType)).toEqual(sent.map(({ type }) => type));
}
