import { execFileSync } from 'node:child_process';
import { expect, test } from '@jest/globals';

test('test files that use the database of the run are told from those that do not', () => {
  const found = execFileSync(process.execPath, [
    'test/support/with-database.mjs',
    'test/db',
    'test/erasure',
    'test/ledger',
  ])
    .toString()
    .split('\n');
  expect(found).toEqual(
    expect.arrayContaining([
      'test/db/data-model.test.ts',
      'test/erasure/erase-member.test.ts',
      'test/ledger/batch/plans-without-statistics.test.ts',
    ]),
  );
  expect(found).not.toContain('test/erasure/forgotten.test.ts');
  expect(found).not.toContain('test/ledger/books/posting.test.ts');
});
