import { beforeAll, describe, expect, test } from '@jest/globals';
import { TABLE_LIST } from '../../../src/ledger/tables/all-tables.ts';
import { useDatabase } from '../../support/use-database.ts';

/**
 * What the server writes beside the tables of the ledger: sweeps, closed days, uses of keys, deliveries of webhooks.
 */
const BESIDE_THE_LEDGER: Readonly<Record<string, { inserts: boolean; updates: readonly string[] }>> = {
  api_keys: { inserts: false, updates: ['last_used_at'] },
  environments: { inserts: false, updates: ['clock_ahead_ms', 'clock_stands_at'] },
  ledger_days: { inserts: true, updates: [] },
  ledger_rollups: { inserts: true, updates: ['closed_through', 'at'] },
  member_days: { inserts: true, updates: [] },
  retention_positions: { inserts: true, updates: ['last_quote_id'] },
  audit_seals: { inserts: true, updates: [] },
  audit_heads: {
    inserts: true,
    updates: ['position', 'hash', 'settled_until', 'pending_until', 'pending_transaction'],
  },
  event_positions: { inserts: true, updates: ['last_position', 'emptied_position', 'cleared_position'] },
  feed_epochs: { inserts: true, updates: ['system_identifier', 'timeline'] },
  receipt_templates: { inserts: true, updates: [] },
  person_sessions: { inserts: false, updates: ['last_used_at'] },
  webhook_attempts: { inserts: true, updates: [] },
  webhook_leases: { inserts: true, updates: ['owner', 'owned_until'] },
};

/** Columns that something else than commands updates in a table of the ledger. */
const SET_LATER: Readonly<Record<string, readonly string[]>> = {
  events: ['position', 'data'],
  operations: [
    ...[
      'status',
      'progress_done',
      'progress_total',
      'result',
      'error',
      'started_at',
      'finished_at',
      'lease_until',
    ],
  ],
  webhook_endpoints: ['epoch', 'verified_at'],
  webhook_deliveries: ['attempt_count', 'delivered_at', 'last_response_status', 'last_error'],
};

/** UUID columns that no foreign key binds to their environment, with what does so instead. */
const WITHOUT_FOREIGN_KEY: Readonly<Record<string, string>> = {
  'audit_seals.event_id': 'an event that was removed leaves its seal, so that verify audit finds it missing',
  'campaign_awards.member_id':
    'verify ledger (campaign-awards-equal-purchases) compares it with the transaction',
  'coupon_codes.code_hash': 'a hash, which refers to nothing',
  'people.tenant_id': 'a person is of a tenant, above environments; a foreign key binds the two',
  'person_roles.in_environment':
    "a table of a tenant cannot refer to a distributed one; giving a role checks that it is the tenant's",
  'person_roles.person_id': 'of a tenant, above environments; a foreign key binds the two',
  'person_roles.tenant_id': 'of a tenant, above environments; a foreign key binds the two',
  'person_sessions.person_id': 'of a tenant, above environments; a foreign key binds the two',
  'person_sessions.tenant_id': 'of a tenant, above environments; a foreign key binds the two',
  'sign_in_links.person_id': 'of a tenant, above environments; a foreign key binds the two',
  'sign_in_links.tenant_id': 'of a tenant, above environments; a foreign key binds the two',
  'tenant_audit_events.tenant_id': 'of a tenant, above environments; a foreign key binds the two',
  'environments.tenant_id': 'a tenant is above its environments; a foreign key binds the two',
  'events.member_id':
    'events are read with a join on the environment, and no row of the ledger follows from one',
  'lots.member_id':
    'postings name the lot with its member by a foreign key, and verify ledger (grants-of-lots, ' +
    'postings-of-transactions) compares them with the transaction',
  'orders.member_id': 'verify ledger (orders-equal-transactions) compares it with the transaction',
  'retention_positions.last_quote_id': 'a place in the order of ids: the quote may be removed',
  'webhook_deliveries.event_id':
    'the sequencer makes deliveries of the events of one environment; they are read with a join on the environment',
  'webhook_leases.owner': 'a process, which has no row',
  'lots.origin_lot_id': 'a lot of another member, whose id is not in the row; verify ledger compares the two',
  'member_days.member_id': 'verify ledger (closed-balances-equal-postings) compares it with the postings',
};

const { database } = useDatabase();

describe("the server's role may write what the service writes and nothing else", () => {
  interface Granted {
    table: string;
    inserts: boolean;
    updates: string[];
  }
  let granted: ReadonlyMap<string, Granted>;

  beforeAll(async () => {
    const { rows } = await database.adminPool.query<Granted>(
      `select c.relname as table, has_table_privilege('rewards_app', c.oid, 'insert') as inserts,
         array(select a.attname::text from pg_attribute a
           where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
             and has_column_privilege('rewards_app', c.oid, a.attnum, 'update')
           order by a.attname) as updates
       from pg_class c
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v')`,
    );
    granted = new Map(rows.map((row) => [row.table, row]));
  });

  test.each(TABLE_LIST)('%s: inserts, and updates of the columns that updates set', (_name, table) => {
    expect(granted.get(table.name)).toEqual({
      table: table.name,
      inserts: true,
      updates: [...table.updatedColumns.map(({ name }) => name), ...(SET_LATER[table.name] ?? [])].sort(),
    });
  });

  test('every other table: what it is listed with, and else nothing', () => {
    const ofLedger = new Set(TABLE_LIST.map(([, { name }]) => name));
    const others = [...granted.values()].filter(({ table }) => !ofLedger.has(table));
    const expected = others.map(({ table }) => {
      const { inserts, updates } = BESIDE_THE_LEDGER[table] ?? { inserts: false, updates: [] };
      return { table, inserts, updates: [...updates].sort() };
    });
    expect(others).toEqual(expected);
    expect(others.map(({ table }) => table)).toEqual(expect.arrayContaining(Object.keys(BESIDE_THE_LEDGER)));
  });
});

/** What management may read, and what it may write: nothing of the ledger. */
const OF_MANAGEMENT: Readonly<
  Record<string, { inserts?: true; updates?: readonly string[]; reads?: false }>
> = {
  tenants: {},
  environments: { updates: ['coupon_secret', 'locked', 'revision'] },
  coupon_codes: { inserts: true },
  api_keys: {
    inserts: true,
    updates: ['previous_secret_hash', 'previous_valid_until', 'revoked_at', 'secret_hash'],
  },
  token_issuers: { inserts: true, updates: ['removed_at'] },
  people: { inserts: true, updates: ['status'] },
  person_roles: { inserts: true, updates: ['taken_at', 'taken_by'] },
  person_sessions: { inserts: true, updates: ['ended_at'] },
  sign_in_links: { inserts: true, updates: ['used_at'] },
  tenant_audit_events: { inserts: true },
  programs: { inserts: true },
  program_versions: { inserts: true },
  widget_deployments: { inserts: true },
  widget_deployment_versions: { inserts: true },
  finance_approvals: { inserts: true },
  idempotency_keys: { inserts: true },
  audit_events: { inserts: true, reads: false },
  events: { inserts: true, reads: false },
};

test('management may do what it is listed with, and nothing else', async () => {
  const { rows } = await database.adminPool.query<{ table: string }>(
    `select * from (
       select c.relname as table, has_table_privilege('rewards_operator', c.oid, 'select') as reads,
         has_table_privilege('rewards_operator', c.oid, 'insert') as inserts,
         has_table_privilege('rewards_operator', c.oid, 'delete, truncate, references, trigger') as others,
         array(select a.attname::text from pg_attribute a
           where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
             and has_column_privilege('rewards_operator', c.oid, a.attnum, 'update')
           order by a.attname) as updates
       from pg_class c
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v')
     ) granted
     where reads or inserts or others or updates <> '{}'
     order by 1`,
  );
  const listed = Object.entries(OF_MANAGEMENT).sort(([one], [other]) => (one < other ? -1 : 1));
  expect(rows).toEqual(
    listed.map(([table, { inserts = false, updates = [], reads = true }]) => ({
      ...{ table, reads, inserts, others: false, updates },
    })),
  );
});

test('the roles of the server and of management are no members of each other', async () => {
  const { rows } = await database.adminPool.query(
    `select roleid::regrole::text, member::regrole::text from pg_auth_members
     where roleid = 'rewards_operator'::regrole and member in ('rewards_app'::regrole, to_regrole('rewards_server'))
       or roleid = 'rewards_app'::regrole and member in ('rewards_operator'::regrole, to_regrole('rewards_management'))`,
  );
  expect(rows).toEqual([]);
});

test('every id of another row has a foreign key with the environment, or stands in the list with a reason', async () => {
  const { rows } = await database.adminPool.query<{ column: string }>(
    `select c.relname || '.' || a.attname as column
     from pg_attribute a
     join pg_class c on c.oid = a.attrelid and c.relkind in ('r', 'p')
     where c.relnamespace = 'public'::regnamespace and a.attnum > 0 and not a.attisdropped
       and a.atttypid = 'uuid'::regtype and a.attname not in ('environment_id', 'id')
       and not exists (
         select from pg_constraint f
         join pg_attribute e on e.attrelid = c.oid and e.attname = 'environment_id'
         where f.conrelid = c.oid and f.contype = 'f' and f.convalidated
           and a.attnum = any (f.conkey) and e.attnum = any (f.conkey))
     order by 1`,
  );
  expect(rows.map(({ column }) => column)).toEqual(Object.keys(WITHOUT_FOREIGN_KEY).sort());
});
