import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { dumpSchema } from '../../src/db/schema-dump.ts';
import { useDatabase } from '../support/use-database.ts';

const { database } = useDatabase();

test('the migrated schema is the committed one, on every Postgres', async () => {
  const committed = await readFile(new URL('../../prisma/schema-dump.txt', import.meta.url), 'utf8');
  // If this fails after a new migration: npm run dump-schema
  expect(await dumpSchema(database.adminPool)).toBe(committed);
});

test.each([
  ['a column', 'alter table lots add x int'],
  ['a NOT NULL', 'alter table lots alter activates_at set not null'],
  ['a collation', 'alter table members alter external_customer_id type text collate "default"'],
  ['a default', 'alter table lots alter granted set default 1'],
  ['a CHECK', 'alter table program_profiles drop constraint points_only_while_enrolled'],
  ['an index', 'create index on lots (expires_at)'],
  ['a privilege on a table', 'grant delete on postings to rewards_app'],
  ['a privilege on a column', 'grant update (amount) on postings to rewards_app'],
  [
    'a trigger',
    'create trigger t before update on lots execute function suppress_redundant_updates_trigger()',
  ],
])('%s shows', async (_, change) => {
  const before = await dumpSchema(database.adminPool);
  const client = await database.adminPool.connect();
  try {
    await client.query(`begin; ${change}`);
    expect(await dumpSchema(client)).not.toBe(before);
  } finally {
    await client.query('rollback');
    client.release();
  }
});
