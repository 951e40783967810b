import { describe, expect, test } from '@jest/globals';
import { citusMigrationProblems } from './citus-migration-problems.ts';

describe('a migration of distributed tables', () => {
  test.each([
    [
      'alter table lots add column lent bigint, add constraint lent_check check (lent > 0)',
      /together with other changes/,
    ],
    [
      'alter table lots drop constraint a_check, add constraint a_check check (a > 0)',
      /together with other changes/,
    ],
    ['alter table lots add column claimed bigint check (claimed >= 0)', /added with a constraint/],
    ['alter table lots add column other uuid references others (id)', /added with a constraint/],
    ['alter table lots add check (points > 0)', /without a name/],
    ['alter table lots rename constraint a_check to b_check', /a_check is renamed/],
  ])('refused: %s', (sql, problem) => {
    expect(citusMigrationProblems(sql)).toEqual([expect.stringMatching(problem)]);
  });

  test.each([
    ['alter table lots add column a bigint not null default 0, add column b text'],
    ['alter table lots add constraint a_check check (a > 0) not valid'],
    [
      'create table new (a bigint); alter table new add column b bigint check (b > 0), add constraint c unique (a)',
    ],
    ['create index lots_at on lots (at); alter index lots_at rename to lots_by_time'],
  ])('taken: %s', (sql) => {
    expect(citusMigrationProblems(sql)).toEqual([]);
  });
});
