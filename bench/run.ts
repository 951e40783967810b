import type { Acknowledged, Problems } from './audit.ts';
import { Bench } from './bench.ts';
import { measureHistory } from './history.ts';
import { renderHistory } from './history-report.ts';
import { type BenchOptions, HISTORY_PARTS, readOptions } from './options.ts';
import { memoryMebibytes } from './process-figures.ts';
import { measureRates } from './rates.ts';
import { renderResults, whole } from './report.ts';
import { SCENARIOS } from './scenarios.ts';
import { soak } from './soak.ts';
import { openStage, type Stage, type StageOptions } from './stage.ts';
import { bestConnections } from './sweep.ts';

// npm run bench: see docs/benchmarks.md. The exit code is 1 where a response, a row or a point is not as expected.

const HTTP_CONNECTIONS = [32, 64, 128];
/** HTTP connections where no sweep has found the best number. */
const USUAL_CONNECTIONS = 64;
const MEMORY_TARGET_MEBIBYTES = 250;

/** Promises, so that stages that are still being opened are closed too. */
const stages = new Set<Promise<Stage>>();

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void closeAll().finally(() => process.exit(130)));
}
try {
  await run(readOptions(process.argv));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
} finally {
  await closeAll();
}

async function run(options: BenchOptions): Promise<void> {
  const parts = HISTORY_PARTS.filter((part) => options.only.includes(part));
  const rates = SCENARIOS.some(({ id }) => options.only.includes(id));
  let connections = options.connections;
  if (rates || options.soakMinutes !== null) connections = await runRates(options);
  await closeAll();
  if (parts.length === 0 || options.soakMinutes !== null) return;
  const history = await measureHistory(options, parts, connections ?? USUAL_CONNECTIONS, open);
  process.stdout.write(`${renderHistory(history.comparisons)}\n`);
  for (const bench of history.benches) await auditOrFail(bench);
}

/** @returns the number of HTTP connections that were used */
async function runRates(options: BenchOptions): Promise<number> {
  process.stderr.write(`Filling a database with 2 × ${whole(options.members)} members …\n`);
  const stage = await open(options);
  const { serverPid } = stage;
  const bench = new Bench(stage);
  const idle = await memoryMebibytes(serverPid);
  const connections = options.connections ?? (await bestConnections(bench, 'b', HTTP_CONNECTIONS));
  if (options.soakMinutes !== null) {
    await soak(bench, serverPid, { minutes: options.soakMinutes, connections });
  } else {
    process.stdout.write(`${renderResults(await measureRates(stage, bench, options, connections))}\n`);
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
  return connections;
}

async function auditOrFail(bench: Bench): Promise<void> {
  const acknowledged = describe(bench.acknowledged);
  process.stderr.write(`Auditing ${acknowledged} …\n`);
  const problems: Problems = await bench.audit();
  if (problems.length > 0) throw new Error(`The audit failed:\n${problems.join('\n')}`);
  process.stdout.write(`Audit: ${acknowledged} are there once each, every point where it should be.\n`);
}

function describe({ purchases, redemptions, returns }: Acknowledged): string {
  return `${whole(purchases)} purchases, ${whole(redemptions)} redemptions and ${whole(returns)} returns`;
}

function open(options: StageOptions): Promise<Stage> {
  const stage = openStage(options);
  stages.add(stage);
  return stage;
}

async function closeAll(): Promise<void> {
  const closing = [...stages];
  stages.clear();
  await Promise.allSettled(closing.map(async (stage) => (await stage).close()));
}
