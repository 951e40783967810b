import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { loadModule, parseSync } from 'libpg-query';
import { MIGRATIONS_DIRECTORY } from '../../src/db/migrate.ts';
import { statementsOf } from '../../src/db/script-statements.ts';

beforeAll(() => loadModule());

interface Script {
  name: string;
  sql: string;
}

async function migrations(): Promise<Script[]> {
  const entries = await readdir(MIGRATIONS_DIRECTORY, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  return Promise.all(
    names.sort().map(async (name) => ({
      name,
      sql: await readFile(join(MIGRATIONS_DIRECTORY, name, 'migration.sql'), 'utf8'),
    })),
  );
}

describe('the statements of a script', () => {
  test.each([
    ['', []],
    [' ;\n; -- nothing;\n/* nor ; here */', []],
    ['select 1', ['select 1']],
    ['select 1; select 2;\n', ['select 1', 'select 2']],
    [`select ';', 'it''s; not', "a;b"; select 2`, [`select ';', 'it''s; not', "a;b"`, 'select 2']],
    [`select 1 -- one; it's\n + 1; select 2`, [`select 1 -- one; it's\n + 1`, 'select 2']],
    ['do $$ begin null; end $$; select 1', ['do $$ begin null; end $$', 'select 1']],
    ['do $a$ $$ ; $$ $a$; select 1', ['do $a$ $$ ; $$ $a$', 'select 1']],
    [`'a'`, [`'a'`]],
  ])('%j', (script, texts) => {
    expect(statementsOf(script).map(({ text }) => text.trim())).toEqual(texts);
  });

  test('each begins where it says', () => {
    const script = 'create table a (x int);\n\nselect 1;\n';
    for (const { text, offset } of statementsOf(script)) {
      expect(script.slice(offset, offset + text.length)).toBe(text);
    }
    expect(statementsOf(script).map(({ offset }) => offset)).toEqual([0, 23]);
  });

  test('of the migrations are those that Postgres finds', async () => {
    for (const { name, sql } of await migrations()) {
      const bytes = Buffer.from(sql);
      const parsed = (parseSync(sql).stmts ?? []).map(({ stmt_location: begin = 0, stmt_len: length }) =>
        bytes.subarray(begin, length ? begin + length : undefined).toString(),
      );
      // The parser leaves out the comments before a statement.
      const texts = statementsOf(sql).map(({ text }) => text.replace(/^(\s|--.*)+/, '').trim());
      expect([name, ...texts]).toEqual([name, ...parsed.map((text) => text.trim())]);
    }
  });
});
