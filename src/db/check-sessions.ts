import type { Client } from 'pg';
import { createClient } from './pool.ts';
import { checkRelease } from './postgres-release.ts';

/** What stands between the service and Postgres does not keep sessions as they are; the message says what to do. */
export class PoolerError extends Error {
  override name = 'PoolerError';
}

const ADVICE =
  'Name Postgres itself in the URL, or a pool in session mode; ' +
  'docs/operate/production.md, "Connection poolers", says how.';

/** A setting that every session asks for, which nothing but the connection's own options sets. */
const MARK = { 'rewards.session': 'own' };

/**
 * Checks that connections of a URL are sessions of their own, with the settings that they ask for: prepared statements,
 * LISTEN and advisory locks last as long as a session, and its time limits are settings of it. And checks the release
 * of Postgres.
 * @param takesRole whether sessions of the URL take the server's role by their options
 * @throws PoolerError where a pooler shares sessions between connections, or does not pass their settings on
 * @throws ReleaseError where the service must not write to the release of Postgres that answers
 * @throws where the database cannot be reached
 */
export async function checkSessions(url: string, takesRole: boolean): Promise<void> {
  const clients = [open(url), open(url)] as const;
  try {
    for (const client of clients) await connect(client);
    const [one, other] = clients;
    const before = await processOf(one);
    // A connection in a transaction keeps its session in every mode of a pooler, so the first one has to get another.
    await other.query('begin');
    const during = await processOf(other);
    const after = await processOf(one);
    if (before !== after || before === during) {
      throw new PoolerError(
        `A connection pooler in transaction mode answers: its connections share the sessions of Postgres. ${ADVICE}`,
      );
    }
    await checkSettings(one, takesRole);
    await checkRelease(one);
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
  }
}

function open(url: string): Client {
  const client = createClient(
    { url, settings: MARK },
    {
      application_name: 'rewards sessions?',
      connectionTimeoutMillis: 10_000,
      // Where a pooler has fewer sessions than these two connections need, it would let the second one wait for ever.
      query_timeout: 10_000,
    },
  );
  client.on('error', () => {});
  return client;
}

async function connect(client: Client): Promise<void> {
  try {
    await client.connect();
  } catch (error) {
    if (!(error instanceof Error && /unsupported startup parameter/.test(error.message))) throw error;
    throw new PoolerError(`A connection pooler answers "${error.message}". ${ADVICE}`, { cause: error });
  }
}

async function processOf(client: Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid;
}

async function checkSettings(client: Client, takesRole: boolean): Promise<void> {
  const { rows } = await client.query<{ path: string; mark: string | null }>(
    `select current_setting('search_path') as path, current_setting('rewards.session', true) as mark`,
  );
  const { path = '', mark } = rows[0] ?? {};
  if (mark === MARK['rewards.session']) return;
  const dropped = 'A connection pooler dropped the settings that a session asks for';
  if (path.replaceAll(' ', '') !== 'public,pg_temp') {
    throw new PoolerError(`${dropped}, and the login does not set search_path to public, pg_temp. ${ADVICE}`);
  }
  if (takesRole) {
    throw new PoolerError(
      `${dropped}, so the server would keep all privileges of the login: set SERVER_DATABASE_URL. ${ADVICE}`,
    );
  }
}
