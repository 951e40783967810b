import type { Rounds } from './goals.ts';
import type { RateComparison } from './rate-comparisons.ts';

/** Between a measurement and the next one. */
const PAUSE_SECONDS = 0.3;

/**
 * How long the measurements of the comparisons take, in seconds, with their warm-ups, and without sweeps and filling.
 * @returns `most` where no verdict with a goal is clear before the last round
 */
export function durationOf(
  comparisons: readonly RateComparison[],
  { seconds, rounds, mostRounds }: Rounds & { seconds: number },
  warmUpSeconds: number,
): { least: number; most: number } {
  const sides = new Set<string>();
  let least = 0;
  let most = 0;
  for (const { measured, against, connections, goal } of comparisons) {
    for (const side of [measured, against]) if (side) sides.add(`${side} ${connections}`);
    const round = (against ? 2 : 1) * (seconds + PAUSE_SECONDS);
    least += rounds * round;
    most += (goal === null ? rounds : Math.max(rounds, mostRounds)) * round;
  }
  const warmUps = sides.size * (Math.min(warmUpSeconds, seconds) + PAUSE_SECONDS);
  return { least: least + warmUps, most: most + warmUps };
}
