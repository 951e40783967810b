import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readRelease } from '../../../src/db/postgres-release.ts';
import type { Statement } from '../../../src/db/statement.ts';
import { createLanePool } from '../../../src/ledger/batch/lane-pool.ts';
import { type AnyLookUpKey, LOOK_UPS, TABLE_LIST, TABLES } from '../../../src/ledger/tables/all-tables.ts';
import { enterEnvironment, loadEnvironment } from '../../../src/ledger/tables/environments.ts';
import type { Table } from '../../../src/ledger/tables/table.ts';
import type { TransactionRecord } from '../../../src/ledger/tables/transactions.ts';
import { fixture } from '../../support/fixture.ts';
import { useConnection, useDatabase } from '../../support/use-database.ts';

// The session of a lane plans each statement once, however large its tables are at that time, and the tables grow
// later. So no plan may read more rows of an environment than are asked for. The statements by which Postgres checks
// foreign keys are tested too.

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  Plans?: PlanNode[];
}

const E = '00000000-0000-7000-8000-000000000001';
const ID = '00000000-0000-7000-8000-000000000002';
const profile = { programId: 'club', externalCustomerId: 'c1' };

/** A subject or need of every kind. */
const WANTED: { [K in AnyLookUpKey['kind']]: Extract<AnyLookUpKey, { kind: K }> } = {
  member: { kind: 'member', externalCustomerId: 'c1' },
  changedMember: { kind: 'changedMember', externalCustomerId: 'c1' },
  mergingMember: { kind: 'mergingMember', externalCustomerId: 'c1' },
  formerMember: { kind: 'formerMember', memberId: ID },
  formerAccount: { kind: 'formerAccount', memberId: ID },
  memberMerge: { kind: 'memberMerge', id: ID },
  mergeUndo: { kind: 'mergeUndo', mergeId: ID },
  profile: { kind: 'profile', ...profile },
  profiles: { kind: 'profiles', externalCustomerId: 'c1' },
  order: { kind: 'order', sourceReference: 'o1' },
  limitCounters: { kind: 'limitCounters', ...profile, at: null },
  idempotencyKey: { kind: 'idempotencyKey', operation: 'purchaseEarn', key: 'k1' },
  return: { kind: 'return', returnReference: 'r1' },
  quote: { kind: 'quote', id: ID },
  openQuotes: { kind: 'openQuotes', ...profile },
  reservation: { kind: 'reservation', id: ID },
  points: { kind: 'points', ...profile, points: 5 },
  openReservations: { kind: 'openReservations', memberId: ID, programId: 'club' },
  adjustment: { kind: 'adjustment', id: ID },
  exchangeSettlement: { kind: 'exchangeSettlement', settlementReference: 's1' },
  disputes: { kind: 'disputes', reservationId: ID },
  transaction: { kind: 'transaction', transactionId: ID },
  claim: { kind: 'claim', transactionId: ID },
  spending: { kind: 'spending', memberId: ID, programId: 'club', points: 5 },
  duePending: { kind: 'duePending', memberId: ID, programId: 'club' },
  pending: { kind: 'pending', memberId: ID, programId: 'club' },
  owing: { kind: 'owing', memberId: ID, programId: 'club' },
  keptLot: { kind: 'keptLot', memberId: ID, programId: 'club', lotId: ID },
  lotsFrom: { kind: 'lotsFrom', memberId: ID, programId: 'club', originMemberId: ID },
  expiringLot: { kind: 'expiringLot', memberId: ID, programId: 'club', lotId: ID },
  rewardStock: { kind: 'rewardStock', programId: 'club', rewardId: 'r1' },
  sharedCounter: { kind: 'sharedCounter', programId: 'club', counterId: 'c1' },
  couponCodeHash: { kind: 'couponCodeHash', programId: 'club', codeHash: ID },
  customEvent: { kind: 'customEvent', sourceReference: 's1' },
  choiceClaim: { kind: 'choiceClaim', sourceReference: 's1' },
  challengeProgress: { kind: 'challengeProgress', externalCustomerId: 'c1' },
  choiceGrants: { kind: 'choiceGrants', externalCustomerId: 'c1' },
  webhookEndpoint: { kind: 'webhookEndpoint', id: ID },
  webhookEndpoints: { kind: 'webhookEndpoints' },
  unfinishedReplays: { kind: 'unfinishedReplays', endpointId: ID },
  webhookDelivery: { kind: 'webhookDelivery', id: ID },
};
const STATEMENTS: Statement[] = [
  enterEnvironment(E),
  loadEnvironment(E),
  ...LOOK_UPS.map(({ lookUp }) => {
    const kinds = Object.keys(lookUp.keyProperties) as AnyLookUpKey['kind'][];
    return lookUp.statement(
      E,
      kinds.map((kind) => WANTED[kind]),
    );
  }),
  TABLES.events.insertWith(E, [
    { id: ID, type: 'choice.granted', programId: 'club', memberId: ID, data: {}, at: new Date() },
  ]),
  ...TABLES.transactions.update(E, [{ id: ID, state: 'reversed', reversedBy: ID } as TransactionRecord]),
  ...TABLE_LIST.flatMap(([, table]) => updatesInPlace(table)),
];

/** The updates of a table in place, one for each set of columns. */
function updatesInPlace({ columns, updatedColumns, updateInPlace }: Table): Statement[] {
  if (!updateInPlace) return [];
  const row: object = Object.fromEntries(columns.map(({ property }) => [property, null]));
  const changes = [
    Object.fromEntries(updatedColumns.map(({ property }) => [property, 'before'])),
    ...updatedColumns.map(({ property }) => ({ [property]: 'before' })),
  ];
  const statements = changes.map((changed) =>
    updateInPlace(E, [{ row, storedRow: { row: { ...row, ...changed }, ctid: '(0,1)' } }]),
  );
  return [...new Map(statements.map((statement) => [statement.name, statement])).values()];
}

let checks: Statement[];
let major: number;

const { database } = useDatabase();
const pool = fixture(
  'the pool',
  () => createLanePool({ url: database.adminUrl, size: 1, statementTimeoutMs: 60_000 }),
  (opened) => opened.end(),
);
const client = useConnection(() => pool);

beforeAll(async () => {
  ({ major } = await readRelease(client));
  checks = await foreignKeyChecks();
});

describe.each<[string, string]>([
  ['one environment', `'${E}'::uuid`],
  ['many environments', `md5('e' || i % 400)::uuid`],
])('%s', (_what, environment) => {
  // The rows are in an open transaction, so that no other session can gather statistics about them.
  beforeAll(() => client.query('begin'));
  afterAll(() => client.query('rollback'));

  test('every look-up goes by more than the environment, however much is there', async () => {
    await addEnvironments(environment);
    let rows = 0;
    for (const size of [0, 40, 400, 1_600, 6_000]) {
      await addRows(environment, rows, size);
      rows = size;
      for (const statement of [...STATEMENTS, ...checks]) await expectByKey(statement, size);
    }
  });

  test('the same with statistics', async () => {
    await client.query('analyze');
    for (const statement of [...STATEMENTS, ...checks]) await expectByKey(statement, 'statistics');
  });
});

test('counters of periods that are over are not read', async () => {
  await client.query('begin');
  await addEnvironments(`'${E}'::uuid`);
  await addRows(`'${E}'::uuid`, 0, 1);
  await client.query(
    `insert into limit_counters
      select '${E}', 'club', md5('m1')::uuid, 'member_limit.day', date_trunc('day', clock_timestamp(), 'UTC') - i * interval '1 day', 1
      from generate_series(0, 1500) i`,
  );
  const plan = await planOf(
    TABLES.limitCounters.lookUp('load_limit_counters').statement(E, [WANTED.limitCounters]),
    'analyze, timing off, ',
  );
  const [scan] = scansOf(plan).filter((node) => node['Index Name'] === 'limit_counters_pkey');
  // Only the counters of days on which a day, week, month or year that contains the instant begins.
  expect((scan as PlanNode & { 'Actual Rows': number })['Actual Rows']).toBeLessThan(6);
  // Up to version 16, Postgres reads other periods and filters them out. One member has few of them.
  if (major >= 17) expect(scan).not.toHaveProperty('Filter');
  await client.query('rollback');
});

/** Indexes of one column that finds at most one row. */
const ONE_COLUMN: ReadonlySet<unknown> = new Set([
  'environments_pkey',
  'ledger_rollups_pkey',
  'tenants_pkey',
  'widget_deployments_by_id',
]);

async function expectByKey(statement: Statement, at: number | string): Promise<void> {
  for (const node of scansOf(await planOf(statement))) {
    const { 'Relation Name': relation, 'Index Name': index, 'Index Cond': condition = '' } = node;
    const found = { statement: statement.name, at, type: node['Node Type'], relation, index, condition };
    // A tenant has a few people: any index will do.
    if (ONE_COLUMN.has(index) || relation === 'people') continue;
    expect(found).toEqual({
      ...found,
      index: expect.any(String),
      condition: expect.stringContaining(' AND '),
    });
  }
}

/** The scans of tables and indexes in a plan. Scans of functions and subqueries read no table. */
function scansOf(node: PlanNode): PlanNode[] {
  const below = (node.Plans ?? []).flatMap(scansOf);
  // A bitmap heap scan reads the rows that the index scan below it found. A scan by a single ctid reads a row that
  // another scan found.
  const scans = /^(Seq|Index|Index Only|Bitmap Index|Tid Range) Scan$/.test(node['Node Type']);
  return scans ? [node, ...below] : below;
}

/** The generic plan of a statement, which a session uses for any values. */
async function planOf({ text, values }: Statement, options = ''): Promise<PlanNode> {
  const literals = values.map((value) => client.escapeLiteral(String(value)));
  await client.query(`prepare looked_at as ${text}`);
  const call = literals.length > 0 ? `looked_at(${literals.join()})` : 'looked_at';
  const { rows } = await client.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
    `explain (${options}format json) execute ${call}`,
  );
  await client.query('deallocate looked_at');
  return rows[0]?.['QUERY PLAN'][0]?.Plan as PlanNode;
}

/** The queries by which Postgres checks the foreign keys of each new row (ri_triggers.c). */
async function foreignKeyChecks(): Promise<Statement[]> {
  const { rows } = await client.query<{ referenced: string; columns: string[]; types: string[] }>(
    `select distinct confrelid::regclass::text as referenced,
        (select array_agg(a.attname::text order by k.position)
          from unnest(confkey) with ordinality as k(number, position)
          join pg_attribute a on a.attrelid = confrelid and a.attnum = k.number) as columns,
        (select array_agg(format_type(a.atttypid, -1) order by k.position)
          from unnest(confkey) with ordinality as k(number, position)
          join pg_attribute a on a.attrelid = confrelid and a.attnum = k.number) as types
      from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`,
  );
  const example: Record<string, unknown> = { uuid: ID, integer: 1, text: 'x' };
  return rows.map(({ referenced, columns, types }) => ({
    name: `foreign key to ${referenced}`,
    text: `select 1 from only ${referenced} x
      where ${columns.map((column, index) => `${column} = $${index + 1}::${types[index]}`).join(' and ')}
      for key share of x`,
    values: types.map((type) => example[type]),
  }));
}

async function addEnvironments(environment: string): Promise<void> {
  await client.query(`insert into tenants values ('${E}', 'tenant')`);
  await client.query(
    `insert into environments (id, tenant_id, kind, name)
      select distinct ${environment}, '${E}'::uuid, 'sandbox', 'shop' from generate_series(1, 400) i`,
  );
  await client.query(`insert into programs select id, 'club' from environments`);
}

/** One row a table for each number from `after` + 1 to `to`. */
async function addRows(environment: string, after: number, to: number): Promise<void> {
  const e = environment;
  const now = 'clock_timestamp()';
  const id = (prefix: string): string => `md5('${prefix}' || i)::uuid`;
  const member = `'club', ${id('m')}`;
  const rows: [string, string][] = [
    ['members', `${e}, ${id('m')}, 'c' || i, null, 'active', 'verified', 'granted', 'v', ${now}, ${now}`],
    [
      'program_profiles (environment_id, program_id, member_id, enrolled, ' +
        'tier, enrolled_at, next_due_at, referral_code)',
      `${e}, ${member}, true, 'bronze', ${now}, ${now}, 'R' || i`,
    ],
    [
      'transactions',
      `${e}, ${id('t')}, ${member}, 'purchase.completed', 'o' || i, 'committed', 1, ${now}, ${now}, null, null, '{}'`,
    ],
    ['lots', `${e}, ${id('m')}, 'club', ${id('l')}, ${id('t')}, 3, 1, 1, 1, ${now}, ${now}, ${now}`],
    [
      'postings',
      `${e}, ${id('t')}, 1, ${member}, 'program.issuance', 'member.pending', 1, ${id('l')}, ${now}`,
    ],
    ['orders', `${e}, 'o' || i, ${member}, ${id('t')}, 'active', 1, 'USD', 1`],
    ['returns', `${e}, 'r' || i, 'o' || i, ${id('t')}, 1, 1, 0, ${now}`],
    ['limit_counters', `${e}, ${member}, 'limit', 'epoch', 1`],
    ['idempotency_keys', `${e}, 'purchaseEarn', 'k' || i, sha256('x'), null, ${id('t')}, ${now}`],
    ['redemption_quotes', `${e}, ${id('q')}, ${member}, 'mug', 's', 'quoted', 1, '{}', ${now}, ${now}`],
    [
      `redemption_reservations (environment_id, id, quote_id, program_id, member_id, reward_id, source_reference, state,
        points, terms, reserve_transaction_id, transaction_id, reserved_at, expires_at, changed_at)`,
      `${e}, ${id('v')}, ${id('q')}, ${member}, 'mug', 's', 'reserved', 1, '{}', ${id('t')}, ${id('t')},
        ${now}, ${now}, ${now}`,
    ],
    ['redemption_disputes', `${e}, ${id('d')}, ${id('v')}, 'open', 'why', null, null, ${now}, null`],
    ['reward_stocks', `${e}, 'club', 'r' || i, 1`],
    ['shared_counters', `${e}, 'club', 'c' || i, 1`],
    [
      'adjustments',
      `${e}, ${id('a')}, ${member}, 'credit', 1, 'why', '{}', 'requested', 'who', ${now}, ${now}`,
    ],
    ['exchange_settlements', `${e}, 's' || i, ${member}, 'airline', 'in', 1, ${id('t')}, null, null, ${now}`],
    ['custom_events', `${e}, ${id('x')}, 's' || i, 'review', ${id('m')}, null, ${now}, ${now}, '{}'`],
    ['challenge_progress', `${e}, ${member}, 'reviews', 'epoch', 1, 0`],
    ['choice_grants', `${e}, ${id('g')}, ${member}, 'gifts', 'tier:gold', 1, 1, 'open', ${now}, ${now}`],
    ['choice_claims', `${e}, ${id('h')}, 's' || i, ${id('g')}, ${member}, 'gifts', 'mug', ${now}, '{}'`],
  ];
  for (const [table, values] of rows) {
    await client.query(`insert into ${table} select ${values} from generate_series(${after + 1}, ${to}) i`);
  }
}
