import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findPostgresUser } from '../../../src/db/cluster-home.ts';
import { freePort } from '../free-port.ts';
import { accepts } from './haproxy.ts';
import { PASSWORD, type PostgresNode } from './postgres-node.ts';
import { run } from './programs.ts';
import { until } from './until.ts';

/** A PgBouncer in front of a Postgres. */
export interface PgBouncer {
  adminUrl: string;
  serverUrl: string;
  end(): Promise<void>;
}

/** What docs/operate/production.md has for session mode. */
export const IGNORED =
  'options, extra_float_digits, statement_timeout, lock_timeout, idle_in_transaction_session_timeout';

/** @param ignored the startup parameters that it drops; none where it is empty */
export async function startPgBouncer(
  folder: string,
  node: PostgresNode,
  { mode, ignored }: { mode: 'session' | 'transaction'; ignored: string },
): Promise<PgBouncer> {
  const port = await freePort();
  const file = join(folder, `pgbouncer-${port}.ini`);
  const users = join(folder, `pgbouncer-${port}.users`);
  await writeFile(users, `"postgres" "${PASSWORD}"\n"rewards_server" "${PASSWORD}"\n`, { mode: 0o644 });
  await writeFile(
    file,
    `[databases]
rewards = host=127.0.0.1 port=${node.port} dbname=rewards
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = ${mode}
default_pool_size = 100
max_client_conn = 300
${ignored ? `ignore_startup_parameters = ${ignored}` : ''}
`,
    { mode: 0o644 },
  );
  // It refuses to run as root, as Postgres does.
  const running = run('pgbouncer', [file], await findPostgresUser());
  await until('PgBouncer', () => accepts(port)).catch(async (error: Error) => {
    await running.end('SIGKILL');
    throw new Error(`${error.message}\n${running.output()}`);
  });
  const urlOf = (login: string) => `postgresql://${login}:${PASSWORD}@127.0.0.1:${port}/rewards`;
  return {
    adminUrl: urlOf('postgres'),
    serverUrl: urlOf('rewards_server'),
    end: () => running.end('SIGKILL'),
  };
}
