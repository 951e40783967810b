import type { Pool } from '../src/db/pool.ts';
import type { Acknowledged, Problems } from './audit.ts';
import { Bench } from './bench.ts';
import { describeConditions, readConditions, readPostgres } from './conditions.ts';
import { measureDeliveries } from './deliveries.ts';
import { durationOf } from './duration.ts';
import { measureHistory } from './history.ts';
import { measureLists } from './list-costs.ts';
import { type BenchOptions, DELIVERY_PARTS, HISTORY_PARTS, LISTS_PART, readOptions } from './options.ts';
import { memoryMebibytes } from './process-figures.ts';
import { chosenComparisons } from './rate-comparisons.ts';
import { measureRates, WARM_UP_SECONDS } from './rates.ts';
import { renderComparisons, whole } from './report.ts';
import { soak } from './soak.ts';
import { openStage, type Stage, type StageOptions } from './stage.ts';
import { describeBytes } from './stored-bytes.ts';
import { bestConnections } from './sweep.ts';

// npm run bench: see docs/lab/benchmarks.md. The exit code is 1 where a response, a row or a point is not as expected.

const HTTP_CONNECTIONS = [32, 64, 128];
/** HTTP connections where no sweep has found the best number. */
const USUAL_CONNECTIONS = 64;
const MEMORY_TARGET_MEBIBYTES = 250;
const BASELINE_NOTE =
  'Baseline a: one stored-function call and one commit a purchase. It computes nothing, uses no HTTP and checks no key, and ' +
  'writes no row in events, which the service does in the same transaction and numbers after the commit.';

/** Promises, so that stages that are still being opened are closed too. */
const stages = new Set<Promise<Stage>>();
const conditions = readConditions();

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
  const rates = chosenComparisons(options.only).length > 0;
  let connections = options.connections;
  if (rates || options.soakMinutes !== null) connections = await runRates(options);
  await closeAll();
  if (options.soakMinutes !== null) return;
  await runDeliveries(options);
  await runLists(options);
  if (parts.length === 0) return;
  const history = await measureHistory(options, parts, connections ?? USUAL_CONNECTIONS, open);
  const others = [history.postgres, `${whole(options.transactions)} transactions`];
  process.stdout.write(`${renderComparisons(history.comparisons)}\n${conditionsOf(options, others)}\n`);
  for (const bench of history.benches) await auditOrFail(bench);
}

async function runDeliveries(options: BenchOptions): Promise<void> {
  const parts = DELIVERY_PARTS.filter((part) => options.only.includes(part));
  if (parts.length === 0) return;
  process.stderr.write('Measuring deliveries of webhooks …\n');
  const { comparisons, bench, stage } = await measureDeliveries(options, parts, open);
  const postgres = await readPostgres(stage.pool);
  process.stdout.write(`${renderComparisons(comparisons)}\n${conditionsOf(options, [postgres])}\n`);
  await auditOrFail(bench);
  await closeAll();
}

async function runLists(options: BenchOptions): Promise<void> {
  if (!options.only.includes(LISTS_PART)) return;
  const { comparisons, postgres } = await measureLists(options, open);
  const others = [postgres, `lists of ${whole(options.transactions)}`];
  process.stdout.write(`${renderComparisons(comparisons)}\n${conditionsOf(options, others)}\n`);
  await closeAll();
}

function tellDuration(options: BenchOptions): void {
  const { least, most } = durationOf(chosenComparisons(options.only), options, WARM_UP_SECONDS);
  const further = most > least ? `, at most ${minutes(most)} where verdicts are not clear` : '';
  process.stderr.write(`Measuring takes ${minutes(least)}${further} …\n`);
}

function minutes(seconds: number): string {
  return seconds < 90 ? `${Math.round(seconds)} seconds` : `${Math.round(seconds / 60)} minutes`;
}

function conditionsOf({ seconds, rounds, mostRounds }: BenchOptions, others: readonly string[]): string {
  const planned = `${rounds} ${rounds === 1 ? 'round' : 'rounds'} of ${seconds} s, at most ${mostRounds} where they contradict each other`;
  const warmUp = `${Math.min(WARM_UP_SECONDS, seconds)} s of warm-up for each side`;
  return describeConditions(conditions, [...others, planned, warmUp]);
}

/** @returns the number of HTTP connections that were used */
async function runRates(options: BenchOptions): Promise<number> {
  process.stderr.write(`Filling a database with 2 × ${whole(options.members)} members …\n`);
  const stage = await open(options);
  const { serverPid } = stage;
  const postgres = await readPostgres(stage.pool);
  const bench = new Bench(stage);
  const idle = await memoryMebibytes(serverPid);
  const connections = options.connections ?? (await bestConnections(bench, 'b', HTTP_CONNECTIONS));
  if (options.soakMinutes !== null) {
    await soak(bench, serverPid, { minutes: options.soakMinutes, connections });
  } else {
    tellDuration(options);
    const comparisons = await measureRates(stage, bench, options, connections);
    process.stdout.write(`${renderComparisons(comparisons)}\n`);
    process.stdout.write(`${conditionsOf(options, [postgres, `${whole(options.members)} members`])}\n`);
    if (comparisons.some(({ against }) => against?.name === 'a')) process.stdout.write(`${BASELINE_NOTE}\n`);
    process.stdout.write(`${await describeEvents(stage.pool)}\n`);
    // Last, because (f) replays what (b) has sent to the environment of all.
    if (comparisons.some(({ id }) => id === 'b')) {
      process.stdout.write(`${await describeBytes(stage, bench, options, connections)}\n`);
    }
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

/** What the sequencer has done so far: what it has not, it does at a cost that the figures do not show. */
async function describeEvents(pool: Pool): Promise<string> {
  const { rows } = await pool.query<{ events: number; waiting: number; deliveries: number }>(
    `select count(*) as events, count(*) filter (where position is null) as waiting,
       (select count(*) from webhook_deliveries) as deliveries
     from events`,
  );
  const { events = 0, waiting = 0, deliveries = 0 } = rows[0] ?? {};
  return (
    `Events: ${whole(events)}, of which ${whole(waiting)} were not yet numbered at the end; ` +
    `${whole(deliveries)} deliveries were made for endpoints.`
  );
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
