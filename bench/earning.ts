import type { Measured } from './bench.ts';
import type { Comparison } from './history-report.ts';
import { inTurn, type Side } from './in-turn.ts';
import { describeCpu, rate } from './report.ts';

const WARM_UP_SECONDS = 3;

/** Compares purchases into an empty database with purchases into one with a history and as many members. */
export async function compareEarning(
  empty: Side,
  full: Side,
  { seconds, rounds, connections }: { seconds: number; rounds: number; connections: number },
): Promise<Comparison> {
  const measure = (side: Side, length: number): Promise<Measured> =>
    side.bench.measure('b', length, connections);
  for (const side of [empty, full]) await measure(side, Math.min(WARM_UP_SECONDS, seconds));
  const [base, measured] = await inTurn(rounds, 'earn', empty, full, (side) => measure(side, seconds / 2));
  return {
    id: 'earn',
    title: 'POST /api/v1/events',
    unit: 'per second',
    against: 'empty',
    base: base.map(rate),
    measured: measured.map(rate),
    cpu: [describeCpu(base), describeCpu(measured)],
    ratios: base.map((each, round) => rate(measured[round] as Measured) / rate(each)),
    target: { atLeast: 0.9 },
  };
}
