import pg, { type ClientBase, type PoolClient } from 'pg';
import type { Connections } from '../../../db/pool.ts';
import { EnvironmentConnections } from '../../shared/read-pool.ts';

// Plans are made for the requested period. Sums are computed with hash tables: where there are no statistics of an
// expression, Postgres would otherwise sort millions of rows on disk. The idle time is not limited, because one
// connection may wait while the other one reads.
const SETTINGS = `
  set local plan_cache_mode = force_custom_plan;
  set local enable_sort = off;
  set local work_mem = '64MB';
  set local jit = off;
  set local idle_in_transaction_session_timeout = 0`;

/** One read-only snapshot, which one or two connections see. */
export interface Snapshot {
  client: ClientBase;
  /** Gives a second connection that sees the same snapshot, to read at the same time; `client` where none is free. */
  second(): Promise<ClientBase>;
}

/** Does the work in one snapshot. Its connections are released in every case. */
export async function inSnapshot<T>(
  connections: Connections,
  work: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  const clients: PoolClient[] = [];
  const take = async (): Promise<PoolClient> => {
    const client = await connections.connect();
    clients.push(client);
    await client.query('begin isolation level repeatable read read only');
    return client;
  };
  try {
    const client = await take();
    await client.query(SETTINGS);
    const second = async (): Promise<ClientBase> => {
      // Does not wait for a connection: two reports that each have one and wait for another would deadlock.
      if (!hasSpare(connections)) return client;
      const { rows } = await client.query<{ id: string; citus: boolean }>(
        "select pg_export_snapshot() as id, to_regclass('pg_catalog.pg_dist_partition') is not null as citus",
      );
      const { id = '', citus } = rows[0] ?? {};
      // The snapshot is the coordinator's: on the node that has the environment, another connection would see another
      // one.
      if (citus) return client;
      if (!/^[0-9A-F-]+$/.test(id)) throw new Error(`Not the id of a snapshot: ${id}`);
      const other = await take();
      await other.query(`set transaction snapshot '${id}'`);
      await other.query(SETTINGS);
      return other;
    };
    const result = await work({ client, second });
    await Promise.all(clients.map((one) => one.query('commit')));
    return result;
  } catch (error) {
    await Promise.all(clients.map((one) => one.query('rollback').catch(() => undefined)));
    throw error;
  } finally {
    for (const one of clients) one.release();
  }
}

/** Whether another connection is available without waiting. */
function hasSpare(connections: Connections): boolean {
  if (connections instanceof EnvironmentConnections) return connections.hasSpare;
  if (!(connections instanceof pg.Pool)) return false;
  const { waitingCount, idleCount, totalCount, options } = connections;
  return waitingCount === 0 && (idleCount > 0 || totalCount < options.max);
}

/**
 * A text that identifies the snapshot that a connection sees of an environment's rows: equal texts mean the same
 * snapshot.
 * @param environmentId UUID
 */
export async function snapshotSeenBy(client: ClientBase, environmentId: string): Promise<string> {
  const { rows } = await client.query<{ snapshot: string }>({
    name: 'close_snapshot',
    text: 'select pg_current_snapshot()::text as snapshot from environments where id = $1::uuid',
    values: [environmentId],
  });
  return rows[0]?.snapshot ?? '';
}
