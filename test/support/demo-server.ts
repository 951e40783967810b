import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Demo } from '../../src/admin/demo.ts';
import { createTestDatabase } from './database.ts';
import { databaseSettings, spawnServer } from './server.ts';

/** A `rewards serve --demo` in a process and a database of its own. */
export interface DemoServer {
  url: string;
  /** The content of demo.json. */
  demo: Demo;
  close(): Promise<void>;
}

export async function startDemoServer(): Promise<DemoServer> {
  const database = await createTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'rewards-demo-'));
  const server = await spawnServer({ ...databaseSettings(database), DATA_DIR: dataDir }, ['--demo']);
  return {
    url: server.url,
    demo: JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8')) as Demo,
    async close() {
      await server.end('SIGTERM');
      await database.drop();
      await rm(dataDir, { recursive: true });
    },
  };
}
