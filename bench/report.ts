import Table from 'cli-table3';
import type { Comparison } from './comparison.ts';
import { describeGoal, judge, median } from './goals.ts';

/** The table of comparisons, medians over the rounds, and below it a line for each goal. */
export function renderComparisons(comparisons: readonly Comparison[]): string {
  const table = new Table({
    head: [
      '',
      'measured',
      'conditions',
      'median',
      'against',
      'ratio',
      'rounds',
      'ms: p50',
      'p95',
      'p99',
      'CPU µs each',
    ],
    colAligns: ['left', 'left', 'left', 'right', 'left', 'left', 'left', 'right', 'right', 'right', 'left'],
    style: { head: [], border: [], compact: true },
  });
  for (const one of comparisons) {
    const { id, title, conditions, unit, measured, against, ratios, latencyMs, cpu } = one;
    table.push([
      id,
      title,
      conditions,
      figure(median(measured), unit),
      against ? `${against.name}: ${figure(median(against.values), unit)}` : '',
      ratios.length ? describeSpread(ratios, (value) => value.toFixed(2)) : '',
      (ratios.length
        ? ratios.map((each) => each.toFixed(2))
        : measured.map((each) => figure(each, unit))
      ).join(' '),
      ...(latencyMs ?? []).map((each) => each.toFixed(1)),
      ...(latencyMs ? [] : ['', '', '']),
      cpu ?? '',
    ]);
  }
  const verdicts = comparisons.flatMap((one) => describeVerdict(one) ?? []);
  return [
    table.toString(),
    'Rates a second, or ms where it says so. Each ratio is of two ' +
      'measurements of which one follows the other directly;',
    'shown are the median, the least and the greatest, and all rounds. CPU ' +
      'of the measured side: load + server + Postgres.',
    ...(verdicts.length ? ['', 'Targets:', ...verdicts] : []),
  ].join('\n');
}

/** The line of a goal: the verdict, the figure with its spread, the rounds and the conditions. Null without a goal. */
export function describeVerdict(comparison: Comparison): string | null {
  const { id, conditions, unit, measured, against, ratios, goal, rounds } = comparison;
  if (goal === null) return null;
  const { verdict, met, of } = judge(against ? ratios : measured, goal, rounds);
  const shown = (value: number): string => (against ? value.toFixed(2) : figure(value, unit));
  const word = verdict === 'met' ? 'met' : verdict.toUpperCase();
  const wanted = against
    ? `${describeGoal(goal, ratio)} × ${against.name}`
    : `${describeGoal(goal, (value) => figure(value, unit))} ${unit}`;
  const further =
    of > rounds.rounds ? `, ${of - rounds.rounds} more than planned, since the verdict was not clear` : '';
  const values = describeSpread(against ? ratios : measured, shown);
  return (
    `  ${id.padEnd(5)} ${word.padEnd(9)} ${wanted}: ${values}, met in ` +
    `${met} of ${of} rounds${further}; ${conditions}`
  );
}

/** A goal with the decimals that it has, and one at least. */
function ratio(value: number): string {
  return value.toFixed(Math.round(value * 100) % 10 === 0 ? 1 : 2);
}

function describeSpread(values: readonly number[], shown: (value: number) => string): string {
  return `${shown(median(values))} (${shown(Math.min(...values))} to ${shown(Math.max(...values))})`;
}

function figure(value: number, unit: Comparison['unit']): string {
  if (unit === 'per second') return whole(value);
  return `${value < 100 ? value.toFixed(1) : whole(value)} ms`;
}

/** A rounded number with separators between thousands. */
export function whole(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}
