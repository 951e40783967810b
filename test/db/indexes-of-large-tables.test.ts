import { beforeAll, expect, test } from '@jest/globals';
import type { ClientBase } from 'pg';
import { WidgetDirectory } from '../../src/auth/widget/widget-directory.ts';
import type { Statement } from '../../src/db/statement.ts';
import { toTypeId } from '../../src/ids.ts';
import { ROLL_UP_CONTROLS } from '../../src/ledger/controls/closed-day-controls.ts';
import { ORDERS_LOOKED_AT } from '../../src/ledger/controls/ledger-control.ts';
import { readBooks } from '../../src/queries/reports/ledger-close/read-books.ts';
import { useConnection, useDatabase } from '../support/use-database.ts';

// Postgres reads a table of a few pages as a whole. So the other tests never use the indexes that find a part of a
// large table, and whether a statement can use its index shows only in its plan over many rows.

const E = '00000000-0000-7000-8000-000000000001';
const FIRST_DAY = '2026-01-01';
const ROWS = 100_000;

const { database } = useDatabase();
const client = useConnection(() => database.adminPool);

beforeAll(async () => {
  // The tables that are joined have none of these rows.
  await client.query('set session_replication_role = replica');
  // Ids in the order of time, as the service makes them.
  const id = `(lpad(to_hex(i), 12, '0') || '70008000000000000000')::uuid`;
  const at = `timestamptz '${FIRST_DAY}Z' + i * interval '216 seconds'`;
  await client.query(`
    insert into widget_deployments select '${E}', ${id}, 'widget-' || i, now() from generate_series(1, ${ROWS / 10}) i;
    insert into transactions
      select '${E}', ${id}, 'club', md5('m' || i % 40000)::uuid, 'purchase.completed', 'o' || i, 'committed', 1, ${at}, ${at},
        null, null, '{}' from generate_series(1, ${ROWS}) i;
    insert into orders
      select '${E}', 'o' || i, 'club', md5('m' || i % 40000)::uuid, ${id}, 'active', 1, 'USD', 1 from generate_series(1, ${ROWS}) i;
    insert into member_days
      select '${E}', 'club', md5('m' || i % 40000)::uuid, date '${FIRST_DAY}' + i / 400, 1, 0, 0, 1, 0, 0
      from generate_series(1, ${ROWS}) i`);
  await client.query('vacuum (analyze) widget_deployments, transactions, orders, member_days');
});

interface PlanNode {
  'Index Name'?: string;
  Plans?: PlanNode[];
}

const indexesOf = (node: PlanNode): string[] => [
  ...(node['Index Name'] ? [node['Index Name']] : []),
  ...(node.Plans ?? []).flatMap(indexesOf),
];

/** The indexes in the plan of a statement for these values. */
async function indexesFor(text: string, values: readonly unknown[]): Promise<string[]> {
  const { rows } = await client.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
    `explain (format json) ${text}`,
    [...values],
  );
  return indexesOf(rows[0]?.['QUERY PLAN'][0]?.Plan ?? {});
}

test('a widget deployment is found by its id alone', async () => {
  let used: string[] = [];
  const seen = {
    async query({ text, values }: Statement) {
      used = await indexesFor(text, values);
      return { rows: [] };
    },
  };
  const directory = new WidgetDirectory(seen as unknown as ConstructorParameters<typeof WidgetDirectory>[0]);
  expect(await directory.find(toTypeId('wdg', '00000000-1000-7000-8000-000000000000'))).toBeNull();
  expect(used).toContain('widget_deployments_by_id');
});

test('the orders whose transactions are newer than a verified day are found by blocks', async () => {
  const used = await indexesFor(`select * from ${ORDERS_LOOKED_AT} o`, [E, '2026-09-05T00:00:00Z']);
  expect(used).toContain('orders_by_transaction');
});

test('the days of members in the period of a close are found by blocks', async () => {
  const used: string[] = [];
  const seen = {
    async query(statement: Statement) {
      if (statement.name === 'close_moved')
        used.push(...(await indexesFor(statement.text, statement.values)));
      return client.query(statement);
    },
  } as unknown as ClientBase;
  const [from, to] = [new Date('2026-08-01Z'), new Date('2026-08-08Z')];
  const stretches = { openingFrom: null, closed: { from, to }, closingFrom: null, openSince: to };
  await client.query('begin');
  await readBooks([seen, seen], E, 'club', { from, to }, stretches).finally(() => client.query('rollback'));
  expect(used).toContain('member_days_by_day');
});

test('so are those that are newer than a verified day', async () => {
  const control = ROLL_UP_CONTROLS.find(({ id }) => id === 'closed-balances-equal-postings');
  const sql =
    control && typeof control.sinceDay === 'object' && 'carried' in control.sinceDay
      ? control.sinceDay.carried
      : '';
  expect(await indexesFor(sql, [E, '2026-09-05T00:00:00Z'])).toContain('member_days_by_day');
});
