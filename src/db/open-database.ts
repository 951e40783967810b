import type { Config } from '../config.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';

/** The database that the settings name, up and reachable; migrated or not. */
export interface Database {
  /** For migrations and administration. */
  adminUrl: string;
  /** For serving. */
  serverUrl: string;
  /** The role that each session of `serverUrl` has to take at its start, where its login is not enough. */
  serverRole: 'rewards_app' | null;
  /** Leaves the embedded Postgres, stopping it if nobody else uses it; nothing to do for another. */
  stop(): Promise<void>;
}

/**
 * Opens the database of the settings: that of DATABASE_URL, or the embedded one of DATA_DIR, started if need be.
 * @param use `server` where the process serves and so must be alone on DATA_DIR, `tool` otherwise.
 * @throws what `startEmbeddedPostgres` throws.
 */
export async function openDatabase(
  config: Pick<Config, 'databaseUrl' | 'serverDatabaseUrl' | 'dataDir'>,
  use: 'server' | 'tool',
  log: (line: string) => void,
): Promise<Database> {
  if (config.databaseUrl !== null) {
    return {
      adminUrl: config.databaseUrl,
      serverUrl: config.serverDatabaseUrl ?? config.databaseUrl,
      serverRole: config.serverDatabaseUrl === null ? 'rewards_app' : null,
      async stop() {},
    };
  }
  const embedded = await startEmbeddedPostgres({ dataDir: config.dataDir, log, use });
  return { ...embedded, serverRole: null };
}
