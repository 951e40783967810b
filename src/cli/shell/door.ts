import type { Config } from '../../config.ts';
import type { Database } from '../../db/open-database.ts';
import type { Pool } from '../../db/pool.ts';
import { createLanePool } from '../../ledger/batch/lane-pool.ts';
import { Writer } from '../../ledger/batch/writer.ts';
import type { CommandDoor } from '../../ledger/command.ts';
import { ProgramCatalog } from '../../programs/published/program-catalog.ts';

const LANES = 2;
// Tools limit the commands in flight themselves, so the writer must not refuse a command because its queue is full.
const MAX_WAITING = 1_000_000;

/** The ledger's writer in this process, with the server's privileges. */
export interface OpenDoor {
  door: CommandDoor;
  /** Waits for the accepted commands and closes the connections. */
  close(): Promise<void>;
}

/**
 * Opens a writer on a database, for a tool that submits commands itself instead of through a server.
 * @param maxBatch most commands in a transaction; by default as many as a server's
 */
export function openDoor(
  database: Database,
  config: Pick<Config, 'statementTimeoutMs'>,
  maxBatch?: number,
): OpenDoor {
  const pool: Pool = createLanePool({
    url: database.serverUrl,
    size: LANES,
    applicationName: 'rewards cli writer',
    statementTimeoutMs: config.statementTimeoutMs,
    ...(database.serverRole ? { role: database.serverRole } : {}),
  });
  const writer = new Writer({
    pool,
    catalog: new ProgramCatalog(),
    lanes: LANES,
    ...(maxBatch === undefined ? {} : { maxBatch }),
    maxWaiting: MAX_WAITING,
    // Nobody else waits for this process, so it settles a member's points, and waits for a slow database, however long
    // that takes.
    maxSettlingMs: Number.POSITIVE_INFINITY,
    maxQueuedMs: Number.POSITIVE_INFINITY,
  });
  return {
    door: writer,
    async close() {
      await writer.close();
      await pool.end();
    },
  };
}
