import type { Config } from '../../config.ts';
import type { Database } from '../../db/open-database.ts';
import type { Pool } from '../../db/pool.ts';
import { createLanePool } from '../../ledger/batch/lane-pool.ts';
import { Writer } from '../../ledger/batch/writer.ts';
import type { CommandDoor } from '../../ledger/command.ts';
import { ProgramCatalog } from '../../programs/published/program-catalog.ts';

const LANES = 2;
// A tool bounds for itself what it has on its way; nothing is to be refused because of that.
const MAX_WAITING = 1_000_000;

/** The one door for changes of value, with the server's privileges, in this process. */
export interface OpenDoor {
  door: CommandDoor;
  /** Waits for what was accepted and gives the connections back. */
  close(): Promise<void>;
}

/** Opens the door of a database, for a tool that sends commands itself instead of through a server. */
export function openDoor(database: Database, config: Pick<Config, 'statementTimeoutMs'>): OpenDoor {
  const pool: Pool = createLanePool({
    url: database.serverUrl,
    size: LANES,
    applicationName: 'rewards cli writer',
    statementTimeoutMs: config.statementTimeoutMs,
    ...(database.serverRole ? { role: database.serverRole } : {}),
  });
  const writer = new Writer({ pool, catalog: new ProgramCatalog(), lanes: LANES, maxWaiting: MAX_WAITING });
  return {
    door: writer,
    async close() {
      await writer.close();
      await pool.end();
    },
  };
}
