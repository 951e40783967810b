import type { Bench } from './bench.ts';
import { rate } from './comparison.ts';
import { memoryMebibytes } from './process-figures.ts';
import { whole } from './report.ts';
import type { ScenarioId } from './scenarios.ts';

const MIX: readonly ScenarioId[] = ['b', 'c', 'e', 'f', 'd'];
const SLICE_SECONDS = 6;

/** Runs mixed load for `minutes`; prints the server's memory after each round of the mix. */
export async function soak(
  bench: Bench,
  serverPid: number,
  { minutes, connections }: { minutes: number; connections: number },
): Promise<void> {
  const begun = performance.now();
  const minutesSoFar = (): number => (performance.now() - begun) / 60_000;
  process.stdout.write('minute  purchases  MiB now  MiB peak  per second\n');
  while (minutesSoFar() < minutes) {
    const rates: string[] = [];
    for (const scenario of MIX) {
      rates.push(`${scenario} ${whole(rate(await bench.measure(scenario, SLICE_SECONDS, connections)))}`);
    }
    const { now, peak } = await memoryMebibytes(serverPid);
    process.stdout.write(
      `${minutesSoFar().toFixed(1).padStart(6)}  ${whole(bench.acknowledged.purchases).padStart(9)}  ${mebibytes(now)}` +
        `  ${mebibytes(peak).padStart(9)}  ${rates.join(', ')}\n`,
    );
  }
}

function mebibytes(value: number | null): string {
  return (value === null ? '–' : value.toFixed(0)).padStart(7);
}
