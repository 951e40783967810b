// Writes prisma/schema-dump.txt from the migrations, applied to an empty database of a temporary Postgres.
import { chmod, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../src/db/embedded-postgres.ts';
import { migrate } from '../src/db/migrate.ts';
import { createPool } from '../src/db/pool.ts';
import { dumpSchema } from '../src/db/schema-dump.ts';

const dataDir = await mkdtemp(join(tmpdir(), 'rewards-dump-'));
await chmod(dataDir, 0o755);
const postgres = await startEmbeddedPostgres({ dataDir, log: () => {} });
try {
  await migrate(postgres.adminUrl);
  const pool = createPool({ url: postgres.adminUrl, size: 1 });
  await writeFile(new URL('../prisma/schema-dump.txt', import.meta.url), await dumpSchema(pool));
  await pool.end();
} finally {
  await postgres.stop();
  await rm(await realpath(join(dataDir, 'postgres')), { recursive: true, force: true });
  await rm(dataDir, { recursive: true, force: true });
}
