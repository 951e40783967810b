import { createPool, type Pool } from '../src/db/pool.ts';
import { rollUp } from '../src/ledger/closed-days/roll-up.ts';
import type { Comparison } from './comparison.ts';
import { forgetRollUps, lastMonth } from './fill-history.ts';
import type { Rounds } from './goals.ts';
import { inTurn } from './in-turn.ts';
import type { SeededPlace } from './seed.ts';
import type { Stage } from './stage.ts';

const BARE = `select debit_account, credit_account, sum(amount), count(*) as postings from postings
  where environment_id = $1 and program_id = $2 and created_at >= $3 and created_at < $4 group by 1, 2`;

interface CloseReport {
  status: string;
  totals: { postings: number };
}

/**
 * Rolls up the closed days of an environment, as the service's job does, so that the job has nothing to do meanwhile.
 */
export async function rollUpDays(pool: Pool, environmentId: string): Promise<void> {
  const begun = performance.now();
  const { closedThrough, days } = await rollUp(pool, environmentId);
  const took = ((performance.now() - begun) / 1000).toFixed(1);
  process.stderr.write(`  rolled up ${days} days, through ${closedThrough}, in ${took} s\n`);
  await pool.query('vacuum (analyze) ledger_days, member_days');
}

/**
 * Reads the close of the history's month over REST, one request at a time, and sums the same postings with one plain
 * statement, both in each round: first without roll-ups, then after the closed days were rolled up.
 */
export async function measureClose(
  stage: Stage,
  { uuid, place }: SeededPlace,
  { rounds, postings }: { rounds: Rounds; postings: number },
): Promise<Comparison[]> {
  const { target, pool } = stage;
  const { from, to } = lastMonth();
  const bare = createPool({
    url: target.baseline.databaseUrl,
    size: 1,
    applicationName: 'bench bare close',
    statementTimeoutMs: 0,
  });
  const query = new URLSearchParams({
    programId: place.programId,
    from: from.toISOString(),
    to: to.toISOString(),
  });
  const url = `http://127.0.0.1:${target.serverPort}/api/v1/reports/ledger-close?${query}`;
  const headers = { Authorization: `Bearer ${place.apiKeys[0]}`, 'X-Environment': place.environmentId };
  const aggregate = async (): Promise<void> => {
    const { rows } = await bare.query<{ postings: number }>({
      name: 'bare_close',
      text: BARE,
      values: [uuid, place.programId, from, to],
    });
    const found = rows.reduce((sum, row) => sum + row.postings, 0);
    if (found !== postings) throw new Error(`The month has ${found} postings, not ${postings}`);
  };
  const close = async (): Promise<void> => {
    const response = await fetch(url, { headers });
    if (!response.ok) throw new Error(`The close was refused: ${await response.text()}`);
    const report = (await response.json()) as CloseReport;
    if (report.status === 'control_exception' || report.totals.postings !== postings) {
      throw new Error(`Not the close that was expected: ${JSON.stringify(report).slice(0, 2_000)}`);
    }
  };
  const compare = async (
    named: Pick<Comparison, 'id' | 'title' | 'goal'>,
    prepare: () => Promise<void>,
  ): Promise<Comparison> => {
    await prepare();
    // Warms up plans, caches and compiled code.
    await aggregate();
    await close();
    const made = await inTurn<number>(
      {
        ...named,
        base: () => milliseconds(aggregate),
        measured: () => milliseconds(close),
        figure: (measured, base) => measured / (base as number),
      },
      rounds,
    );
    return {
      ...named,
      unit: 'ms',
      conditions: 'one at a time',
      measured: made.measured,
      against: { name: 'bare aggregate', values: made.base },
      ratios: made.figures,
      rounds,
      latencyMs: null,
      cpu: null,
    };
  };
  try {
    const without = await compare(
      { id: 'close0', title: 'GET …/ledger-close, nothing rolled up', goal: null },
      () => forgetRollUps(pool, uuid),
    ).catch((error: Error) => {
      // A server in operation is hardly ever in this state, and a close without roll-ups may exceed the statement
      // timeout.
      process.stdout.write(`close0 could not be measured: ${error.message}\n`);
      return null;
    });
    const rolledUp = await compare(
      { id: 'close', title: 'GET …/ledger-close, closed days rolled up', goal: { atMost: 2.5 } },
      () => rollUpDays(pool, uuid),
    );
    return without ? [without, rolledUp] : [rolledUp];
  } finally {
    await bare.end();
  }
}

async function milliseconds(work: () => Promise<void>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}
