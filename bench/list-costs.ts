import { Bench, type Measured } from './bench.ts';
import type { Comparison } from './comparison.ts';
import { readPostgres } from './conditions.ts';
import { fillLists } from './fill-lists.ts';
import { LISTS } from './lists.ts';
import type { BenchOptions } from './options.ts';
import { CONNECTIONS, compareCosts } from './page-costs.ts';
import { whole } from './report.ts';
import type { ListId } from './scenarios.ts';
import type { Side } from './side.ts';
import type { Stage, StageOptions } from './stage.ts';

/** Rows of each short list. */
const SHORT_ROWS = 10_000;

/**
 * Compares pages of long lists with pages of short ones: two databases, each with its own server and load. The rows are
 * not what commands write, so the ledger is not audited.
 * @param rows of each long list
 */
export async function measureLists(
  { seconds, keys, transactions: rows, ...options }: BenchOptions,
  open: (options: StageOptions) => Promise<Stage>,
): Promise<{ comparisons: Comparison[]; postgres: string }> {
  const filled = async (count: number): Promise<Side> => {
    process.stderr.write(`Filling a database with lists of ${whole(count)} …\n`);
    const stage = await open({ members: 10, keys, items: 0, profileDir: null });
    await fillLists(stage.pool, {
      environmentId: stage.environmentId,
      programId: stage.target.programId,
      rows: count,
    });
    return {
      stage,
      bench: new Bench(stage),
      own: { uuid: stage.environmentId, place: stage.target },
    };
  };
  const [short, long] = [await filled(SHORT_ROWS), await filled(rows)];
  const measure = (id: ListId, side: Side, length: number): Promise<Measured> =>
    side.bench.measure(id, length, CONNECTIONS, { at: [side.own] });
  const comparisons = await compareCosts(
    LISTS,
    { short, long, measure },
    {
      against: `cost of ${whole(SHORT_ROWS)}`,
      seconds,
      rounds: { rounds: options.rounds, mostRounds: options.mostRounds },
    },
  );
  return { comparisons, postgres: await readPostgres(long.stage.pool) };
}
