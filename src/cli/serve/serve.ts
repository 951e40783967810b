import { flushCompileCache } from 'node:module';
import packageJson from '../../../package.json' with { type: 'json' };
import type { Demo } from '../../admin/demo/demo.ts';
import { operator } from '../../admin/shared/admin-change.ts';
import { SecretBox } from '../../auth/secret-box.ts';
import { secretsKeysOf } from '../../auth/secrets-file.ts';
import { type Config, readConfig } from '../../config.ts';
import { migrate } from '../../db/migrate.ts';
import { type Database, openDatabase } from '../../db/open-database.ts';
import { createPool } from '../../db/pool.ts';
import type { ExampleValues } from '../../graphql/graphiql-examples.ts';
import { createLogger, type Logger } from '../../http/logger.ts';
import { toTypeId } from '../../ids.ts';
import type { DemoShop } from '../../server/pages/demo-shop.ts';
import { type RunningServer, startServer } from '../../server/process/http-server.ts';
import { startWorkers } from '../../server/process/workers.ts';
import { anySealedIssuer } from '../../server/service/any-sealed-issuer.ts';
import { readSealedEndpoints } from '../../server/service/sealed-endpoints.ts';
import { KEY_ADVICE } from '../../server/service/webhooks.ts';
import { openDoor } from '../shell/door.ts';
import { CliFailure } from '../shell/failure.ts';
import { welcome } from './welcome.ts';

/** Most endpoints that one log line names. */
const MOST_LOGGED = 20;

/**
 * `rewards serve`: opens and migrates the database, serves, and stops cleanly at Ctrl-C or SIGTERM. It finishes
 * accepted requests first, then closes the connections, then stops the embedded Postgres.
 */
export async function serve(options: { port?: number; demo?: boolean }): Promise<void> {
  const config = { ...readConfig(), ...(options.port === undefined ? {} : { port: options.port }) };
  const logger = createLogger(config.logLevel);
  logger.info({ version: packageJson.version, node: process.version }, 'Started');
  const signalled = firstSignal();
  const database = await openDatabase(config, 'server', (line) => process.stderr.write(`${line}\n`));
  let server: RunningServer | null = null;
  try {
    logger.info({ applied: await migrate(database.adminUrl) }, 'Migrated');
    const demo = options.demo ? await makeDemo(config, database) : null;
    const secretsKeys = await secretsKeysOf(config);
    await checkSecretsKeys(secretsKeys, database, logger);
    const settings = {
      config: { ...config, secretsKeys },
      database,
      graphiql: demo ? { demo: graphiqlDemo(demo) } : {},
      demoShop: demo ? demoShopOf(demo) : null,
    };
    const start = config.workers === 1 ? startServer : startWorkers;
    server = await start(settings).catch((error: unknown) => explainStart(error, config.port));
    const { url } = server;
    logger.info({ address: url, version: packageJson.version, workers: config.workers }, 'Listening');
    process.stdout.write(welcome(url, config, demo));
    // Else Node would write what it has compiled at the exit, which is missed by a process that is killed.
    flushCompileCache();
    logger.info({ signal: await signalled }, 'Stopping');
  } finally {
    await server?.close();
    await database.stop();
    logger.info('Stopped');
  }
}

/**
 * Compares the keys with the secrets that are stored. Where one cannot be opened, it logs which: the service runs
 * without them, and what waits for their endpoints is kept.
 * @throws CliFailure where there are secrets and no key at all: nothing could be delivered
 */
async function checkSecretsKeys(keys: readonly string[], database: Database, logger: Logger): Promise<void> {
  const pool = createPool({ url: database.adminUrl, size: 1, applicationName: 'rewards serve' });
  const [stored, issuer] = await Promise.all([readSealedEndpoints(pool), anySealedIssuer(pool)]).finally(() =>
    pool.end(),
  );
  if (keys.length === 0) {
    if (stored.length === 0 && !issuer) return;
    const what = stored.length > 0 ? 'webhook endpoints' : 'issuers with a secret';
    throw new CliFailure(`There are ${what}: set SECRETS_KEY to the keys that encrypted their secrets.`);
  }
  const secrets = SecretBox.ofKeys(keys);
  const unopened = stored.filter(
    ({ secret, previousSecret }) => !secrets.has(secret) || (previousSecret && !secrets.has(previousSecret)),
  );
  if (unopened.length === 0) return;
  const endpoints = unopened.slice(0, MOST_LOGGED).map(({ id }) => toTypeId('we', id));
  logger.error(
    { endpoints, count: unopened.length },
    `Signing secrets of webhooks cannot be decrypted. ${KEY_ADVICE}`,
  );
}

/** The values of GraphiQL's examples. Grace has enough points for a coffee. */
function graphiqlDemo({ sandbox: { environmentId, apiKey }, programId }: Demo): ExampleValues {
  return { environmentId, apiKey, programId, externalCustomerId: 'customer-grace', rewardId: 'free-coffee' };
}

/** What the page of the demo's widget works with. */
function demoShopOf({ sandbox: { environmentId, apiKey, deploymentId }, programId }: Demo): DemoShop {
  return { environmentId, apiKey, programId, deploymentId };
}

/**
 * Rethrows the error of a failed start; for a port in use, one that says what to do. The error is recognized by its
 * text: a worker's error arrives as a message without a code.
 */
function explainStart(error: unknown, port: number): never {
  if (error instanceof Error && error.message.includes('EADDRINUSE')) {
    throw new CliFailure(`Port ${port} is in use: set PORT, or stop what listens there.`);
  }
  throw error;
}

/** Resolves at the first Ctrl-C or SIGTERM; a second one ends the process at once. */
function firstSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let signals = 0;
    const onSignal = (signal: NodeJS.Signals): void => {
      signals += 1;
      if (signals > 1) process.exit(1);
      if (process.stderr.isTTY) process.stderr.write('Stopping: accepted requests are being finished.\n');
      resolve(signal);
    };
    process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  });
}

async function makeDemo(config: Config, database: Database): Promise<Demo> {
  // Imported only for --demo: administration loads Prisma, and a serving process is 30 MB smaller without it.
  const [{ ensureDemo }, { createPrisma }] = await Promise.all([
    import('../../admin/demo/demo.ts'),
    import('../../db/prisma.ts'),
  ]);
  const pool = createPool({ url: database.adminUrl, size: 2, applicationName: 'rewards demo' });
  const prisma = createPrisma(pool);
  const { door, close } = openDoor(database, config);
  try {
    return await ensureDemo({
      administrator: { prisma, actor: operator('demo') },
      door,
      dataDir: config.dataDir,
      baseUrl: `http://127.0.0.1:${config.port}`,
    });
  } finally {
    await close();
    await prisma.$disconnect();
    await pool.end();
  }
}
