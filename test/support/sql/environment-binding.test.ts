import { describe, expect, test } from '@jest/globals';
import { bindingProblems, type Demand } from './environment-binding.ts';
import type { TableColumns } from './relations.ts';

const tables = new Map<string, TableColumns>([
  ['environments', { names: ['id', 'kind'], environment: 'id' }],
  ['members', { names: ['environment_id', 'id', 'name'], environment: 'environment_id' }],
  ['lots', { names: ['environment_id', 'id', 'member_id', 'points'], environment: 'environment_id' }],
  ['lot_days', { names: ['environment_id', 'lot_id', 'points'], environment: 'environment_id' }],
  ['tenants', { names: ['id', 'name'], environment: null }],
]);

function check(
  text: string,
  demand: Demand = 'bound',
  environmentNumbers: readonly number[] = [1],
): string[] {
  return bindingProblems(text, { tables, demand, environmentNumbers });
}

describe('a statement for one environment', () => {
  test.each([
    'select * from members where environment_id = $1::uuid',
    'select * from members where $1 = environment_id and name = $2',
    'select * from members where (environment_id, id) = ($1::uuid, $2::uuid)',
    'select * from environments where id = $1::uuid',
    'select * from tenants',
    'select * from pg_database where datname = current_database()',
    'select from lots l join members m on m.environment_id = l.environment_id where l.environment_id = $1',
    'select from lots l join members m on l.environment_id = $1 and m.environment_id = l.environment_id',
    'select from lots l left join members m on m.environment_id = $1 and ' +
      'm.id = l.member_id where l.environment_id = $1',
    'select from lots l join members using (environment_id) where l.environment_id = $1',
    'select from lots l, members m where m.environment_id = l.environment_id and l.environment_id = $1',
    'select from lots l cross join lateral (select from members where ' +
      'environment_id = l.environment_id) m where l.environment_id = $1',
    'select from (select * from lots where environment_id = $1) l join members m using (environment_id)',
    'select from lots where environment_id = $1 and exists (select from ' +
      'members m where m.environment_id = lots.environment_id)',
    'select from lots where (environment_id, id) in (select environment_id, ' +
      'lot_id from lot_days where environment_id = $1)',
    'select (select count(*) from members where environment_id = $1), 1',
    'with own as (select * from lots where environment_id = $1) select from own ' +
      'join members m on m.environment_id = own.environment_id',
    'with own(e, i) as (select environment_id, id from lots where environment_id = ' +
      '$1) select from own join members m on m.environment_id = e',
    'select from unnest($1::uuid[], $2::uuid[]) as wanted(e, i) join lots l ' +
      'on l.environment_id = wanted.e and l.id = wanted.i',
    'with recursive walk as ((select * from lots where environment_id = $1 limit 1) union ' +
      'all select next.* from walk cross join lateral (select * from lots where ' +
      'environment_id = walk.environment_id) next) select from walk',
    'select id from members where environment_id = $1 union all select id from lots where environment_id = $1',
    'insert into members (environment_id, id, name) values ($1, $2, $3)',
    'insert into members (id, environment_id) select id, $1::uuid from unnest($2::uuid[]) as m(id)',
    'insert into lots (environment_id, id) select m.environment_id, m.id from ' +
      'members m where m.environment_id = $1 on conflict do nothing',
    'update lots l set points = 0 from members m where l.environment_id = $1 and m.environment_id = l.environment_id',
    'delete from lots where environment_id = $1 returning id',
  ])('is bound: %s', (text) => {
    expect(check(text)).toEqual([]);
  });

  test.each([
    ['no condition', 'select * from members'],
    ['a condition on something else', 'select * from members where id = $1'],
    ['another parameter', 'select * from members where environment_id = $2'],
    ['another comparison', 'select * from members where environment_id <> $1'],
    ['a column of its own', 'select * from members where environment_id = id'],
    ['only one side of OR', 'select * from members where environment_id = $1 or name = $2'],
    ['a condition that is negated', 'select * from members where not (environment_id = $1)'],
    ['a condition on null', 'select * from members where $1::uuid is null or environment_id = $1'],
    [
      'a join without it',
      'select from lots l join members m on m.id = l.member_id where l.environment_id = $1',
    ],
    [
      'a join with itself',
      'select from lots l join members m on m.environment_id = m.environment_id where l.environment_id = $1',
    ],
    [
      'a condition on the other table of the name',
      'select from lots a join lots b on a.id = b.id where a.environment_id = $1 and a.environment_id = $1',
    ],
    [
      'the kept side of a left join',
      'select from lots l left join members m on m.environment_id = l.environment_id and l.environment_id = $1',
    ],
    [
      'the kept side of a right join',
      'select from lots l right join members m on m.environment_id = l.environment_id and l.environment_id = $1',
    ],
    [
      'a full join',
      'select from (select * from lots where environment_id = $1) l full join members m using (environment_id)',
    ],
    ['a join using other columns', 'select from lots l join members using (id) where l.environment_id = $1'],
    [
      'a lateral subquery',
      'select from lots l cross join lateral (select from members where id ' +
        '= l.member_id) m where l.environment_id = $1',
    ],
    ['a subquery in FROM', 'select from (select * from lots) l join members m on m.environment_id = $1'],
    ['a scalar subquery', 'select (select count(*) from members) from lots where environment_id = $1'],
    [
      'EXISTS',
      'select from lots where environment_id = $1 and exists (select from members m where m.id = lots.member_id)',
    ],
    [
      'the query around it, bound by the subquery only',
      'select from lots where exists (select from members m where ' +
        'm.environment_id = $1 and m.environment_id = lots.environment_id)',
    ],
    [
      'a row that is IN, in other places',
      'select from lots where (id, environment_id) in (select environment_id, ' +
        'lot_id from lot_days where environment_id = $1)',
    ],
    [
      'IN a subquery that is not bound',
      'select from lots where (environment_id, id) in (select environment_id, lot_id from lot_days)',
    ],
    [
      'NOT IN',
      'select from lots where (environment_id, id) not in (select ' +
        'environment_id, lot_id from lot_days where environment_id = $1)',
    ],
    [
      'a common table expression',
      'with own as (select * from lots) select from own where environment_id = $1',
    ],
    [
      'a common table expression that hides a table',
      'with lots as (select $1::uuid as environment_id) select from members m ' +
        'where m.environment_id = (select id from lots)',
    ],
    [
      'unnest of other parameters',
      'select from unnest($2::uuid[]) as wanted(e) join lots l on l.environment_id = wanted.e',
    ],
    [
      'the second part of a recursive query',
      'with recursive walk as (select * from lots where environment_id = $1 union all select ' +
        'l.* from walk join lots l on l.id > walk.id) select from walk',
    ],
    ['one part of UNION', 'select id from members where environment_id = $1 union all select id from lots'],
    ['inserted values', 'insert into members (environment_id, id) values ($2, $1)'],
    [
      'inserted rows of another table',
      'insert into lots (environment_id, id) select t.id, t.id from tenants t',
    ],
    ['an insert without columns', 'insert into members select $1, $2, $3'],
    [
      'an insert from rows that are not bound',
      'insert into members (environment_id, id) select $1, id from lots',
    ],
    [
      'a subquery of ON CONFLICT',
      'insert into members (environment_id, id) values ($1, $2) on conflict ' +
        '(environment_id, id) do update set name = (select max(name) from members)',
    ],
    ['an update', 'update lots set points = 0 where id = $1'],
    [
      'an update from another table',
      'update lots l set points = 0 from members m where l.environment_id = $1 and m.id = l.member_id',
    ],
    ['an update of the environment', 'update lots set environment_id = $1 where environment_id = $1'],
    ['a deletion', 'delete from lots where points = 0'],
    [
      'a deletion using another table',
      'delete from lots l using members m where l.environment_id = $1 and m.id = l.member_id',
    ],
    ['RETURNING', 'delete from lots where environment_id = $1 returning (select count(*) from members)'],
    ['ORDER BY', 'select from lots where environment_id = $1 order by (select count(*) from members)'],
    [
      'the condition of a join',
      'select from lots l left join tenants t on t.id = (select max(id) from members) where l.environment_id = $1',
    ],
    ['a statement of another kind', 'truncate lots'],
    ['a natural join', 'select from lots natural join members where lots.environment_id = $1'],
    ['the second of two statements', 'select from lots where environment_id = $1; select from members'],
  ])('is not bound by %s', (_way, text) => {
    expect(check(text)).not.toEqual([]);
  });

  test('says which table', () => {
    expect(
      check('select from lots l join members m on m.id = l.member_id where l.environment_id = $1'),
    ).toEqual(['m.environment_id of members is not bound']);
  });

  test('may name its environment by other parameters', () => {
    const text = 'select from members where id = $1 and environment_id = $2';
    expect(check(text, 'bound', [2])).toEqual([]);
  });

  test('cannot be parsed where Postgres cannot parse it', () => {
    expect(() => check('select from where')).toThrow('syntax error');
  });
});

describe('a statement for one environment or all', () => {
  test('may leave the environment open', () => {
    expect(check('select from members where $1::uuid is null or environment_id = $1', 'optional')).toEqual(
      [],
    );
  });

  test.each([
    'select from members where $2::uuid is null or environment_id = $1::uuid or name = $3',
    'select from members where name is null or environment_id = $1',
    'select from members where $1::uuid is not null or environment_id = $1',
  ])('is not bound: %s', (text) => {
    expect(check(text, 'optional')).not.toEqual([]);
  });
});

describe('a statement over all environments', () => {
  test.each([
    'select e.id from environments e where exists (select from lots where environment_id = e.id)',
    'select e.id, l.points from environments e cross join lateral (select ' +
      'points from lots where environment_id = e.id limit 1) l',
    'select environment_id, sum(points) from lots group by environment_id',
    'select from lots l join members m on m.environment_id = l.environment_id and m.id = l.member_id',
    'with sums as (select environment_id, member_id, sum(points) as points from lots group by ' +
      'environment_id, member_id) select from sums full join members using (environment_id)',
  ])('keeps them apart: %s', (text) => {
    expect(check(text, 'apart')).toEqual([]);
  });

  test.each([
    'select from lots l join members m on m.id = l.member_id',
    'select from lots l cross join members m',
    'select e.id from environments e where exists (select from lots where points > 0)',
    'select from environments e cross join lateral (select points from lots limit 1) l',
    'select member_id, sum(points) from lots group by member_id',
    'with sums as (select member_id, sum(points) from lots group by member_id) select from sums',
    'with sums as (select sum(points) as points from lots) select from sums join members m on m.id = m.id',
    'insert into lots (environment_id, id) select id, id from tenants',
  ])('mixes them: %s', (text) => {
    expect(check(text, 'apart')).not.toEqual([]);
  });
});
