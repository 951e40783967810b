import { Client } from 'pg';
import { createPool, type Pool } from '../../src/db/pool.ts';
import { type TestCluster, testCluster, withDatabase, withLogin } from './cluster.ts';
import { INSTALL_TWINS } from './twin-environments.ts';

export interface TestDatabase {
  name: string;
  /** The URL of the database's owner. */
  adminUrl: string;
  /** The URL of a login with the server's privileges, those of `rewards_app`. */
  serverUrl: string;
  /** The URL of a login with the privileges of management, those of `rewards_operator`. */
  operatorUrl: string;
  /** A pool of four connections of the owner; `drop` ends it. */
  adminPool: Pool;
  /** Whether its environments have twins. */
  twins: boolean;
  /** Ends the pool and removes the database, even if there are other connections to it. */
  drop(): Promise<void>;
}

let count = 0;

/**
 * Creates a migrated, empty database as a copy of the template, in about 50 ms. Call `drop` in afterAll.
 * @param options `twins`: whether every environment gets a twin (see `INSTALL_TWINS`); on Citus none does, for
 *   distributed tables have no triggers
 */
export async function createTestDatabase(options: { twins?: boolean } = {}): Promise<TestDatabase> {
  const cluster = testCluster();
  const twins = (options.twins ?? false) && cluster.workerUrls.length === 0;
  count += 1;
  const name = `${cluster.prefix}_${process.pid}_${count}_${Math.random().toString(36).slice(2, 8)}`;
  // A distributed template has the shards of each node in that node's database of the same name.
  await onEveryNode(cluster, `create database ${name} template ${cluster.template} strategy file_copy`);
  const adminUrl = withDatabase(cluster.adminUrl, name);
  if (twins) await asAdmin(adminUrl, INSTALL_TWINS);
  const adminPool = createPool({ url: adminUrl, size: 4, applicationName: 'rewards test' });
  return {
    name,
    twins,
    adminUrl,
    serverUrl: withLogin(adminUrl, cluster.serverLogin, cluster.serverPassword),
    operatorUrl: withLogin(adminUrl, cluster.operatorLogin, cluster.serverPassword),
    adminPool,
    async drop() {
      await adminPool.end();
      await onEveryNode(cluster, `drop database if exists ${name} with (force)`);
    },
  };
}

/** Runs a statement on the server, and on each worker where it is a Citus cluster. */
async function onEveryNode({ adminUrl, workerUrls }: TestCluster, statement: string): Promise<void> {
  for (const url of [adminUrl, ...workerUrls]) await asAdmin(url, statement);
}

async function asAdmin(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
