import { beforeAll, expect, test } from '@jest/globals';
import { EVERY_TABLE, wayToMember } from '../../../src/ledger/tables/every-handling.ts';
import type { Handling } from '../../../src/ledger/tables/handling.ts';
import { useDatabase } from '../../support/use-database.ts';

/** The columns of each table, with their types. */
let columns: ReadonlyMap<string, ReadonlyMap<string, string>>;

const { database } = useDatabase();

beforeAll(async () => {
  const { rows } = await database.adminPool.query<{ table: string; name: string; type: string }>(
    `select c.table_name as table, c.column_name as name, c.data_type as type
     from information_schema.columns c
     join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name
     where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.table_name <> '_prisma_migrations'`,
  );
  columns = new Map(
    [...Map.groupBy(rows, ({ table }) => table)].map(([table, of]) => [
      table,
      new Map(of.map(({ name, type }) => [name, type])),
    ]),
  );
});

const columnsOf = (name: string): string[] => [...(columns.get(name)?.keys() ?? [])];

/** The columns that a table's handling names, but for those of other tables. */
function named({ owner, exported, erasure }: Handling): string[] {
  return [
    ...(typeof owner === 'object' && 'members' in owner ? owner.members : []),
    ...(typeof exported === 'object' && 'ids' in exported ? Object.keys(exported.ids) : []),
    ...(typeof exported === 'object' && 'order' in exported
      ? exported.order.filter((column) => !column.includes('.'))
      : []),
    ...(typeof erasure === 'object' ? Object.keys(erasure.columns) : []),
  ];
}

test('every table of the database says what becomes of its rows, and once', () => {
  expect(EVERY_TABLE.map(({ name }) => name).sort()).toEqual([...columns.keys()].sort());
});

test.each(EVERY_TABLE)('$name has the columns that it names', ({ name, handling }) => {
  expect(named(handling).filter((column) => !columnsOf(name).includes(column))).toEqual([]);
});

test('a table that has a column of a member belongs to members, and is exported but for sums of postings', () => {
  const ofMembers = EVERY_TABLE.filter(({ name }) =>
    columnsOf(name).some((column) => ['member_id', 'external_customer_id', 'referred_by'].includes(column)),
  );
  expect(ofMembers.length).toBeGreaterThan(15);
  expect(ofMembers.filter(({ handling: { owner } }) => typeof owner !== 'object')).toEqual([]);
  const unseen = ofMembers.filter(
    ({ handling: { exported } }) => typeof exported === 'object' && 'none' in exported,
  );
  expect(unseen.map(({ name }) => name)).toEqual(['member_days']);
});

test('the service alone has tables without an environment', () => {
  const withoutOne = EVERY_TABLE.filter(({ name }) => !columnsOf(name).includes('environment_id'));
  const ofService = EVERY_TABLE.filter(({ handling: { owner } }) => owner === 'service');
  expect(withoutOne.map(({ name }) => name)).toEqual(ofService.map(({ name }) => name));
});

test('a reset keeps how an environment is set up, its audit trail and its epochs, and nothing else', () => {
  const kept = EVERY_TABLE.filter(
    ({ handling: { owner, reset } }) => owner !== 'service' && reset === 'kept',
  );
  expect(kept.map(({ name }) => name).sort()).toEqual([
    ...['api_keys', 'audit_events', 'audit_heads', 'audit_seals', 'feed_epochs', 'finance_approvals'],
    ...['program_versions', 'programs', 'token_issuers'],
    ...['webhook_endpoints', 'widget_deployment_versions', 'widget_deployments'],
  ]);
});

test('what a clone copies, a reset keeps: it is how an environment is set up', () => {
  const copied = EVERY_TABLE.filter(({ handling: { clone } }) => clone === 'copied');
  expect(copied.length).toBeGreaterThan(4);
  expect(copied.filter(({ handling: { reset } }) => reset !== 'kept')).toEqual([]);
});

const ofMembers = EVERY_TABLE.filter(({ handling: { owner } }) => typeof owner === 'object');

test.each(ofMembers)('the rows of one member are found in $name', async ({ name }) => {
  const { from, where } = wayToMember(name);
  const nobody = '00000000-0000-0000-0000-000000000000';
  const { rows } = await database.adminPool.query(`select ${name}.* from ${from} where ${where}`, [
    nobody,
    nobody,
  ]);
  expect(rows).toEqual([]);
});
