import { userInfo } from 'node:os';
import { type Administrator, operator } from '../../admin/shared/admin-change.ts';
import { type Config, readConfig } from '../../config.ts';
import type { Database } from '../../db/open-database.ts';
import type { Pool } from '../../db/pool.ts';
import { CliFailure } from './failure.ts';
import type { ReportConnections } from './report-connections.ts';

/** An open database for the duration of one command. */
export interface Session {
  config: Config;
  database: Database;
  /** Connections of the owner, without a statement timeout. */
  pool: Pool;
  administrator: Administrator;
  /** For what is only read: the replica, where there is one. */
  reports: ReportConnections;
  /** Aborted by the first Ctrl-C or SIGTERM. */
  interrupted: AbortSignal;
}

export interface SessionOptions {
  /** The actor in the audit trail; the user of the operating system where absent. */
  actor?: string | undefined;
  /** True where the command ends by itself soon after `interrupted`. Other commands are ended at once. */
  endsWhenInterrupted?: boolean;
  /** Whether a database that is not fully migrated is allowed. The default is `fail`. */
  unmigrated?: 'fail' | 'allow';
}

/**
 * Opens the configured database, runs the work, and closes the database again, also after an error.
 * @throws CliFailure for a DATA_DIR without a database, and for a database that has not been migrated
 */
export async function withSession<T>(
  { actor, endsWhenInterrupted = false, unmigrated = 'fail' }: SessionOptions,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const config = readConfig();
  // Loaded only now: without the database's libraries, help and usage errors take half the time.
  const [
    { hasHome },
    { openDatabase },
    { createPool },
    { createPrisma },
    { pendingMigrations },
    { openReportConnections },
  ] = await Promise.all([
    import('../../db/cluster-home.ts'),
    import('../../db/open-database.ts'),
    import('../../db/pool.ts'),
    import('../../db/prisma.ts'),
    import('../../db/migrate.ts'),
    import('./report-connections.ts'),
  ]);
  if (unmigrated === 'fail' && config.databaseUrl === null && !(await hasHome(config.dataDir))) {
    throw new CliFailure(
      `There is no database in ${config.dataDir}. Set DATA_DIR or DATABASE_URL to the one that you mean, or make a new one ` +
        'there: rewards migrate',
    );
  }
  const database = await openDatabase(config, 'tool', (line) => process.stderr.write(`${line}\n`));
  const pool = createPool({
    url: database.adminUrl,
    size: 4,
    applicationName: 'rewards cli',
    statementTimeoutMs: 0,
  });
  const prisma = createPrisma(pool);
  const reports = openReportConnections(config.readDatabaseUrl, pool);
  const interruption = new AbortController();
  const close = async (): Promise<void> => {
    await prisma.$disconnect();
    await reports.close();
    await pool.end();
    await database.stop();
  };
  const onSignal = (signal: NodeJS.Signals): void => {
    const again = interruption.signal.aborted;
    interruption.abort();
    if (endsWhenInterrupted && !again) return;
    // An embedded Postgres must not be left running. Open transactions are rolled back.
    void database.stop().finally(() => process.exit(signal === 'SIGINT' ? 130 : 143));
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  try {
    if (unmigrated === 'fail' && (await pendingMigrations(pool)).length > 0) {
      const which =
        config.databaseUrl === null
          ? `The embedded Postgres in ${config.dataDir}`
          : 'The database of DATABASE_URL';
      throw new CliFailure(`${which} lacks tables of this release. Make them: rewards migrate`);
    }
    const administrator = { prisma, actor: operator(actor ?? userInfo().username) };
    const { signal: interrupted } = interruption;
    return await work({ config, database, pool, administrator, reports, interrupted });
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
    await close();
  }
}
