import pg, { type ClientBase, type PoolClient } from 'pg';
import type { Connections } from '../../../db/pool.ts';
import { EnvironmentConnections } from '../../shared/read-pool.ts';

// Plans are made for the period that is asked for. Sums of everything are gathered in hash tables: where there are no
// statistics of an expression, Postgres would rather sort millions of rows on disk. One connection
// may wait for what the other one reads.
const SETTINGS = `
  set local plan_cache_mode = force_custom_plan;
  set local enable_sort = off;
  set local work_mem = '64MB';
  set local jit = off;
  set local idle_in_transaction_session_timeout = 0`;

/** One read-only snapshot, seen by one connection or by two. */
export interface Snapshot {
  client: ClientBase;
  /**
   * Another connection that sees the same, to read at the same time; the client itself where there is none to spare.
   */
  second(): Promise<ClientBase>;
}

/** Does the work in one snapshot, and lets go of its connections whatever happens. */
export async function inSnapshot<T>(
  connections: Connections,
  work: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  const taken: PoolClient[] = [];
  const take = async (): Promise<PoolClient> => {
    const client = await connections.connect();
    taken.push(client);
    await client.query('begin isolation level repeatable read read only');
    return client;
  };
  try {
    const client = await take();
    await client.query(SETTINGS);
    const second = async (): Promise<ClientBase> => {
      // Never waited for: two reports that each held one connection and waited for another would wait for good.
      if (!hasSpare(connections)) return client;
      const { rows } = await client.query<{ id: string }>('select pg_export_snapshot() as id');
      const id = rows[0]?.id ?? '';
      if (!/^[0-9A-F-]+$/.test(id)) throw new Error(`Not the id of a snapshot: ${id}`);
      const other = await take();
      await other.query(`set transaction snapshot '${id}'`);
      await other.query(SETTINGS);
      return other;
    };
    const result = await work({ client, second });
    await Promise.all(taken.map((one) => one.query('commit')));
    return result;
  } catch (error) {
    await Promise.all(taken.map((one) => one.query('rollback').catch(() => undefined)));
    throw error;
  } finally {
    for (const one of taken) one.release();
  }
}

/** Whether another connection can be had without waiting for one. */
function hasSpare(connections: Connections): boolean {
  if (connections instanceof EnvironmentConnections) return connections.hasSpare;
  if (!(connections instanceof pg.Pool)) return false;
  const { waitingCount, idleCount, totalCount, options } = connections;
  return waitingCount === 0 && (idleCount > 0 || totalCount < options.max);
}

/** What a connection sees: the same text in the same snapshot. */
export async function snapshotSeenBy(client: ClientBase): Promise<string> {
  const { rows } = await client.query<{ snapshot: string }>({
    name: 'close_snapshot',
    text: 'select pg_current_snapshot()::text as snapshot',
  });
  return rows[0]?.snapshot ?? '';
}
