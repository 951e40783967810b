import { Bench, type Measured } from './bench.ts';
import { type BenchOptions, readOptions } from './options.ts';
import { memoryMebibytes } from './process-figures.ts';
import { renderResults, whole } from './report.ts';
import { SCENARIOS, type ScenarioId } from './scenarios.ts';
import { soak } from './soak.ts';
import { openStage, type Stage } from './stage.ts';
import { bestConnections } from './sweep.ts';

// npm run bench: see docs/benchmarks.md. Ends with 1 where an answer, a row or a point is not as it should be.

const HTTP_CONNECTIONS = [32, 64, 128];
const BASELINE_CONNECTIONS = [4, 8, 16, 32];
const WARM_UP_SECONDS = 3;
const MEMORY_TARGET_MEBIBYTES = 250;

const options = readOptions(process.argv);
process.stderr.write(`Filling a database with 2 × ${whole(options.members)} members …\n`);
const stage = await openStage(options);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void stage.close().finally(() => process.exit(130)));
}
try {
  await run(stage, options);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
} finally {
  await stage.close();
}

async function run({ serverPid, ...rest }: Stage, options: BenchOptions): Promise<void> {
  const bench = new Bench({ serverPid, ...rest });
  const idle = await memoryMebibytes(serverPid);
  const connections = options.connections ?? (await bestConnections(bench, 'b', HTTP_CONNECTIONS));
  if (options.soakMinutes !== null) {
    await soak(bench, serverPid, { minutes: options.soakMinutes, connections });
  } else {
    process.stdout.write(`${renderResults(await measureAll(bench, options, connections))}\n`);
    process.stdout.write(`${connections} HTTP connections, one request at a time on each.\n`);
  }
  const { now, peak } = await memoryMebibytes(serverPid);
  if (peak !== null) {
    const verdict = peak < MEMORY_TARGET_MEBIBYTES ? 'met' : 'MISSED';
    process.stdout.write(
      `Memory of the server: ${idle.now?.toFixed(0)} MiB at the start, ${now?.toFixed(0)} now, ` +
        `${peak.toFixed(0)} at its peak (target: under ${MEMORY_TARGET_MEBIBYTES}, ${verdict}).\n`,
    );
  }
  await auditOrFail(bench);
}

async function measureAll(
  bench: Bench,
  { only, rounds, seconds, baselineConnections }: BenchOptions,
  connections: number,
): Promise<Map<ScenarioId, Measured[]>> {
  // What a ratio is taken of is measured too; replays need something to replay.
  const wanted = new Set(only);
  for (const { id, against } of SCENARIOS) if (wanted.has(id) && against) wanted.add(against.id);
  const order = SCENARIOS.filter(({ id }) => wanted.has(id)).map(({ id }) => id);
  const ofBaseline = wanted.has('a')
    ? (baselineConnections ?? (await bestConnections(bench, 'a', BASELINE_CONNECTIONS)))
    : 0;
  // The server compiles what it runs often: it should not do so during the first round alone.
  for (const id of order) if (id !== 'a' && id !== 'b') await bench.measure(id, WARM_UP_SECONDS, connections);
  const results = new Map<ScenarioId, Measured[]>(order.map((id) => [id, []]));
  for (let round = 1; round <= rounds; round++) {
    process.stderr.write(`  round ${round} of ${rounds}: ${order.join(' ')}\n`);
    for (const id of order) {
      const measured = await bench.measure(id, seconds, id === 'a' ? ofBaseline : connections);
      results.get(id)?.push(measured);
    }
  }
  return results;
}

async function auditOrFail(bench: Bench): Promise<void> {
  process.stderr.write(`Auditing ${whole(bench.purchases)} purchases …\n`);
  const problems = await bench.audit();
  if (problems.length > 0) throw new Error(`The audit failed:\n${problems.join('\n')}`);
  process.stdout.write(
    `Audit: ${whole(bench.purchases)} acknowledged purchases are there once each, every point where it should be.\n`,
  );
}
