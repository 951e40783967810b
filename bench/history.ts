import { Bench, type Elsewhere, type Measured } from './bench.ts';
import { measureClose } from './close.ts';
import { fillHistory } from './fill-history.ts';
import type { Comparison } from './history-report.ts';
import type { BenchOptions, HistoryPart } from './options.ts';
import { PAGES } from './pages.ts';
import { rate, whole } from './report.ts';
import type { PageId, Place, ScenarioId } from './scenarios.ts';
import type { SeededPlace } from './seed.ts';
import type { Stage, StageOptions } from './stage.ts';

/** Each has more than a page of 50. */
const TRANSACTIONS_PER_MEMBER = 62.5;
/** What the pages of a long history are compared with. */
const SHORT_HISTORY = 10_000;
/** 1 to 20 points, as the load's own: members stay in the lowest tier, as those without a history do. */
const AMOUNTS = { least: 100, different: 1_900 };
const PAGE_CONNECTIONS = 16;
const WARM_UP_SECONDS = 3;

/** A stage with the environment that is measured on it. */
interface Side {
  stage: Stage;
  bench: Bench;
  /** The environment that the stage began with. */
  own: SeededPlace;
}

/**
 * Measures what a history of transactions costs: two databases, each with a server and a load of its own, one of them
 * empty; the other one has the history. Their measurements take turns.
 */
export async function measureHistory(
  { seconds, rounds, keys, transactions }: BenchOptions,
  parts: readonly HistoryPart[],
  connections: number,
  open: (options: StageOptions) => Promise<Stage>,
): Promise<{ comparisons: Comparison[]; benches: Bench[] }> {
  const members = Math.ceil(transactions / TRANSACTIONS_PER_MEMBER);
  const side = async (): Promise<Side> => {
    const stage = await open({ members, keys, items: 0, profileDir: null });
    return { stage, bench: new Bench(stage), own: { uuid: stage.environmentId, place: stage.target } };
  };
  process.stderr.write(`Filling a database with ${whole(transactions)} transactions, and one with none …\n`);
  const empty = await side();
  const full = await side();
  await fill(full, full.own, transactions);
  const comparisons: Comparison[] = [];
  if (parts.includes('earn')) {
    comparisons.push(await compareEarning(empty, full, { seconds, rounds, connections }));
  }
  if (parts.includes('pages')) {
    const short = await empty.bench.makePlace('Short', SHORT_HISTORY / TRANSACTIONS_PER_MEMBER, keys);
    await fill(empty, short, SHORT_HISTORY);
    comparisons.push(...(await comparePages({ ...empty, own: short }, full, { seconds, rounds })));
  }
  if (parts.includes('close')) {
    comparisons.push(...(await measureClose(full.stage, full.own, { rounds, postings: transactions })));
  }
  return { comparisons, benches: [empty.bench, full.bench] };
}

async function fill({ stage, bench }: Side, { uuid }: SeededPlace, transactions: number): Promise<void> {
  const filled = await fillHistory(stage.pool, {
    environmentId: uuid,
    document: stage.seeder.document,
    transactions,
    amounts: AMOUNTS,
    receipt: stage.target.baseline.receipt,
  });
  bench.acknowledge(uuid, filled);
}

async function compareEarning(
  empty: Side,
  full: Side,
  { seconds, rounds, connections }: { seconds: number; rounds: number; connections: number },
): Promise<Comparison> {
  const measure = (side: Side, length: number): Promise<Measured> =>
    side.bench.measure('b', length, connections);
  for (const side of [empty, full]) await measure(side, Math.min(WARM_UP_SECONDS, seconds));
  const [base, measured] = await inTurn(rounds, 'earn', empty, full, (side) => measure(side, seconds));
  return {
    id: 'earn',
    title: 'POST /api/v1/events',
    unit: 'per second',
    against: 'empty',
    base,
    measured,
    ratios: base.map((each, round) => (measured[round] ?? Number.NaN) / each),
    target: { atLeast: 0.9 },
  };
}

async function comparePages(
  short: Side,
  full: Side,
  { seconds, rounds }: { seconds: number; rounds: number },
): Promise<Comparison[]> {
  const cursors = new Map<Side, string>();
  for (const side of [short, full]) cursors.set(side, await secondPage(side));
  const measure = (id: PageId, side: Side, length: number): Promise<Measured> => {
    const elsewhere: Elsewhere = { at: side.own, cursor: cursors.get(side) ?? '' };
    return side.bench.measure(id satisfies ScenarioId, length, PAGE_CONNECTIONS, elsewhere);
  };
  for (const { id } of PAGES) for (const side of [short, full]) await measure(id, side, Math.min(1, seconds));
  const comparisons: Comparison[] = [];
  for (const { id, title } of PAGES) {
    const length = Math.min(2, seconds);
    const [base, measured] = await inTurn(rounds, id, short, full, (side) => measure(id, side, length));
    comparisons.push({
      id,
      title,
      unit: 'per second',
      against: whole(SHORT_HISTORY),
      base,
      measured,
      // What a page costs is the inverse of how many there are in a second.
      ratios: base.map((each, round) => each / (measured[round] ?? Number.NaN)),
      target: { atMost: 1.2 },
    });
  }
  return comparisons;
}

/** Measures the two sides one after the other, the second round in the other order and so on. @returns their rates */
async function inTurn(
  rounds: number,
  name: string,
  one: Side,
  other: Side,
  measure: (side: Side) => Promise<Measured>,
): Promise<[number[], number[]]> {
  const [ofOne, ofOther]: [number[], number[]] = [[], []];
  for (let round = 1; round <= rounds; round++) {
    process.stderr.write(`  ${name}: round ${round} of ${rounds}\n`);
    for (const side of round % 2 === 1 ? [one, other] : [other, one]) {
      (side === one ? ofOne : ofOther).push(rate(await measure(side)));
    }
  }
  return [ofOne, ofOther];
}

/** The cursor of the second page, which the first one tells. */
async function secondPage({ stage, own }: Side): Promise<string> {
  const { page } = await readJson(stage, own.place, '/transactions?limit=50');
  return page.nextCursor;
}

async function readJson(
  { target }: Stage,
  { apiKeys, environmentId }: Place,
  path: string,
): Promise<{ page: { nextCursor: string } }> {
  const response = await fetch(`http://127.0.0.1:${target.serverPort}/api/v1${path}`, {
    headers: { Authorization: `Bearer ${apiKeys[0]}`, 'X-Environment': environmentId },
  });
  if (!response.ok) throw new Error(`${path} was refused: ${await response.text()}`);
  return (await response.json()) as { page: { nextCursor: string } };
}
