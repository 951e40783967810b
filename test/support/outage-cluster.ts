import { join } from 'node:path';
import { findPostgresUser, locateBinaries } from '../../src/db/cluster-home.ts';
import { startEmbeddedPostgres } from '../../src/db/embedded-postgres.ts';
import { migrate } from '../../src/db/migrate.ts';
import { createPool, type Pool } from '../../src/db/pool.ts';
import { runProgram } from '../../src/db/postmaster.ts';
import { makeDataDir, removeDataDir } from './temporary-cluster.ts';

/** A migrated Postgres of one's own that can be taken away, and that nobody brings back but the test. */
export interface OutageCluster {
  adminUrl: string;
  serverUrl: string;
  adminPool: Pool;
  /** @param mode of `pg_ctl stop`: `immediate` is what a crash leaves */
  down(mode: 'fast' | 'immediate'): Promise<void>;
  /** Starts it again, on the same port, if it is down; whatever is committed is there. */
  up(): Promise<void>;
  /** Ends it and removes its folder. */
  drop(): Promise<void>;
}

/** What is stopped here is Postgres, never the machine: what was written is there without fsync. */
const SETTINGS = { fsync: 'off' };

/** Needs some seconds: it is a cluster of its own, since every other test would miss a shared one. */
export async function startOutageCluster(): Promise<OutageCluster> {
  const dataDir = await makeDataDir();
  const embedded = await startEmbeddedPostgres({ dataDir, log: () => {}, settings: SETTINGS });
  const { adminUrl, serverUrl } = embedded;
  await migrate(adminUrl);
  await embedded.stop();
  const user = await findPostgresUser();
  const { pgCtl } = await locateBinaries(user);
  const control = async (...args: string[]): Promise<void> => {
    const done = await runProgram(
      pgCtl,
      [...args, '-D', join(dataDir, 'postgres', 'cluster'), '-w', '-s'],
      user,
    );
    if (!done.ok) throw new Error(`pg_ctl ${args.join(' ')}: ${done.output}`);
  };
  const logFile = join(dataDir, 'postgres', 'postgres.log');
  let isUp = false;
  const up = async (): Promise<void> => {
    if (!isUp) await control('start', '-l', logFile);
    isUp = true;
  };
  await up();
  const adminPool = createPool({ url: adminUrl, size: 4, applicationName: 'rewards test' });
  return {
    adminUrl,
    serverUrl,
    adminPool,
    async down(mode) {
      isUp = false;
      await control('stop', '-m', mode);
    },
    up,
    async drop() {
      await adminPool.end();
      await control('stop', '-m', 'immediate').catch(() => undefined);
      await removeDataDir(dataDir);
    },
  };
}
