import type { Measured } from './bench.ts';
import { type Goal, median, type Rounds } from './goals.ts';
import type { InTurn } from './in-turn.ts';
import type { Figure } from './process-figures.ts';

/** A line of a table: what was measured in all rounds, with what it was compared with. */
export interface Comparison {
  id: string;
  title: string;
  unit: 'per second' | 'ms';
  /** What belongs to the figures, such as the connections of both sides. */
  conditions: string;
  measured: readonly number[];
  /** Null where the figures stand for themselves. */
  against: { name: string; values: readonly number[] } | null;
  /** One of each round; empty where there is nothing to compare with. */
  ratios: readonly number[];
  goal: Goal | null;
  rounds: Rounds;
  /** Medians; null where they were not measured. */
  latencyMs: readonly [p50: number, p95: number, p99: number] | null;
  /** CPU µs per request: load + server + Postgres. */
  cpu: string | null;
}

/** Requests per second. */
export function rate({ requests, seconds }: Pick<Measured, 'requests' | 'seconds'>): number {
  return requests / seconds;
}

/** Completes a comparison of rates. @param named what is known without measuring */
export function ofRates(
  named: Pick<Comparison, 'id' | 'title' | 'conditions' | 'goal' | 'rounds'> & { against: string | null },
  { base, measured, figures }: InTurn<Measured>,
): Comparison {
  const percentile = (name: 'p50Ms' | 'p95Ms' | 'p99Ms'): number =>
    median(measured.map((each) => each[name]));
  return {
    ...named,
    unit: 'per second',
    measured: measured.map(rate),
    against: named.against === null ? null : { name: named.against, values: base.map(rate) },
    ratios: named.against === null ? [] : figures,
    latencyMs: [percentile('p50Ms'), percentile('p95Ms'), percentile('p99Ms')],
    cpu: describeCpu(measured),
  };
}

/** The rate of the slowest environment in relation to that of the fastest one, in the median of the rounds. */
export function fairness(measured: readonly Pick<Measured, 'byPlace'>[]): number {
  return median(
    measured.map(({ byPlace }) => {
      const requests = byPlace.map((place) => place.requests);
      return Math.min(...requests) / Math.max(...requests);
    }),
  );
}

/** Medians of the CPU µs per request: load + server + Postgres. */
function describeCpu(measured: readonly Measured[]): string {
  const each = (pick: (one: Measured) => Figure): string => {
    const values = measured.flatMap((one) => {
      const seconds = pick(one);
      return seconds === null ? [] : [(seconds / one.requests) * 1e6];
    });
    return values.length ? Math.round(median(values)).toLocaleString('en-US') : '–';
  };
  return [each((one) => one.cpu.load), each((one) => one.cpu.server), each((one) => one.cpu.postgres)].join(
    ' + ',
  );
}
