import type { Measured } from './bench.ts';
import { type Comparison, ofRates, rate } from './comparison.ts';
import type { Rounds } from './goals.ts';
import { inTurn } from './in-turn.ts';
import { WARM_UP_SECONDS } from './rates.ts';
import type { Side } from './side.ts';

const GOAL = { atLeast: 0.9 };

/** Compares purchases into an empty database with purchases into one with a history and as many members. */
export async function compareEarning(
  empty: Side,
  full: Side,
  { seconds, rounds, connections }: { seconds: number; rounds: Rounds; connections: number },
): Promise<Comparison> {
  const measure = (side: Side, length: number): Promise<Measured> =>
    side.bench.measure('b', length, connections);
  for (const side of [empty, full]) await measure(side, Math.min(WARM_UP_SECONDS, seconds));
  const made = await inTurn<Measured>(
    {
      id: 'earn',
      base: () => measure(empty, seconds),
      measured: () => measure(full, seconds),
      figure: (measured, base) => rate(measured) / rate(base as Measured),
      goal: GOAL,
    },
    rounds,
  );
  const title = 'POST /api/v1/events, with a history';
  const conditions = `${connections} HTTP`;
  return ofRates({ id: 'earn', title, conditions, goal: GOAL, rounds, against: 'empty' }, made);
}
