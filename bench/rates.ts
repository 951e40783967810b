import type { Bench, Elsewhere, Measured } from './bench.ts';
import { fillHistory } from './fill-history.ts';
import { withOffers } from './offers.ts';
import type { BenchOptions } from './options.ts';
import { PAYING_AMOUNTS, PAYING_TRANSACTIONS } from './redemptions.ts';
import type { Results } from './report.ts';
import { type RateId, SCENARIOS } from './scenarios.ts';
import type { Stage } from './stage.ts';
import { bestConnections } from './sweep.ts';

const BASELINE_CONNECTIONS = [4, 8, 16, 32];
const WARM_UP_SECONDS = 3;

/** Measures the chosen scenarios, all of them once in each round. @param connections of HTTP */
export async function measureRates(
  stage: Stage,
  bench: Bench,
  options: BenchOptions,
  connections: number,
): Promise<Results> {
  const { rounds, seconds, baselineConnections } = options;
  const order = withWhatTheyNeed(options.only);
  const ofBaseline = order.includes('a')
    ? (baselineConnections ?? (await bestConnections(bench, 'a', BASELINE_CONNECTIONS)))
    : 0;
  const places: Partial<Record<RateId, Elsewhere>> = {};
  if (order.includes('g0')) places.g0 = places.g = await makeRedemptions(stage, bench, options);
  if (order.includes('i')) {
    const document = withOffers(stage.seeder.document);
    places.i = { at: await bench.makePlace('Offers', options.members, options.keys, document) };
  }
  if (order.includes('j')) {
    const { members, keys } = options;
    places.j = { at: await bench.makePlace('Whole program', members, keys, stage.seeder.demo) };
  }
  const measure = (id: RateId, length: number): Promise<Measured> =>
    bench.measure(id, length, id === 'a' ? ofBaseline : connections, places[id] ?? {});
  // Warm-up: the server compiles code that runs often, which must not happen in the first round. A sweep has warmed up b.
  const warm: RateId[] = options.connections === null ? ['a', 'b'] : ['a'];
  for (const id of order) if (!warm.includes(id)) await measure(id, Math.min(WARM_UP_SECONDS, seconds));
  const results = new Map<RateId, Measured[]>(order.map((id) => [id, []]));
  for (let round = 1; round <= rounds; round++) {
    process.stderr.write(`  round ${round} of ${rounds}: ${order.join(' ')}\n`);
    for (const id of order) results.get(id)?.push(await measure(id, seconds));
  }
  return results;
}

/** The chosen scenarios with those that their ratios are taken of, and those whose results they need. */
function withWhatTheyNeed(only: BenchOptions['only']): RateId[] {
  const wanted = new Set<string>(only);
  for (const { id, against, after } of SCENARIOS) {
    if (!wanted.has(id)) continue;
    if (against) wanted.add(against.id);
    if (after) wanted.add(after);
  }
  // Only one step: the base of a base, such as a for h, is not shown and not needed.
  return SCENARIOS.filter(({ id }) => wanted.has(id)).map(({ id }) => id);
}

/** An environment whose members have points to redeem. */
async function makeRedemptions(
  { pool, seeder, target }: Stage,
  bench: Bench,
  { members, keys }: BenchOptions,
): Promise<Elsewhere> {
  const at = await bench.makePlace('Redemptions', members, keys);
  const filled = await fillHistory(pool, {
    environmentId: at.uuid,
    document: seeder.document,
    transactions: Math.ceil((members * PAYING_TRANSACTIONS) / 20) * 20,
    amounts: PAYING_AMOUNTS,
    receipt: target.baseline.receipt,
  });
  bench.acknowledge(at.uuid, filled);
  return { at };
}
