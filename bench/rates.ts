import type { Bench, Measured, Particulars } from './bench.ts';
import { addCodes, withCoupon, withPool } from './codes.ts';
import { type Comparison, fairness, ofRates, rate } from './comparison.ts';
import { addEndpoints } from './endpoints.ts';
import { fillHistory } from './fill-history.ts';
import type { Rounds } from './goals.ts';
import { inTurn } from './in-turn.ts';
import { withOffers } from './offers.ts';
import type { BenchOptions } from './options.ts';
import { chosenComparisons, ENVIRONMENTS_AT_ONCE, type RateComparison } from './rate-comparisons.ts';
import { PAYING_AMOUNTS, PAYING_TRANSACTIONS, REWARDS_PER_MEMBER } from './redemptions.ts';
import type { RateId } from './scenarios.ts';
import type { SeededPlace } from './seed.ts';
import type { Stage } from './stage.ts';
import { bestConnections } from './sweep.ts';

/** What is called directly in Postgres, on connections of its own number. */
const DIRECT: readonly RateId[] = ['a', 't0'];
const DIRECT_CONNECTIONS = [4, 8, 16, 32, 64];
/** Both sides alike: the server compiles code that runs often, connections prepare their statements. */
export const WARM_UP_SECONDS = 3;
/** Of an open-loop measurement: enough that requests wait in the server, as far as possible, and not before it. */
const OPEN_LOOP_CONNECTIONS = 256;

/**
 * The part of a rate of arrivals that has to be answered in its time. Below it, latencies grow with the measurement.
 */
const LEAST_HELD = 0.9;

/** Measures the chosen comparisons, one after the other. @param connections of HTTP, where `best` */
export async function measureRates(
  stage: Stage,
  bench: Bench,
  options: BenchOptions,
  connections: number,
): Promise<Comparison[]> {
  const chosen = chosenComparisons(options.only);
  const places = await makePlaces(stage, bench, options, new Set(chosen.map(({ measured }) => measured)));
  const ofDirect = new Map<RateId, number>();
  for (const scenario of DIRECT) {
    if (!chosen.some((one) => one.against === scenario && one.connections === 'best')) continue;
    const given = options.baselineConnections;
    ofDirect.set(scenario, given ?? (await bestConnections(bench, scenario, DIRECT_CONNECTIONS)));
  }
  const run = new RateRun(bench, options, { http: connections, direct: ofDirect }, places);
  const comparisons: Comparison[] = [];
  for (const one of chosen) comparisons.push(await run.compare(one));
  return comparisons;
}

/** The numbers of connections that were fastest: of HTTP, and of each scenario that is called in Postgres. */
interface BestConnections {
  http: number;
  direct: ReadonlyMap<RateId, number>;
}

type Places = Partial<Record<RateId, Particulars>>;

class RateRun {
  readonly #bench: Bench;
  readonly #seconds: number;
  readonly #rounds: Rounds;
  readonly #best: BestConnections;
  readonly #places: Places;
  readonly #warm = new Set<string>();

  constructor(
    bench: Bench,
    { seconds, rounds, mostRounds }: BenchOptions,
    best: BestConnections,
    places: Places,
  ) {
    this.#bench = bench;
    this.#seconds = seconds;
    this.#rounds = { rounds, mostRounds };
    this.#best = best;
    this.#places = places;
  }

  async compare(one: RateComparison): Promise<Comparison> {
    const { id, title, measured, against, goal, arrivals } = one;
    const { connections } = this.#sideOf(one, measured);
    const base = against && this.#sideOf(one, against);
    if (base && against) await this.#warmUp(against, base.connections);
    await this.#warmUp(measured, connections);
    const made = await inTurn<Measured>(
      {
        id,
        base: base && against ? () => this.#measure(against, this.#seconds, base.connections) : null,
        measured: (before) =>
          this.#measure(measured, this.#seconds, connections, before && arrivals && arrivals * rate(before)),
        figure: (after, before) => (before ? rate(after) / rate(before) : rate(after)),
        goal,
      },
      this.#rounds,
    );
    const ofMeasured = `${connections} ${arrivals ? 'HTTP at most, open loop' : 'HTTP'}`;
    const ofBase = base && base.text !== `${connections} HTTP` ? ` | ${base.text}` : '';
    const shares = measured === 'm' ? `; slowest/fastest ${fairness(made.measured).toFixed(2)}` : '';
    const isHeld = !arrivals || Math.min(...made.figures) >= LEAST_HELD * arrivals;
    const conditions = `${ofMeasured}${ofBase}${shares}${isHeld ? '' : '; rate not held'}`;
    return ofRates({ id, title, conditions, goal, rounds: this.#rounds, against }, made);
  }

  #sideOf(
    { connections, arrivals }: RateComparison,
    scenario: RateId,
  ): { connections: number; text: string } {
    const { http, direct } = this.#best;
    const best = direct.get(scenario) ?? http;
    const chosen = connections === 'best' ? best : connections;
    const count = arrivals && scenario === 'o' ? OPEN_LOOP_CONNECTIONS : chosen;
    return { connections: count, text: `${count} ${DIRECT.includes(scenario) ? 'of Postgres' : 'HTTP'}` };
  }

  /** Once for each scenario and number of connections. */
  async #warmUp(scenario: RateId, connections: number): Promise<void> {
    const side = `${scenario} ${connections}`;
    if (this.#warm.has(side)) return;
    this.#warm.add(side);
    // An open loop needs a rate, which is not known yet; its requests are those of b, which is warm.
    if (scenario !== 'o')
      await this.#measure(scenario, Math.min(WARM_UP_SECONDS, this.#seconds), connections);
  }

  #measure(
    scenario: RateId,
    seconds: number,
    connections: number,
    arrivalsPerSecond?: number | null,
  ): Promise<Measured> {
    const particulars = this.#places[scenario] ?? {};
    return this.#bench.measure(scenario, seconds, connections, {
      ...particulars,
      ...(arrivalsPerSecond && { arrivalsPerSecond }),
    });
  }
}

/** Makes the environments that scenarios need beside the service's own. */
async function makePlaces(
  stage: Stage,
  bench: Bench,
  options: BenchOptions,
  scenarios: ReadonlySet<RateId>,
): Promise<Places> {
  const { seeder, pool } = stage;
  const { members, keys } = options;
  const places: Places = {};
  if (scenarios.has('g0')) {
    // Quotes are enough for every round and the warm-up, however fast they are.
    const most = Math.floor(
      (members * REWARDS_PER_MEMBER) / (Math.max(options.rounds, options.mostRounds) + 1),
    );
    places.g0 = places.g = { at: [await makeRedemptions(stage, bench, options)], most };
  }
  if (scenarios.has('i')) {
    places.i = { at: [await bench.makePlace('Offers', members, keys, withOffers(seeder.document))] };
  }
  if (scenarios.has('v')) {
    places.v = { at: [await bench.makePlace('Previews', members, keys, seeder.demo)] };
  }
  if (scenarios.has('j')) {
    places.j = { at: [await bench.makePlace('Whole program', members, keys, seeder.demo)] };
  }
  if (scenarios.has('k')) {
    const { document } = seeder;
    places.k0 = { at: [await bench.makePlace('One coupon', members, keys, withCoupon(document))] };
    const place = await bench.makePlace('Codes', members, keys, withPool(document));
    const name = { environmentId: place.uuid, programId: document.id };
    await addCodes({ pool, administrator: seeder.administrator }, name, options.codes);
    places.k = { at: [place] };
  }
  if (scenarios.has('m')) {
    const share = (count: number): number => Math.ceil(count / ENVIRONMENTS_AT_ONCE);
    const at: SeededPlace[] = [];
    for (let number = 1; number <= ENVIRONMENTS_AT_ONCE; number++) {
      at.push(
        await bench.makePlace(`One of ${ENVIRONMENTS_AT_ONCE}: ${number}`, share(members), share(keys)),
      );
    }
    places.m = { at };
  }
  for (const [scenario, endpoints] of [
    ['w1', 1],
    ['w5', 5],
  ] as const) {
    if (!scenarios.has(scenario)) continue;
    const place = await bench.makePlace(`Endpoints: ${endpoints}`, members, keys);
    await addEndpoints(pool, place.uuid, endpoints);
    places[scenario] = { at: [place] };
  }
  return places;
}

/** An environment whose members have points to redeem. */
async function makeRedemptions(
  { pool, seeder, target }: Stage,
  bench: Bench,
  { members, keys }: BenchOptions,
): Promise<SeededPlace> {
  const place = await bench.makePlace('Redemptions', members, keys);
  const filled = await fillHistory(pool, {
    environmentId: place.uuid,
    document: seeder.document,
    transactions: Math.ceil((members * PAYING_TRANSACTIONS) / 20) * 20,
    amounts: PAYING_AMOUNTS,
    receipt: target.baseline.receipt,
  });
  bench.acknowledge(place.uuid, filled);
  return place;
}
