// A process that holds an embedded Postgres until it is told to stop (SIGTERM) or killed.
// Arguments: DATA_DIR, server|tool, fast|durable. Prints one line of JSON: what it got, or the error.
import { startEmbeddedPostgres } from '../../src/db/embedded-postgres.ts';

/** Whatever is killed here, the operating system lives on: what was written is kept without fsync too. */
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
