import { isDeepStrictEqual } from 'node:util';
import type { Pool } from 'pg';
import { Random } from '../../../../simulator/random.ts';
import { createPool } from '../../../../src/db/pool.ts';
import { createLanePool } from '../../../../src/ledger/batch/lane-pool.ts';
import type { Writer } from '../../../../src/ledger/batch/writer.ts';
import { isRefusal } from '../../../../src/refusal.ts';
import { program } from '../../rules/fixtures.ts';
import { Counter } from '../counter.ts';
import { Gate } from './gate.ts';
import { type Interleaved, type Interleaving, interleave, type Side } from './interleave.ts';
import type { Opponent, Race } from './races.ts';
import { comparable, storedOf } from './run-outcome.ts';
import { Stage } from './stage.ts';

/** A run that is prepared: nothing of it has raced yet. */
interface Prepared {
  stage: Stage;
  opponents: readonly [Opponent, Opponent];
}

/** What came of a run, with placeholders for ids and instants. */
interface Outcome {
  a: unknown;
  b: unknown;
  stored: unknown;
}

export interface Explored {
  /** How many interleavings were run, besides the two serial orders. */
  runs: number;
  /** Whether the two serial orders differ. Where they do not, nothing was fought over. */
  isContest: boolean;
  /** A text for each interleaving that gave what neither serial order gives, or that had to try a batch again. */
  faults: string[];
}

/** So many runs share an environment. */
const RUNS_TOGETHER = 60;

/** Two writers on one Postgres, as in two processes, whose statements are sent in every order. */
export class Arena {
  readonly counter: Counter;
  readonly #setup: Writer;
  readonly #corners: readonly [Corner, Corner];

  private constructor(counter: Counter) {
    this.counter = counter;
    this.#setup = counter.writer({ lanes: 1 });
    this.#corners = [new Corner(counter), new Corner(counter)];
  }

  static async open(): Promise<Arena> {
    return new Arena(await Counter.open());
  }

  async close(): Promise<void> {
    for (const corner of this.#corners) await corner.close();
    await this.counter.close();
  }

  /**
   * Runs a race in its two serial orders, and then with each side interrupted once after each of its statements by the
   * other side's whole work; and with two interruptions at random places, or at all of them.
   * @param twice how many interleavings with two interruptions; `all` for every one
   */
  async explore(race: Race, seed: number, twice: number | 'all'): Promise<Explored> {
    const serial: Outcome[] = [];
    const sent: [number, number] = [0, 0];
    const faults: string[] = [];
    for (const [index, prepared] of (await this.#prepare(race, 2, 'serial')).entries()) {
      const first = index === 0 ? 0 : 1;
      const { interleaved, outcome } = await this.#run(prepared, { first, legs: [] });
      serial.push(outcome);
      sent[first] = interleaved.sent[first];
      if (triedAgain(interleaved))
        faults.push(`serial: a batch was tried again: ${interleaved.log.join(' | ')}`);
    }
    const plans = plansOf(sent, race.positions ?? Number.POSITIVE_INFINITY, twice, new Random(seed));
    for (let begin = 0; begin < plans.length; begin += RUNS_TOGETHER) {
      const some = plans.slice(begin, begin + RUNS_TOGETHER);
      const prepared = await this.#prepare(race, some.length, `from-${begin}`);
      for (const [index, plan] of some.entries()) {
        const { interleaved, outcome } = await this.#run(prepared[index] as Prepared, plan);
        const fault = faultOf(race, interleaved, outcome, serial);
        if (fault) faults.push(`${JSON.stringify(plan)}: ${fault}: ${interleaved.log.join(' | ')}`);
      }
    }
    return { runs: plans.length, isContest: !isDeepStrictEqual(serial[0], serial[1]), faults };
  }

  /** Prepares runs of a race, all at once: their commands share batches. */
  async #prepare(race: Race, count: number, name: string): Promise<Prepared[]> {
    const runs = Array.from({ length: count }, (_, index) => `${name}-${index}-`);
    const groups = race.ownEnvironment ? runs.map((run) => [run]) : [runs];
    const prepared = await Promise.all(
      groups.map(async (group) => {
        const shop = await this.counter.environment(program(race.document?.(group)));
        // The catalogs of both writers have the environment's program before they race.
        for (const corner of this.#corners) await corner.writer.submit(shop.earn('nobody'));
        return Promise.all(
          group.map(async (run) => {
            const stage = new Stage(shop, run, this.#setup, this.counter.database.adminPool);
            return { stage, opponents: await race.prepare(stage) };
          }),
        );
      }),
    );
    return prepared.flat();
  }

  async #run(
    { stage, opponents }: Prepared,
    plan: Interleaving,
  ): Promise<{ interleaved: Interleaved; outcome: Outcome }> {
    const [a, b] = this.#corners;
    const sides = [a.side(opponents[0]), b.side(opponents[1])] as const;
    const interleaved = await interleave(sides, plan, (processId) =>
      this.counter.value('select cardinality(pg_blocking_pids($1)) > 0', [processId]),
    );
    const [resultA, resultB] = interleaved.results.map((result) =>
      comparable(withoutMessages(result), stage.run),
    );
    const stored = await storedOf(this.counter.database.adminPool, stage.shop.id, stage.run);
    return { interleaved, outcome: { a: resultA, b: resultB, stored } };
  }
}

/** One side's connections: those of a writer, and those of a read or a job. Each is behind a gate. */
class Corner {
  readonly writer: Writer;
  readonly #lane: Gate;
  readonly #other: Gate;
  readonly #otherPool: Pool;

  constructor(counter: Counter) {
    const { serverUrl, adminUrl } = counter.database;
    const lanePool = createLanePool({ url: serverUrl, size: 1, applicationName: 'rewards writer' });
    this.#lane = new Gate(lanePool);
    this.writer = counter.writer({ lanes: 1, lanePool: this.#lane.pool });
    this.#otherPool = createPool({ url: adminUrl, size: 1, applicationName: 'rewards job' });
    this.#other = new Gate(this.#otherPool);
  }

  side(opponent: Opponent): Side {
    if (typeof opponent === 'function') {
      return { gate: this.#other, work: () => opponent(this.#other.pool) };
    }
    return {
      gate: this.#lane,
      work: () => Promise.all(opponent.map((command) => this.writer.submit(command))),
    };
  }

  close(): Promise<void> {
    return this.#otherPool.end();
  }
}

/** The orders to run: one interruption at each place, and some with two. @param positions most places on a side */
function plansOf(
  sent: readonly [number, number],
  positions: number,
  twice: number | 'all',
  random: Random,
): Interleaving[] {
  const sides = [0, 1] as const;
  const once = sides.flatMap((first) => {
    const step = Math.max(1, Math.ceil((sent[first] - 1) / positions));
    return range(1, sent[first] - 1, step).map((leg) => ({ first, legs: [leg] }));
  });
  const isShort = positions === Number.POSITIVE_INFINITY;
  const both = isShort
    ? sides.flatMap((first) =>
        range(1, sent[first] - 1).flatMap((leg) =>
          range(1, sent[first === 0 ? 1 : 0] - 1).map((other) => ({ first, legs: [leg, other] })),
        ),
      )
    : [];
  const some =
    twice === 'all' ? both : Array.from({ length: Math.min(twice, both.length) }, () => random.pick(both));
  return [...once, ...some];
}

function range(from: number, to: number, step = 1): number[] {
  return Array.from(
    { length: Math.max(0, Math.floor((to - from) / step) + 1) },
    (_, index) => from + index * step,
  );
}

function faultOf(
  race: Race,
  interleaved: Interleaved,
  outcome: Outcome,
  serial: readonly Outcome[],
): string | null {
  if (interleaved.isDeadlocked) return 'both sides wait for each other';
  if (triedAgain(interleaved)) return 'a batch was tried again';
  if (!serial.some((one) => isDeepStrictEqual(one, outcome))) {
    return `neither serial order gives this: ${differences(outcome, serial)}`;
  }
  return race.violation?.(interleaved) ?? null;
}

/** Whether a writer began a batch twice. */
function triedAgain({ log }: Interleaved): boolean {
  return ['A', 'B'].some(
    (side) => log.filter((line) => line === `${side} begin isolation level read committed`).length > 1,
  );
}

/** The parts of an outcome that differ from each serial order. */
function differences(outcome: Outcome, serial: readonly Outcome[]): string {
  const parts = (of: Outcome): Record<string, unknown> => ({ a: of.a, b: of.b, ...(of.stored as object) });
  const actual = parts(outcome);
  return serial
    .map((one) => {
      const expected = parts(one);
      const names = Object.keys(actual).filter((name) => !isDeepStrictEqual(actual[name], expected[name]));
      return names
        .map((name) => `${name} ${JSON.stringify(actual[name])} not ${JSON.stringify(expected[name])}`)
        .join('; ');
    })
    .join(' / ');
}

/** The results of commands, without the texts for people in their refusals. */
function withoutMessages(result: unknown): unknown {
  if (!Array.isArray(result)) return result;
  return result.map((one) => (isRefusal(one) ? { refused: one.code } : one));
}
