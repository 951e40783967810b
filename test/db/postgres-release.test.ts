import { readdirSync, readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Pool } from '../../src/db/pool.ts';
import { checkRelease, ReleaseError, readRelease } from '../../src/db/postgres-release.ts';
import { runCli } from '../support/cli/run-cli.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { spawnServer } from '../support/server.ts';

// Before 15.15, 16.11, 17.7 and 18.1 an update by ctid can overwrite a change that has just been committed.
test.each([
  [150_015, null],
  [150_014, 'Postgres 15.14 answers. Before 15.15 Postgres'],
  [160_011, null],
  [160_010, 'Install the latest minor release of Postgres 16'],
  [170_007, null],
  [170_006, 'Postgres 17.6 answers. Before 17.7 Postgres'],
  [180_004, null],
  [180_000, 'Postgres 18.0 answers. Before 18.1 Postgres'],
  [190_000, null],
  [140_023, 'Postgres 14.23 answers. The service needs Postgres 15 or later'],
])('whether the service may write to %i', async (version, problem) => {
  const error = await checkRelease(answering(version)).catch((thrown: unknown) => thrown);
  if (problem === null) return expect(error).toBeUndefined();
  expect(error).toBeInstanceOf(ReleaseError);
  expect(String(error)).toContain(problem);
});

describe('a Postgres that tells another release', () => {
  let database: TestDatabase;
  let older: { url: string; close(): Promise<void> };

  beforeAll(async () => {
    database = await createTestDatabase();
    const { major, minor } = await readRelease(database.adminPool);
    older = await startRenamingProxy(database.adminUrl, String(major * 10_000 + minor), `${major}0000`);
  });

  afterAll(async () => {
    await older.close();
    await database.drop();
  });

  test('the server does not start, and says what to do', async () => {
    await expect(spawnServer({ DATABASE_URL: older.url })).rejects.toThrow(
      /Postgres \d\d\.0 answers.*updates rows by their places.*Install the latest minor release/s,
    );
  });

  test('a command that writes does nothing either', async () => {
    const { exitCode, stderr } = await runCli(older.url, ['migrate']);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: expect.stringMatching(/^Postgres \d\d\.0 answers\./),
    });
  });
});

test('only postgres-release.ts reads which release answers', () => {
  const readers = ['src', 'bench', 'simulator', 'scripts', 'test']
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
    )
    .filter((file) => file.endsWith('.ts'))
    .filter((file) => /current_setting\('server_version_num'/.test(readFileSync(file, 'utf8')));
  expect(readers).toEqual(['src/db/postgres-release.ts']);
});

/** A connection to a Postgres of that release. */
function answering(version: number): Pick<Pool, 'query'> {
  return { query: async () => ({ rows: [{ version }] }) } as unknown as Pick<Pool, 'query'>;
}

/** A proxy in front of a database, in whose answers a text is another one of the same length. */
async function startRenamingProxy(
  databaseUrl: string,
  text: string,
  other: string,
): Promise<{ url: string; close(): Promise<void> }> {
  const url = new URL(databaseUrl);
  const target = { host: url.hostname, port: Number(url.port) };
  const sockets = new Set<Socket>();
  const proxy = createServer((client) => {
    const server = connect(target);
    for (const socket of [client, server]) sockets.add(socket.on('error', () => {}));
    client.pipe(server).once('close', () => client.destroy());
    server.on('data', (chunk) => {
      client.write(chunk.toString('latin1').replaceAll(text, other), 'latin1');
    });
    client.once('close', () => server.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  url.hostname = '127.0.0.1';
  url.port = String((proxy.address() as AddressInfo).port);
  url.search = '';
  return {
    url: url.href,
    async close() {
      const closed = new Promise((resolve) => proxy.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
