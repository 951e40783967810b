import type { Bench } from './bench.ts';
import { rate } from './comparison.ts';
import { whole } from './report.ts';
import type { ScenarioId } from './scenarios.ts';

const SWEEP_SECONDS = 2;

/**
 * Tries numbers of connections, after a warm-up with the greatest of them, which opens as many connections.
 * @returns the number with the highest rate
 */
export async function bestConnections(
  bench: Bench,
  scenario: ScenarioId,
  candidates: readonly number[],
): Promise<number> {
  await bench.measure(scenario, SWEEP_SECONDS, Math.max(...candidates));
  let best = { connections: candidates[0] as number, perSecond: 0 };
  const tried: string[] = [];
  for (const connections of candidates) {
    const perSecond = rate(await bench.measure(scenario, SWEEP_SECONDS, connections));
    tried.push(`${connections}: ${whole(perSecond)}`);
    if (perSecond > best.perSecond) best = { connections, perSecond };
  }
  process.stderr.write(`  ${scenario} by connections: ${tried.join(', ')}; ${best.connections} it is\n`);
  return best.connections;
}
