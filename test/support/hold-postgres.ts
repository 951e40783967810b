// A process that keeps an embedded Postgres running until it gets SIGTERM or is killed.
// Arguments: DATA_DIR, server|tool, fast|durable. Prints one line of JSON: the started Postgres, or the error.
import { startEmbeddedPostgres } from '../../src/db/embedded-postgres.ts';

/** Tests kill only processes, not the operating system, so written data survives without fsync. */
const FAST_SETTINGS = { fsync: 'off' };

const [dataDir = '', use = 'server', durability = 'fast'] = process.argv.slice(2);
const logged: string[] = [];
try {
  const postgres = await startEmbeddedPostgres({
    dataDir,
    use: use === 'tool' ? 'tool' : 'server',
    settings: durability === 'fast' ? FAST_SETTINGS : {},
    log: (line) => logged.push(line),
  });
  process.once('SIGTERM', () => void postgres.stop());
  console.log(JSON.stringify({ adminUrl: postgres.adminUrl, serverUrl: postgres.serverUrl, logged }));
} catch (error) {
  const { name, message } = error as Error;
  console.log(JSON.stringify({ error: name, message, logged }));
}
