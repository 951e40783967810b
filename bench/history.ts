import { showProgress } from '../src/cli/shell/progress.ts';
import { Bench } from './bench.ts';
import { measureClose, rollUpDays } from './close.ts';
import type { Comparison } from './comparison.ts';
import { readPostgres } from './conditions.ts';
import { compareEarning } from './earning.ts';
import { fillHistory } from './fill-history.ts';
import type { BenchOptions, HistoryPart } from './options.ts';
import { comparePages } from './page-costs.ts';
import { whole } from './report.ts';
import type { SeededPlace } from './seed.ts';
import type { Side } from './side.ts';
import type { Stage, StageOptions } from './stage.ts';

/** More than a page of 50. */
const TRANSACTIONS_PER_MEMBER = 62.5;
/** Transactions of the short history that the pages of a long one are compared with. */
const SHORT_HISTORY = 10_000;
/** 1 to 20 points, like the load's purchases, so that members stay in the lowest tier, as without a history. */
const AMOUNTS = { least: 100, different: 1_900 };

/**
 * Measures what a history of transactions costs: two databases, each with its own server and load, one empty and one
 * with the history. Their measurements alternate.
 */
export async function measureHistory(
  { seconds, keys, transactions, keepDir, ...options }: BenchOptions,
  parts: readonly HistoryPart[],
  connections: number,
  open: (options: StageOptions) => Promise<Stage>,
): Promise<{ comparisons: Comparison[]; benches: Bench[]; postgres: string }> {
  const rounds = { rounds: options.rounds, mostRounds: options.mostRounds };
  const members = Math.ceil(transactions / TRANSACTIONS_PER_MEMBER);
  const side = async (kept?: Pick<StageOptions, 'keepDir'>): Promise<Side> => {
    const stage = await open({ members, keys, items: 0, profileDir: null, ...kept });
    return { stage, bench: new Bench(stage), own: { uuid: stage.environmentId, place: stage.target } };
  };
  process.stderr.write(`Filling a database with ${whole(transactions)} transactions, and one with none …\n`);
  const empty = await side();
  const full = await side({ keepDir });
  await fill(full, full.own, transactions);
  await rollUpDays(full.stage.pool, full.own.uuid);
  const comparisons: Comparison[] = [];
  if (parts.includes('earn')) {
    comparisons.push(await compareEarning(empty, full, { seconds, rounds, connections }));
  }
  if (parts.includes('pages')) {
    const short = await empty.bench.makePlace('Short', SHORT_HISTORY / TRANSACTIONS_PER_MEMBER, keys);
    await fill(empty, short, SHORT_HISTORY);
    comparisons.push(
      ...(await comparePages({ ...empty, own: short }, full, { length: SHORT_HISTORY, seconds, rounds })),
    );
  }
  if (parts.includes('close')) {
    comparisons.push(...(await measureClose(full.stage, full.own, { rounds, postings: transactions })));
  }
  const postgres = await readPostgres(full.stage.pool);
  return { comparisons, benches: [empty.bench, full.bench], postgres };
}

async function fill({ stage, bench }: Side, { uuid }: SeededPlace, transactions: number): Promise<void> {
  const display = showProgress(transactions, 'transactions');
  const filled = await fillHistory(stage.pool, {
    environmentId: uuid,
    document: stage.seeder.document,
    transactions,
    amounts: AMOUNTS,
    receipt: stage.target.baseline.receipt,
    onProgress: (done) => display.update(done),
  }).finally(() => display.stop());
  bench.acknowledge(uuid, filled);
}
