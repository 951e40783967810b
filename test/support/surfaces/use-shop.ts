import { beforeAll } from '@jest/globals';
import type { Config } from '../../../src/config.ts';
import type { RunningServer } from '../../../src/server/process/http-server.ts';
import { fixture } from '../fixture.ts';
import { databaseSettings, type ServerProcess, spawnServer, startTestServer } from '../server.ts';
import { useDatabase } from '../use-database.ts';
import { addMembers, Client } from './client.ts';
import type { TestEnvironment, World } from './world.ts';

type UsedDatabase = ReturnType<typeof useDatabase>;

export interface ServerOptions {
  /** Whether every environment of the database gets a twin. */
  twins?: boolean;
  settings?: Partial<Config>;
  /** The most connections of the client. */
  connections?: number;
}

interface ShopOptions {
  kind?: 'sandbox' | 'production';
  /** Changes the text of demo/coffee-club.yaml; what it becomes is published as the next version, or program. */
  program?: (yaml: string) => string;
  /** Customers who are members, and enrolled in the program. */
  members?: readonly string[];
}

interface UsedServer extends UsedDatabase {
  server: RunningServer;
  client: Client;
}

/** A server without environments, over a new database unless one is given, and a client of it. */
export function useServer(options: ServerOptions = {}, used = useDatabase(options)): UsedServer {
  const server = fixture(
    'the server',
    () => startTestServer(used.database, options.settings),
    (running) => running.close(),
  );
  return { ...used, server, client: useClient(server, options.connections) };
}

/** An environment with members, served in this process. */
export function useShop(
  options: ServerOptions & ShopOptions = {},
  used = useDatabase(options),
): UsedServer & { shop: TestEnvironment } {
  const shop = useEnvironment(used.world, options);
  const served = useServer(options, used);
  if (options.members) addBeforeAll(served.client, shop, options.members);
  return { ...served, shop };
}

/** The same, served by a process of its own. @param options `env`: settings of that process */
export function useShopApart({
  env,
  connections,
  ...options
}: ShopOptions & { env?: Record<string, string>; connections?: number } = {}): UsedDatabase & {
  shop: TestEnvironment;
  server: ServerProcess;
  client: Client;
} {
  const used = useDatabase();
  const shop = useEnvironment(used.world, options);
  const server = fixture(
    'the server',
    () => spawnServer({ ...databaseSettings(used.database), ...env }),
    (running) => running.end('SIGTERM'),
  );
  const client = useClient(server, connections);
  if (options.members) addBeforeAll(client, shop, options.members);
  return { ...used, shop, server, client };
}

function useClient(server: { url: string }, connections?: number): Client {
  return fixture(
    'the client',
    () => new Client(server.url, connections),
    (open) => open.close(),
  );
}

function useEnvironment(world: World, { kind, program }: ShopOptions): TestEnvironment {
  return fixture('the shop', async () => {
    const made = await world.environment(kind);
    if (program) await world.publish(made.id, program);
    return made;
  });
}

function addBeforeAll(client: Client, shop: TestEnvironment, members: readonly string[]): void {
  beforeAll(() => addMembers(client, shop, members));
}
