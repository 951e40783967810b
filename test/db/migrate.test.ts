import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { MIGRATIONS_DIRECTORY, MigrationError, migrate, pendingMigrations } from '../../src/db/migrate.ts';
import { createPool } from '../../src/db/pool.ts';
import { readRelease } from '../../src/db/postgres-release.ts';
import { withLogin } from '../support/cluster.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

describe('migrate', () => {
  let database: TestDatabase;
  let directory: string;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(async () => {
    await database.drop();
  });
  beforeEach(async () => {
    await database.adminPool.query('drop schema public cascade; create schema public');
    directory = await mkdtemp(join(tmpdir(), 'rewards-migrations-'));
  });
  afterEach(async () => {
    await rm(directory, { recursive: true });
  });

  const write = async (name: string, sql: string): Promise<void> => {
    await mkdir(join(directory, name), { recursive: true });
    await writeFile(join(directory, name, 'migration.sql'), sql);
  };
  const run = () => migrate(database.adminUrl, directory);

  test('applies what is pending, in order, once', async () => {
    await write('2_second', 'alter table a add y int');
    await write('1_first', 'create table a (x int); insert into a values (1);');
    expect(await pendingMigrations(database.adminPool, directory)).toEqual(['1_first', '2_second']);
    expect(await run()).toEqual(['1_first', '2_second']);
    expect(await run()).toEqual([]);
    expect(await pendingMigrations(database.adminPool, directory)).toEqual([]);
    await write('3_third', 'alter table a add z int');
    expect(await run()).toEqual(['3_third']);
    const { rows } = await database.adminPool.query('select x, y, z from a');
    expect(rows).toEqual([{ x: 1, y: null, z: null }]);
  });

  test("keeps the books as Prisma's schema engine does", async () => {
    const sql = '-- Größe\ncreate table a (x int);\n';
    await write('1_first', sql);
    await run();
    const { rows } = await database.adminPool.query('select * from _prisma_migrations');
    expect(rows).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        checksum: createHash('sha256').update(sql, 'utf8').digest('hex'),
        finished_at: expect.any(Date),
        migration_name: '1_first',
        logs: null,
        rolled_back_at: null,
        started_at: expect.any(Date),
        applied_steps_count: 1,
      },
    ]);
    const columns = await database.adminPool.query(
      `select column_name, data_type, character_maximum_length, is_nullable, column_default
       from information_schema.columns where table_name = '_prisma_migrations' order by ordinal_position`,
    );
    expect(columns.rows.map((row) => Object.values(row))).toEqual([
      ['id', 'character varying', 36, 'NO', null],
      ['checksum', 'character varying', 64, 'NO', null],
      ['finished_at', 'timestamp with time zone', null, 'YES', null],
      ['migration_name', 'character varying', 255, 'NO', null],
      ['logs', 'text', null, 'YES', null],
      ['rolled_back_at', 'timestamp with time zone', null, 'YES', null],
      ['started_at', 'timestamp with time zone', null, 'NO', 'now()'],
      ['applied_steps_count', 'integer', null, 'NO', '0'],
    ]);
  });

  test('many may start at once', async () => {
    await write('1_first', 'create table a (x int)');
    await write('2_second', 'select pg_sleep(0.1); create table b (x int)');
    const results = await Promise.all([run(), run(), run(), run(), run()]);
    expect(results.flat().sort()).toEqual(['1_first', '2_second']);
  });

  test('a migration that fails leaves nothing behind and is tried again', async () => {
    await write('1_first', 'create table a (x int)');
    await write('2_second', 'create table b (x int);\n\nselect nothing_like_that();\n');
    const failure = run();
    await expect(failure).rejects.toBeInstanceOf(MigrationError);
    await expect(failure).rejects.toThrow(
      /^Migration 2_second failed at line 3 and was rolled back: function nothing_like_that\(\) does not exist$/,
    );
    const { rows } = await database.adminPool.query(
      "select to_regclass('a') is not null as a, to_regclass('b') is not null as b",
    );
    expect(rows).toEqual([{ a: true, b: false }]);
    await write('2_second', 'create table b (x int)');
    expect(await run()).toEqual(['2_second']);
  });

  test('refuses a migration that was edited since', async () => {
    await write('1_first', 'create table a (x int)');
    await run();
    await write('1_first', 'create table a (x bigint)');
    await write('2_second', 'create table b (x int)');
    await expect(run()).rejects.toThrow(/1_first was edited after/);
    await expect(pendingMigrations(database.adminPool, directory)).rejects.toThrow(MigrationError);
  });

  test('accepts other line ends, as git may make them', async () => {
    await write('1_first', 'create table a (x int);\n-- end\n');
    await run();
    await write('1_first', 'create table a (x int);\r\n-- end\r\n');
    expect(await run()).toEqual([]);
  });

  test('refuses one that failed half-way under Prisma, and takes one that was marked as rolled back', async () => {
    await write('1_first', 'create table a (x int)');
    await run();
    await database.adminPool.query("update _prisma_migrations set finished_at = null, logs = 'ERROR: lost'");
    await expect(run()).rejects.toThrow(/1_first failed half-way before: ERROR: lost/);
    await database.adminPool.query('update _prisma_migrations set rolled_back_at = now(); drop table a');
    expect(await run()).toEqual(['1_first']);
  });

  test('a migration of a later release is no error', async () => {
    await write('1_first', 'create table a (x int)');
    await write('2_later', 'create table b (x int)');
    await run();
    await rm(join(directory, '2_later'), { recursive: true });
    expect(await run()).toEqual([]);
  });

  test("the service's own migrations have not been edited since they were applied", async () => {
    const template = await createTestDatabase();
    try {
      expect(await pendingMigrations(template.adminPool)).toEqual([]);
      const { rows } = await template.adminPool.query(
        'select migration_name, checksum from _prisma_migrations',
      );
      for (const row of rows) {
        const sql = await readFile(join(MIGRATIONS_DIRECTORY, row.migration_name, 'migration.sql'));
        expect(row.checksum).toBe(createHash('sha256').update(sql).digest('hex'));
      }
    } finally {
      await template.drop();
    }
  });
});

describe('a login that is no superuser', () => {
  let database: TestDatabase;
  const login = `rewards_test_owner_${process.pid}`;

  beforeAll(async () => {
    database = await createTestDatabase();
    await database.adminPool.query(`drop schema public cascade; drop schema graphile_worker cascade;
      create role ${login} login createrole password 'x';
      create schema public authorization ${login};
      grant usage on schema public to public`);
  });
  afterAll(async () => {
    await database.adminPool.query(`drop owned by ${login}; drop role ${login}`);
    await database.drop();
  });

  test('migrates, and may then take the role of the server', async () => {
    const { major } = await readRelease(database.adminPool);
    // What the creator of a role gets since Postgres 16: it may grant the role but not take it. Roles belong to the
    // whole cluster, so this one was created before the test.
    if (major >= 16) {
      for (const role of ['rewards_app', 'rewards_operator']) {
        await database.adminPool.query(`grant ${role} to ${login} with admin true, inherit false, set false`);
      }
    }
    const url = withLogin(database.adminUrl, login, 'x');
    // Jobs have a schema of their own. The message names the missing grant, and the next call completes the migration.
    await expect(migrate(url)).rejects.toThrow(`grant create on database ${database.name} to ${login}`);
    await database.adminPool.query(`grant create on database ${database.name} to ${login}`);
    expect(await pendingMigrations(database.adminPool)).toEqual([]);
    expect(await migrate(url)).toEqual([]);
    const pool = createPool({ url, size: 1, role: 'rewards_app' });
    try {
      expect((await pool.query('select count(*) from postings')).rows).toEqual([{ count: 0 }]);
      await expect(pool.query('delete from postings')).rejects.toMatchObject({ code: '42501' });
    } finally {
      await pool.end();
    }
  });
});
