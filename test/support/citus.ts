import { Client } from 'pg';
import { distribute } from '../../src/db/distribute.ts';
import { withDatabase } from './cluster.ts';

/** Few, because each test database has all of them. */
const SHARDS = 4;

/**
 * Distributes the tables of a template over the workers, and closes it: a database of which one is a copy must have no
 * sessions, and Citus keeps one in every database that is open to it. Its nodes have the role `rewards_app`, which may
 * log in.
 * @param templateUrl on the coordinator, with a superuser's login
 * @param workerUrls of a database on each worker, with the same login
 */
export async function distributeTemplate(templateUrl: string, workerUrls: readonly string[]): Promise<void> {
  const template = new URL(templateUrl).pathname.slice(1);
  const nodeUrls = [templateUrl, ...workerUrls.map((url) => withDatabase(url, template))];
  for (const url of nodeUrls) await run(url, ['create extension citus']);
  const [coordinator, ...workers] = nodeUrls.map((url) => new URL(url));
  await run(templateUrl, [
    `select citus_set_coordinator_host('${coordinator?.hostname}', ${coordinator?.port})`,
    ...workers.map(({ hostname, port }) => `select citus_add_node('${hostname}', ${port})`),
  ]);
  await distribute({ url: templateUrl, server: { url: templateUrl, role: 'rewards_app' }, shards: SHARDS });
  for (const url of nodeUrls) {
    await run(withDatabase(url, 'postgres'), [
      `alter database ${template} allow_connections false`,
      `select pg_terminate_backend(pid, 30000) from pg_stat_activity where datname = '${template}'`,
    ]);
  }
}

async function run(url: string, statements: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
