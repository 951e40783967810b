import { describe, expect, test } from '@jest/globals';
import { citusProblems } from './citus-problems.ts';
import type { TableColumns } from './relations.ts';

const tables = new Map<string, TableColumns>([
  ['environments', { names: ['id', 'kind'], environment: 'id' }],
  ['lots', { names: ['environment_id', 'id', 'points', 'at', 'until'], environment: 'environment_id' }],
]);

function check(text: string, overAll = false): string[] {
  return citusProblems(text, { tables, overAll });
}

describe('what Citus does', () => {
  test.each([
    ['select clock_timestamp() from lots where environment_id = $1'],
    ['select pg_notify($1, $2)'],
    ['select pg_advisory_xact_lock(1)'],
    ['update lots set at = statement_timestamp() where environment_id = $1'],
    [`update lots set until = statement_timestamp() + interval '1 day' where environment_id = $1`],
    ['update lots set at = r.now from (select statement_timestamp() as now) r where environment_id = $1'],
    ['update lots set points = coalesce($2, points) where environment_id = $1'],
    [
      'update lots l set points = 1 from (select ctid as place from lots where environment_id ' +
        '= $1) r where l.environment_id = $1::uuid and l.ctid = r.place',
    ],
    [
      'delete from lots where environment_id = $1 and ctid = any ' +
        '(array(select ctid from lots where environment_id = $1))',
    ],
    [
      'insert into lots (environment_id, at) select $1, clock_timestamp() on ' +
        'conflict (environment_id, id) do update set at = excluded.at',
    ],
    ['select from lots where environment_id = $1 limit 1 offset 2'],
    ['update other_table set at = clock_timestamp()'],
  ])('%s', (text) => {
    expect(check(text)).toEqual([]);
  });

  test.each([
    [
      'select e.id from environments e cross join lateral (select from lots where environment_id = e.id limit 1) l',
    ],
    [
      'select e.id from environments e where exists (select from lots where environment_id = e.id and at <= now())',
    ],
  ])('over all environments: %s', (text) => {
    expect(check(text, true)).toEqual([]);
  });
});

describe('what Citus refuses', () => {
  test.each([
    ['select pg_notify($2, id::text) from lots where environment_id = $1', /pg_notify would run on a worker/],
    ['select pg_try_advisory_lock(1) from lots where environment_id = $1', /would run on a worker/],
    [
      'update lots set at = clock_timestamp() where environment_id = $1',
      /calls clock_timestamp, which is volatile/,
    ],
    ['update lots set at = (select clock_timestamp()) where environment_id = $1', /volatile/],
    ['delete from lots where environment_id = $1 and at < clock_timestamp()', /volatile/],
    [
      'with gone as (update lots set points = random() where environment_id = $1 returning id) select from gone',
      /volatile/,
    ],
    [
      `update lots set at = until + interval '1 day' where environment_id = $1`,
      /adds an interval to a column/,
    ],
    [
      `update lots set at = statement_timestamp() + points * interval '1 ms' where environment_id = $1`,
      /interval to a column/,
    ],
    [
      `update lots set at = date_trunc('day', until) where environment_id = $1`,
      /date_trunc, which is not immutable, with a column/,
    ],
    [
      'update lots set at = case when points > 0 then now() end where environment_id = $1',
      /in CASE or COALESCE/,
    ],
    ['update lots set at = coalesce(at, current_timestamp) where environment_id = $1', /in CASE or COALESCE/],
    [
      `update lots set points = case id when '1' then 2 end where environment_id = $1`,
      /CASE with a value to compare/,
    ],
    ['update lots set points = 1 where environment_id = $1 returning now()', /returns what is not immutable/],
    [
      'update lots l set points = 1 from r where l.ctid = r.place',
      /goes by ctid, and not by the environment/,
    ],
    ['update lots l set points = 1 from r where r.environment_id = $1 and l.ctid = r.place', /goes by ctid/],
    [
      'insert into lots (environment_id, id) select $1, $2 on conflict ' +
        '(environment_id, id) do update set points = 1 where lots.at < now()',
      /on a conflict what is not immutable/,
    ],
    [
      'with moved as (update lots l set points = 1 from r where l.environment_id = $1 and l.ctid = r.place ' +
        'returning id) insert into lots (environment_id, id) select $1, id from moved',
      /follows an update by ctid/,
    ],
  ])('%s', (text, problem) => {
    expect(check(text)).toEqual([expect.stringMatching(problem)]);
  });

  test.each([
    [
      'with recursive found as (select id from lots union all select id from found) select from found',
      /recursive/,
    ],
    ['select from lots for update', /FOR UPDATE over many shards/],
    ['select from (select id from environments offset 0) e', /OFFSET/],
    ['select exists (select from lots where points > 1) as found', /without columns/],
  ])('over all environments: %s', (text, problem) => {
    expect(check(text, true)).toEqual([expect.stringMatching(problem)]);
    expect(check(text)).toEqual([]);
  });
});
