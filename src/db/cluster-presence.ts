import { realpath } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { isAlive } from './postmaster.ts';

/** Another server works on the same DATA_DIR. */
export class DataDirInUseError extends Error {
  override name = 'DataDirInUseError';
}

/**
 * Registers this process as a user of a cluster: an idle connection that holds advisory locks. The locks end with the
 * connection, and the connection with the process, so that a killed process leaves no stale entry behind.
 */
export interface Presence {
  /** The superuser's connection, to the database `postgres`. */
  client: Client;
  /** Sets the function to call when the connection ends before `leave` or `isLast`. */
  onLost(callback: () => void): void;
  /** Whether no other process uses the cluster. Then none can join it any more, and the caller should stop it. */
  isLast(): Promise<boolean>;
  /** Ends the connection. */
  leave(): Promise<void>;
}

/** Held exclusively by the one server of the cluster. */
const SERVER_LOCK = 726_571_001;
/** Shared by all processes that use the cluster; the last one takes it exclusively before it stops the cluster. */
const USERS_LOCK = 726_571_002;

/** How long to wait until Postgres notices that the connection of a killed server is closed. */
const LEFTOVER_WAIT_MS = 5_000;

/**
 * Joins a running cluster.
 * @returns `starting` where it is starting or stopping, `unreachable` where nothing listens
 * @throws DataDirInUseError where `use` is `server` and another server has joined
 * @throws where a cluster other than that of `clusterDir` listens, or the login is refused
 */
export async function joinCluster(
  url: string,
  { use, clusterDir }: { use: 'server' | 'tool'; clusterDir: string },
): Promise<Presence | 'starting' | 'unreachable'> {
  const client = new Client({
    connectionString: url,
    application_name: `rewards ${use} ${process.pid}`,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  });
  let lost: (() => void) | null = null;
  let ended = false;
  let leaving = false;
  // Without this listener an error of the idle connection would end the process. 'end' follows every error.
  client.on('error', () => {});
  client.on('end', () => {
    ended = true;
    if (!leaving) lost?.();
  });
  const leave = async (): Promise<void> => {
    leaving = true;
    if (!ended) await client.end().catch(() => {});
  };
  try {
    await client.connect();
    const { rows } = await client.query<{ path: string }>("select current_setting('data_directory') as path");
    // A cluster of another folder may listen on the port by now.
    if ((await realpath(rows[0]?.path ?? '').catch(() => '')) !== clusterDir) {
      throw new Error(`Another Postgres than that of ${clusterDir} answers there.`);
    }
    if (use === 'server') await takeServerLock(client);
    const joined = await client.query<{ ok: boolean }>(
      `select pg_try_advisory_lock_shared(${USERS_LOCK}) as ok`,
    );
    if (!joined.rows[0]?.ok) {
      await leave();
      return 'starting';
    }
  } catch (error) {
    const cutOff = ended;
    await leave();
    const code = (error as { code?: string }).code;
    if (code === 'ECONNREFUSED' || code === 'ENOENT') return 'unreachable';
    // 57P0x: starting up, shutting down, terminated. A connection that just ends means the same.
    if (code?.startsWith('57P0') || code === 'ECONNRESET' || code === 'EPIPE' || cutOff) return 'starting';
    throw error;
  }
  return {
    client,
    onLost(callback) {
      lost = callback;
      if (ended && !leaving) callback();
    },
    async isLast() {
      leaving = true;
      if (ended) return true;
      try {
        await client.query(`select pg_advisory_unlock_shared(${USERS_LOCK})`);
        const alone = await client.query<{ ok: boolean }>(`select pg_try_advisory_lock(${USERS_LOCK}) as ok`);
        return alone.rows[0]?.ok === true;
      } catch {
        // The cluster is already stopping; to stop it does no harm.
        return true;
      }
    },
    leave,
  };
}

async function takeServerLock(client: Client): Promise<void> {
  const deadline = Date.now() + LEFTOVER_WAIT_MS;
  for (;;) {
    const { rows } = await client.query<{ ok: boolean }>(`select pg_try_advisory_lock(${SERVER_LOCK}) as ok`);
    if (rows[0]?.ok) return;
    const holder = await client.query<{ application_name: string }>(
      `select a.application_name from pg_locks l join pg_stat_activity a using (pid)
       where l.locktype = 'advisory' and l.classid = 0 and l.objid = ${SERVER_LOCK} and l.granted`,
    );
    const pid = Number(holder.rows[0]?.application_name.split(' ').at(-1));
    // The holder was just killed: Postgres is about to notice that its connection is closed.
    if (Number.isInteger(pid) && pid > 0 && !isAlive(pid) && Date.now() < deadline) {
      await sleep(50);
      continue;
    }
    // The holder may have ended between the two queries.
    if (holder.rows.length === 0 && Date.now() < deadline) continue;
    throw new DataDirInUseError(
      `Another server${Number.isInteger(pid) ? ` (process ${pid})` : ''} already uses this DATA_DIR. ` +
        'Stop it first, or give this one a DATA_DIR of its own.',
    );
  }
}
