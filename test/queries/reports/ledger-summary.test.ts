import { randomInt } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { rollUp } from '../../../src/ledger/closed-days/roll-up.ts';
import { readLedgerSummary } from '../../../src/queries/reports/ledger-summary.ts';
import { fixture } from '../../support/fixture.ts';
import type { Shop } from '../../support/ledger/counter.ts';
import { useCounter } from '../../support/ledger/use-counter.ts';
import { Rounds } from '../../support/simulator/rounds.ts';
import { install } from '../../support/time-machine.ts';

const SEED = Number(process.env.SIMULATION_SEED ?? randomInt(2 ** 32 - 1));
const STATES = ['reserved', 'committed', 'released', 'expired', 'reversed'];

const counter = useCounter();
const time = fixture('the time machine', () => install(counter.database.adminUrl));

/** The reservations of an environment by their states, each counted by its row. */
async function counted({ id }: Shop): Promise<Record<string, number>> {
  const { rows } = await counter.database.adminPool.query<{ state: string; count: number }>(
    'select state, count(*) from redemption_reservations where environment_id = $1 group by state',
    [id],
  );
  const found = new Map(rows.map(({ state, count }) => [state, count]));
  return Object.fromEntries(STATES.map((state) => [state, found.get(state) ?? 0]));
}

test(`whatever was done, the summary counts every reservation by its state (SIMULATION_SEED=${SEED})`, async () => {
  const shop = await counter.environment();
  const rounds = new Rounds(SEED, counter, shop, [counter.writer()], time);
  await rounds.begin();
  for (let part = 0; part < 3; part++) {
    for (let round = 0; round < 40; round++) await rounds.round(false);
    const { rows } = await counter.database.adminPool.query<{ now: Date }>('select clock_timestamp() as now');
    const to = rows[0]?.now ?? new Date();
    const window = { from: new Date(to.getTime() - 86_400_000), to };
    const summary = await readLedgerSummary(counter.database.adminPool, shop.id, {
      programId: null,
      ...window,
    });
    expect(summary).toMatchObject({ redemptions: await counted(shop) });
    await rollUp(counter.database.adminPool, shop.id);
  }
}, 240_000);
