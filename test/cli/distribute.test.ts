import { describe, expect, test } from '@jest/globals';
import { runCli } from '../support/cli/run-cli.ts';
import { useDatabase } from '../support/use-database.ts';

const { database } = useDatabase();

async function foreignKeys(): Promise<number> {
  const { rows } = await database.adminPool.query(`select count(*) from pg_constraint where contype = 'f'`);
  return rows[0].count;
}

describe('rewards distribute without Citus', () => {
  test('refuses, says what to do, and changes nothing', async () => {
    const before = await foreignKeys();
    const { exitCode, stdout, stderr } = await runCli(database.adminUrl, ['distribute']);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(
      /^This Postgres has no Citus, .*shared_preload_libraries = 'citus'.*docs\/operate\/distributed\.md/,
    );
    expect(before).toBeGreaterThan(50);
    expect(await foreignKeys()).toBe(before);
  });

  test('takes a sensible number of shards', async () => {
    for (const shards of ['0', '1.5', 'many', '1025']) {
      const { exitCode, stderr } = await runCli(database.adminUrl, ['distribute', '--shards', shards]);
      expect({ exitCode, stderr }).toEqual({
        exitCode: 2,
        stderr: expect.stringContaining('A number from 1 to 1024.'),
      });
    }
  });
});

// Citus moves shards without stopping writes by logical replication, which finds rows by their primary key.
test('every table has a primary key, which begins with the environment where it has one', async () => {
  const { rows } = await database.adminPool.query<{ name: string }>(
    `select c.relname as name from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
        and c.relname <> '_prisma_migrations'
        and not exists (
          select from pg_index i
          join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
          where i.indrelid = c.oid and i.indisprimary
            and (a.attname = case c.relname when 'environments' then 'id' else 'environment_id' end
              or c.relname <> 'environments' and not exists (
                select from pg_attribute e where e.attrelid = c.oid and e.attname = 'environment_id'
              ))
        )`,
  );
  expect(rows).toEqual([]);
});

test('while a distribution is interrupted nothing migrates, and so no server starts', async () => {
  await database.adminPool.query('create schema rewards_distribution');
  await database.adminPool.query('create table rewards_distribution.foreign_keys (table_name text)');
  const { exitCode, stderr } = await runCli(database.adminUrl, ['migrate']);
  expect({ exitCode, stderr }).toEqual({
    exitCode: 1,
    stderr: expect.stringContaining('Let it go on: rewards distribute'),
  });
  await database.adminPool.query('drop schema rewards_distribution cascade');
  expect((await runCli(database.adminUrl, ['migrate'])).exitCode).toBe(0);
});
