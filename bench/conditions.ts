import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import type { Pool } from '../src/db/pool.ts';

/**
 * One minute's load per core from which on the figures say more about the machine's other work than about the service.
 */
const BUSY_LOAD_PER_CORE = 0.25;

/** What a run's figures depend on, apart from what is measured. */
export interface Conditions {
  cores: number;
  processor: string;
  memoryGiB: number;
  node: string;
  /** Processes that ran or waited, in the mean of the minute before the run. */
  loadAverage: number;
}

/** Reads the conditions. To be called before anything is started. */
export function readConditions(): Conditions {
  const [cpu] = cpus();
  return {
    cores: availableParallelism(),
    processor: cpu?.model.trim() ?? 'unknown',
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.versions.node,
    loadAverage: loadavg()[0] ?? 0,
  };
}

/** The version of Postgres and its settings of durability. */
export async function readPostgres(pool: Pool): Promise<string> {
  const { rows } = await pool.query<{ version: string; fsync: string; commit: string }>(
    `select current_setting('server_version') as version, current_setting('fsync') as fsync,
       current_setting('synchronous_commit') as commit`,
  );
  const [{ version, fsync, commit } = { version: '?', fsync: '?', commit: '?' }] = rows;
  return `Postgres ${version} (fsync ${fsync}, synchronous_commit ${commit})`;
}

/** A line for people, and a warning where the machine was busy with something else. */
export function describeConditions(conditions: Conditions, others: readonly string[]): string {
  const { cores, processor, memoryGiB, node, loadAverage } = conditions;
  const machine = `${cores} cores (${processor}), ${memoryGiB} GiB`;
  const load = `load average ${loadAverage.toFixed(2)} at the start`;
  const line = `Conditions: ${[machine, `Node ${node}`, ...others, load].join(', ')}.`;
  if (loadAverage <= BUSY_LOAD_PER_CORE * cores) return line;
  return (
    `${line}\nWARNING: the machine had other work (${load} on ${cores} cores). ` +
    'Its figures are lower than those of a quiet machine, and its verdicts are less sure.'
  );
}
