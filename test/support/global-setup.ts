import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Client } from 'pg';
import { migrate } from '../../src/db/migrate.ts';
import { distributeTemplate } from './citus.ts';
import { publishTestCluster, withDatabase } from './cluster.ts';
import { rememberStop } from './global-state.ts';
import { PROGRAM_FILE, parsedProgram } from './surfaces/program.ts';
import { startTemporaryCluster } from './temporary-cluster.ts';

/**
 * Prepares one Postgres for the run (TEST_DATABASE_URL or DATABASE_URL if set, otherwise a temporary embedded one) with
 * one migrated template database, which test files copy. Where TEST_CITUS_WORKERS names the workers of its Citus
 * cluster, the template's tables are distributed.
 */
export default async function setUp(): Promise<void> {
  const configuredUrl = process.env.TEST_DATABASE_URL ?? process.env.DATABASE_URL;
  const embedded = configuredUrl ? null : await startTemporaryCluster();
  const adminUrl = configuredUrl ?? embedded?.adminUrl ?? '';
  const workerUrls = process.env.TEST_CITUS_WORKERS?.split(' ') ?? [];
  // A server under test must not use this database by accident. Tests set the variable where they need it.
  delete process.env.DATABASE_URL;
  const run = randomBytes(4).toString('hex');
  const prefix = `rewards_test_${run}`;
  const template = `${prefix}_template`;
  const serverLogin = `rewards_test_server_${run}`;
  const operatorLogin = `rewards_test_operator_${run}`;
  const serverPassword = randomBytes(12).toString('hex');
  const clients = [adminUrl, ...workerUrls].map((connectionString) => new Client({ connectionString }));
  for (const client of clients) await client.connect();
  rememberStop(async () => {
    for (const client of clients) {
      if (!embedded) await removeTraces(client, prefix, [serverLogin, operatorLogin]);
      await client.end();
    }
    await embedded?.stop();
  });
  for (const client of clients) await client.query(`create database ${template} template template0`);
  const templateUrl = withDatabase(adminUrl, template);
  await migrate(templateUrl);
  for (const client of clients) {
    for (const [login, role] of [
      [serverLogin, 'rewards_app'],
      [operatorLogin, 'rewards_operator'],
    ]) {
      await client.query(`create role ${login} login inherit password '${serverPassword}'`);
      await client.query(`grant ${role} to ${login}`);
    }
  }
  if (workerUrls.length > 0) await distributeTemplate(templateUrl, workerUrls);
  const program = parsedProgram(await readFile(PROGRAM_FILE, 'utf8'));
  publishTestCluster({
    ...{ adminUrl, workerUrls, serverLogin, operatorLogin, serverPassword, template, prefix, program },
  });
}

async function removeTraces(client: Client, prefix: string, logins: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ datname: string }>(
    'select datname from pg_database where starts_with(datname, $1)',
    [prefix],
  );
  for (const { datname } of rows) await client.query(`drop database if exists ${datname} with (force)`);
  for (const login of logins) await client.query(`drop role if exists ${login}`);
}
