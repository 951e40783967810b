import { availableParallelism, cpus, totalmem } from 'node:os';
import Table from 'cli-table3';
import type { Measured } from './bench.ts';
import type { Figure } from './process-figures.ts';
import { type RateId, SCENARIOS, type Scenario } from './scenarios.ts';

/** Every measurement of each scenario, in the order of the rounds. */
export type Results = ReadonlyMap<RateId, readonly Measured[]>;

/** The table of a run: medians over the rounds. */
export function renderResults(results: Results): string {
  const table = new Table({
    head: [
      '',
      'scenario',
      'per second',
      'rounds',
      'ratio',
      'target',
      'p50 ms',
      'p95 ms',
      'p99 ms',
      'CPU µs each',
    ],
    colAligns: ['left', 'left', 'right', 'left', 'left', 'left', 'right', 'right', 'right', 'left'],
    style: { head: [], border: [], compact: true },
  });
  for (const scenario of SCENARIOS) {
    const measured = results.get(scenario.id);
    if (!measured?.length) continue;
    table.push([
      scenario.id,
      scenario.title,
      whole(median(measured.map(rate))),
      measured.map((each) => whole(rate(each))).join(' '),
      ...ratioCells(scenario, results),
      ...(['p50Ms', 'p95Ms', 'p99Ms'] as const).map((name) =>
        median(measured.map((each) => each[name])).toFixed(1),
      ),
      describeCpu(measured),
    ]);
  }
  return `${table.toString()}
Ratios are taken within a round, since the machine's speed drifts; shown are their median and, behind it, the rounds.
CPU: load + server + Postgres. ${describeMachine()}`;
}

/** The machine: its cores, processor, memory, and the version of Node. */
export function describeMachine(): string {
  const [cpu] = cpus();
  const memoryGiB = Math.round(totalmem() / 2 ** 30);
  return `${availableParallelism()} cores (${cpu?.model.trim()}), ${memoryGiB} GiB, Node ${process.versions.node}.`;
}

function ratioCells({ id, against, perSecond }: Scenario, results: Results): [string, string] {
  const own = results.get(id) ?? [];
  if (perSecond !== undefined) {
    const met = median(own.map(rate)) >= perSecond ? 'met' : 'MISSED';
    return ['', `${whole(perSecond)} a second ${met}`];
  }
  const other = (against && results.get(against.id)) ?? [];
  const ratios = own.flatMap((each, round) => {
    const base = other[round];
    return base ? [rate(each) / rate(base)] : [];
  });
  if (!against || ratios.length === 0) return ['', ''];
  const ratio = median(ratios);
  const text = `${against.id} × ${ratio.toFixed(2)} (${ratios.map((each) => each.toFixed(2)).join(' ')})`;
  if (against.target === null) return [text, ''];
  return [text, `${against.target.toFixed(1)} ${ratio >= against.target ? 'met' : 'MISSED'}`];
}

/** Medians of the CPU µs per request: load + server + Postgres. */
export function describeCpu(measured: readonly Measured[]): string {
  const each = (pick: (one: Measured) => Figure): string => {
    const values = measured.flatMap((one) => {
      const seconds = pick(one);
      return seconds === null ? [] : [(seconds / one.requests) * 1e6];
    });
    return values.length ? whole(median(values)) : '–';
  };
  return [each((one) => one.cpu.load), each((one) => one.cpu.server), each((one) => one.cpu.postgres)].join(
    ' + ',
  );
}

/** The median; of an even number of values the mean of the middle two. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length / 2;
  const high = sorted[Math.floor(middle)] ?? Number.NaN;
  return sorted.length % 2 === 1 ? high : ((sorted[middle - 1] ?? Number.NaN) + high) / 2;
}

/** Requests per second. */
export function rate({ requests, seconds }: Measured): number {
  return requests / seconds;
}

/** A rounded number with separators between thousands. */
export function whole(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}
