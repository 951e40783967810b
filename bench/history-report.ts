import Table from 'cli-table3';
import { describeMachine, median, whole } from './report.ts';

/** One scenario measured on two sides in each round. */
export interface Comparison {
  id: string;
  title: string;
  unit: 'per second' | 'ms';
  /** What `base` was measured on. */
  against: string;
  /** One value per round. */
  base: readonly number[];
  measured: readonly number[];
  /** CPU µs per request on the base and on the measured side; null where they were not measured. */
  cpu: readonly [string, string] | null;
  ratios: readonly number[];
  target: { atLeast: number } | { atMost: number } | null;
}

/** The table of the comparisons: medians over the rounds. */
export function renderHistory(comparisons: readonly Comparison[]): string {
  const table = new Table({
    head: [
      '',
      'with the history',
      'unit',
      'compared with',
      'rounds',
      'measured',
      'rounds',
      'ratio',
      'target',
      'CPU µs each',
    ],
    colAligns: ['left', 'left', 'left', 'right', 'left', 'right', 'left', 'left', 'left', 'left'],
    style: { head: [], border: [], compact: true },
  });
  for (const { id, title, unit, against, base, measured, cpu, ratios, target } of comparisons) {
    const ratio = median(ratios);
    table.push([
      id,
      title,
      unit,
      `${against}: ${figure(median(base), unit)}`,
      base.map((each) => figure(each, unit)).join(' '),
      figure(median(measured), unit),
      measured.map((each) => figure(each, unit)).join(' '),
      `× ${ratio.toFixed(2)} (${ratios.map((each) => each.toFixed(2)).join(' ')})`,
      target ? verdict(ratio, target) : '',
      cpu?.join(' | ') ?? '',
    ]);
  }
  return `${table.toString()}
The ratio of earn is one of rates; those of pages and closes are of costs: less is better.
CPU: load + server + Postgres, without | with the history. ${describeMachine()}`;
}

function figure(value: number, unit: Comparison['unit']): string {
  return unit === 'ms' && value < 100 ? value.toFixed(1) : whole(value);
}

function verdict(ratio: number, target: { atLeast: number } | { atMost: number }): string {
  if ('atLeast' in target) return `at least ${target.atLeast} ${ratio >= target.atLeast ? 'met' : 'MISSED'}`;
  return `at most ${target.atMost} ${ratio <= target.atMost ? 'met' : 'MISSED'}`;
}
