import type { Config } from '../config.ts';
import { checkSessions } from './check-sessions.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';

/** The database of the settings, started and reachable. It may still have to be migrated. */
export interface Database {
  /** For migrations and administration. */
  adminUrl: string;
  /** For serving. */
  serverUrl: string;
  /** The role that each session of `serverUrl` has to take; null where its login has only that role's privileges. */
  serverRole: 'rewards_app' | null;
  /** For management over the API; null where there is no login for it. */
  operatorUrl: string | null;
  /** The role that each session of `operatorUrl` has to take; null where its login has only that role's privileges. */
  operatorRole: 'rewards_operator' | null;
  /** Leaves the embedded Postgres, and stops it unless another process uses it. Does nothing for another database. */
  stop(): Promise<void>;
}

/**
 * Opens the database of the settings: that of DATABASE_URL, or the embedded one of DATA_DIR, which it starts if needed.
 * @param use `server` where the process serves, which only one process may do on a DATA_DIR; `tool` otherwise
 * @throws PoolerError where a connection pooler answers that does not keep sessions
 * @throws ReleaseError where the service must not write to the release of Postgres that answers
 * @throws what `startEmbeddedPostgres` throws
 */
export async function openDatabase(
  config: Pick<Config, 'databaseUrl' | 'serverDatabaseUrl' | 'operatorDatabaseUrl' | 'dataDir'>,
  use: 'server' | 'tool',
  log: (line: string) => void,
): Promise<Database> {
  if (config.databaseUrl !== null) {
    const { databaseUrl, serverDatabaseUrl, operatorDatabaseUrl } = config;
    await checkSessions(databaseUrl, serverDatabaseUrl === null);
    if (serverDatabaseUrl !== null) await checkSessions(serverDatabaseUrl, false);
    if (operatorDatabaseUrl !== null) await checkSessions(operatorDatabaseUrl, false);
    // The owner's login takes the role where it serves too; beside a login for serving it is not kept.
    const takesRole = operatorDatabaseUrl === null && serverDatabaseUrl === null;
    return {
      adminUrl: databaseUrl,
      serverUrl: serverDatabaseUrl ?? databaseUrl,
      serverRole: serverDatabaseUrl === null ? 'rewards_app' : null,
      operatorUrl: takesRole ? databaseUrl : operatorDatabaseUrl,
      operatorRole: takesRole ? 'rewards_operator' : null,
      async stop() {},
    };
  }
  const embedded = await startEmbeddedPostgres({ dataDir: config.dataDir, log, use });
  return { ...embedded, serverRole: null, operatorRole: null };
}
