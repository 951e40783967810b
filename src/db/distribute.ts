import { type Client, escapeIdentifier } from 'pg';
import { type Distribution, INTERRUPTED, readDistribution, type Table } from './distribution.ts';
import { MIGRATION_LOCK } from './migrate.ts';
import { createClient } from './pool.ts';
import { primaryUrl } from './primary.ts';

/** The database cannot be distributed as it is; the message says what a person has to do. */
export class DistributionError extends Error {
  override name = 'DistributionError';
}

export interface DistributeOptions {
  /** Of the coordinator, with the login that owns the tables. */
  url: string;
  /** How the server's sessions log in: another URL, or the role that they take. Workers have to accept them too. */
  server: { url: string; role: 'rewards_app' | null };
  /** Shards a table. Later shards can be split, not merged. */
  shards: number;
  /** Called before each step. */
  onProgress?: (done: number, total: number) => void;
}

/** What a call did. */
export interface Distributed {
  /** The tables whose rows went to the shards of their environments. */
  tables: string[];
  /** The tables that every node has now. */
  references: string[];
  /** How many foreign keys were put back. */
  foreignKeys: number;
}

/** The table whose shards those of all other distributed tables stay beside. */
const ROOT = 'environments';

/** The schema of what an interrupted call needs to go on: the foreign keys that are off. */
const BOOKS = 'rewards_distribution';

/** Every serving process has a session of the first name; those that write commands have one of the others. */
const WRITERS = ['rewards notices', 'rewards writer', 'rewards cli writer'];

/**
 * Distributes the tables of the service over the nodes of a Citus cluster. All rows of an environment go to one node:
 * they are distributed by `environment_id`, in shards that stay together. Tables without it are small, and every node
 * gets a copy. Foreign keys are off meanwhile, and are put back at the end, where each is checked for all rows. Nothing
 * else may use the database until then; migrations, and so serving processes that start, wait. Where it was
 * interrupted, the next call goes on. Where nothing is left to do, it does nothing. After a migration that added tables
 * it distributes those.
 * @throws DistributionError where this is no coordinator of a Citus cluster, somebody uses the database, or the workers
 *   do not accept the server's login
 */
export async function distribute(options: DistributeOptions): Promise<Distributed> {
  const url = await primaryUrl(options.url);
  const client = createClient({ url }, { application_name: 'rewards distribute' });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query(`select pg_advisory_lock(${MIGRATION_LOCK})`);
    await client.query(
      "select set_config('lock_timeout', '0', false), set_config('statement_timeout', '0', false)",
    );
    const before = await checkCluster(client);
    await checkServerLogin(options.server);
    await checkUnused(client);
    return await run(client, before, options);
  } finally {
    // Ends the session, and with it the lock.
    await client.end().catch(() => {});
  }
}

async function run(
  client: Client,
  { tables }: Distribution,
  { shards, onProgress = () => {} }: DistributeOptions,
): Promise<Distributed> {
  const localTables = inOrder(tables.filter(({ distributed }) => !distributed));
  if (localTables.length > 0) await takeForeignKeysOff(client);
  const keys = await foreignKeysOff(client);
  const total = localTables.length + keys.length;
  let done = 0;
  for (const table of localTables) {
    onProgress(done++, total);
    await distributeTable(client, table, shards);
  }
  // Also of tables that an interrupted call has distributed.
  for (const { name } of tables) await removeLocalRows(client, name);
  for (const key of keys) {
    onProgress(done++, total);
    await putBack(client, key);
  }
  onProgress(total, total);
  await client.query(`drop schema if exists ${BOOKS} cascade`);
  const names = (reference: boolean): string[] =>
    localTables.filter((table) => (table.column === null) === reference).map(({ name }) => name);
  return { tables: names(false), references: names(true), foreignKeys: keys.length };
}

/** Copies first, then the table that the others stay beside. */
function inOrder(tables: readonly Table[]): Table[] {
  const rank = ({ name, column }: Table): number => (column === null ? 0 : name === ROOT ? 1 : 2);
  return tables.toSorted((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1));
}

async function distributeTable(client: Client, { name, column }: Table, shards: number): Promise<void> {
  if (column === null) {
    await client.query('select create_reference_table($1::regclass)', [name]);
  } else if (name === ROOT) {
    await client.query(
      "select create_distributed_table($1::regclass, $2, colocate_with => 'none', shard_count => $3::integer)",
      [name, column, shards],
    );
  } else {
    await client.query('select create_distributed_table($1::regclass, $2, colocate_with => $3)', [
      name,
      column,
      ROOT,
    ]);
  }
}

/**
 * Frees the space of rows that are in shards now: what Citus has copied stays in the table itself, where nothing reads
 * it.
 */
async function removeLocalRows(client: Client, name: string): Promise<void> {
  const { rows } = await client.query<{ bytes: number }>('select pg_relation_size($1::regclass) as bytes', [
    name,
  ]);
  if (rows[0]?.bytes)
    await client.query('select truncate_local_data_after_distributing_table($1::regclass)', [name]);
}

interface ForeignKey {
  table: string;
  name: string;
  definition: string;
}

/** Notes the foreign keys of tables that are not distributed yet, and takes them off, in one transaction. */
async function takeForeignKeysOff(client: Client): Promise<void> {
  await client.query('begin');
  try {
    await client.query(`create schema if not exists ${BOOKS}`);
    await client.query(
      `create table if not exists ${BOOKS}.foreign_keys
        (table_name text not null, name text not null, definition text not null, primary key (table_name, name))`,
    );
    const { rows } = await client.query<ForeignKey>(FOREIGN_KEYS_IN_THE_WAY);
    for (const { table, name, definition } of rows) {
      await client.query(`insert into ${BOOKS}.foreign_keys values ($1, $2, $3)`, [table, name, definition]);
      await client.query(`alter table ${escapeIdentifier(table)} drop constraint ${escapeIdentifier(name)}`);
    }
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

const FOREIGN_KEYS_IN_THE_WAY = `
  select t.relname::text as table, k.conname::text as name, pg_get_constraintdef(k.oid) as definition
  from pg_constraint k
  join pg_class t on t.oid = k.conrelid
  where k.contype = 'f' and t.relnamespace = 'public'::regnamespace
    and exists (
      select from unnest(array[k.conrelid, k.confrelid]) as one(id)
      where one.id not in (select logicalrelid from pg_dist_partition)
    )
  order by t.relname, k.conname`;

async function foreignKeysOff(client: Client): Promise<ForeignKey[]> {
  const { rows: interruptions } = await client.query(INTERRUPTED);
  if (!interruptions[0]?.interrupted) return [];
  const { rows } = await client.query<ForeignKey>(
    `select table_name as table, name, definition from ${BOOKS}.foreign_keys order by table_name, name`,
  );
  return rows;
}

async function putBack(client: Client, { table, name, definition }: ForeignKey): Promise<void> {
  await client.query('begin');
  try {
    await client.query(
      `alter table ${escapeIdentifier(table)} add constraint ${escapeIdentifier(name)} ${definition}`,
    );
    await client.query(`delete from ${BOOKS}.foreign_keys where table_name = $1 and name = $2`, [
      table,
      name,
    ]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

/** @throws DistributionError where this is not the coordinator of a cluster that has a node for shards */
async function checkCluster(client: Client): Promise<Distribution> {
  const distribution = await readDistribution(client);
  const { citus } = distribution;
  if (citus === 'unavailable') {
    throw new DistributionError(
      'This Postgres has no Citus, and without it there is nothing to distribute over: the service runs on it as it is. ' +
        "Install Citus on every node, set shared_preload_libraries = 'citus' and restart them " +
        '(docs/operate/distributed.md).',
    );
  }
  if (citus === 'not_created') {
    throw new DistributionError(
      'Citus is installed and not created in this database. As a superuser, in this database on every node: ' +
        'create extension citus. Then name the workers here with citus_add_node (docs/operate/distributed.md).',
    );
  }
  if (distribution.nodes === 0) {
    throw new DistributionError(
      'The cluster has no node for shards. On the coordinator call citus_set_coordinator_host, then citus_add_node for ' +
        'each worker (docs/operate/distributed.md).',
    );
  }
  if (!distribution.coordinator) {
    throw new DistributionError('This is a worker of the cluster: name its coordinator in DATABASE_URL.');
  }
  return distribution;
}

/** @throws DistributionError where a serving process or a writing command uses the database */
async function checkUnused(client: Client): Promise<void> {
  const { rows } = await client.query<{ sessions: number }>(
    `select count(*)::integer as sessions from pg_stat_activity
      where datname = current_database() and application_name = any($1::text[])`,
    [WRITERS],
  );
  const sessions = rows[0]?.sessions ?? 0;
  if (sessions === 0) return;
  throw new DistributionError(
    `The service uses this database (${sessions} sessions): stop every server and every command first. Foreign keys are ` +
      'off while tables are distributed.',
  );
}

/**
 * Citus connects to workers under the name of the session's role, so that they have to let it in.
 * @throws DistributionError where one does not
 */
async function checkServerLogin({ url, role }: DistributeOptions['server']): Promise<void> {
  const client = createClient(
    { url: await primaryUrl(url), ...(role ? { role } : {}) },
    { application_name: 'rewards distribute' },
  );
  client.on('error', () => {});
  await client.connect();
  try {
    const { rows } = await client.query<{ login: string; node: string; success: boolean; result: string }>(
      `select current_user as login, nodename || ':' || nodeport as node, success, result
        from run_command_on_workers('select 1') where not success`,
    );
    const [refused] = rows;
    if (!refused) return;
    throw new DistributionError(
      `Workers have to let the server's login in, and ${refused.node} refuses ${refused.login}: ` +
        `${refused.result.trim()}. On the coordinator: alter role ${refused.login} login; then let pg_hba.conf of each ` +
        'worker accept it from the other nodes (docs/operate/distributed.md).',
    );
  } finally {
    await client.end().catch(() => {});
  }
}
