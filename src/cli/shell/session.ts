import { userInfo } from 'node:os';
import type { Administrator } from '../../admin/admin-change.ts';
import { type Config, readConfig } from '../../config.ts';
import type { Database } from '../../db/open-database.ts';
import type { Pool } from '../../db/pool.ts';
import { CliFailure } from './failure.ts';

/** An open database, for the time of one command. */
export interface Session {
  config: Config;
  database: Database;
  /** Connections of the owner, without limits of time. */
  pool: Pool;
  administrator: Administrator;
  /** Aborted by the first Ctrl-C or SIGTERM. */
  interrupted: AbortSignal;
}

export interface SessionOptions {
  /** Kept in the audit trail; the user of the operating system where absent. */
  actor?: string | undefined;
  /** The command ends by itself soon after `interrupted`. Others are ended at once. */
  endsWhenInterrupted?: boolean;
  /** What to do with a database that lacks tables. The default is to say so and to end. */
  unmigrated?: 'fail' | 'allow';
}

/**
 * Opens the database of the settings, runs the work and closes the database again, whatever happens.
 * @throws CliFailure for a database that has not been migrated
 */
export async function withSession<T>(
  { actor, endsWhenInterrupted = false, unmigrated = 'fail' }: SessionOptions,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const config = readConfig();
  // Loaded only now: help and wrong usage answer in half the time without the database's libraries.
  const [{ openDatabase }, { createPool }, { createPrisma }, { pendingMigrations }] = await Promise.all([
    import('../../db/open-database.ts'),
    import('../../db/pool.ts'),
    import('../../db/prisma.ts'),
    import('../../db/migrate.ts'),
  ]);
  const database = await openDatabase(config, 'tool', (line) => process.stderr.write(`${line}\n`));
  const pool = createPool({
    url: database.adminUrl,
    size: 4,
    applicationName: 'rewards cli',
    statementTimeoutMs: 0,
  });
  const prisma = createPrisma(pool);
  const interruption = new AbortController();
  const close = async (): Promise<void> => {
    await prisma.$disconnect();
    await pool.end();
    await database.stop();
  };
  const onSignal = (signal: NodeJS.Signals): void => {
    const again = interruption.signal.aborted;
    interruption.abort();
    if (endsWhenInterrupted && !again) return;
    // Postgres must not be left running without anybody; what was in a transaction is rolled back.
    void database.stop().finally(() => process.exit(signal === 'SIGINT' ? 130 : 143));
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  try {
    if (unmigrated === 'fail' && (await pendingMigrations(pool)).length > 0) {
      throw new CliFailure('The database lacks tables of this release. Make them: rewards migrate');
    }
    const administrator = { prisma, operatorId: actor ?? userInfo().username };
    return await work({ config, database, pool, administrator, interrupted: interruption.signal });
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
    await close();
  }
}
