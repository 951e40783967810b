import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Demo } from '../../src/admin/demo/demo.ts';
import { ensureDemoWidget } from '../../src/admin/demo/demo-widget.ts';
import { operator } from '../../src/admin/shared/admin-change.ts';
import { createPrisma } from '../../src/db/prisma.ts';
import { fromTypeId } from '../../src/ids.ts';
import { createTestDatabase } from './database.ts';
import { fixture } from './fixture.ts';
import { databaseSettings, spawnServer } from './server.ts';

/** A `rewards serve --demo` in a process and a database of its own. */
export interface DemoServer {
  url: string;
  /** The content of demo.json. */
  demo: Demo;
  /** The folder from which `.data/demo.json` is the demo's file. */
  folder: string;
  /** The settings of other commands of the same database. */
  settings: Record<string, string>;
  close(): Promise<void>;
}

export async function startDemoServer(): Promise<DemoServer> {
  const database = await createTestDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'rewards-demo-'));
  const dataDir = join(folder, '.data');
  const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64');
  const settings = { ...databaseSettings(database), DATA_DIR: dataDir, SECRETS_KEY };
  const server = await spawnServer(settings, ['--demo']);
  const file = join(dataDir, 'demo.json');
  // The file has the port that was asked for: 0, which stands for any.
  const demo: Demo = { ...(JSON.parse(await readFile(file, 'utf8')) as Demo), baseUrl: server.url };
  await writeFile(file, JSON.stringify(demo));
  const environmentId = fromTypeId('env', demo.sandbox.environmentId) ?? '';
  // So have the origins of the widget.
  const administrator = { prisma: createPrisma(database.adminPool), actor: operator('tests') };
  await ensureDemoWidget(administrator, environmentId, [server.url]);
  return {
    url: server.url,
    demo,
    folder,
    settings,
    async close() {
      await server.end('SIGTERM');
      await database.drop();
      await rm(folder, { recursive: true });
    },
  };
}

/** A demo server for all tests of a file. */
export function useDemoServer(): DemoServer {
  return fixture('the server', startDemoServer, (server) => server.close());
}
