import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Pool, PoolClient } from 'pg';
import { projectFile } from '../../codegen/contract.ts';
import { migrate } from '../../src/db/migrate.ts';
import { createPool } from '../../src/db/pool.ts';
import { verifyLedger } from '../../src/ledger/controls/verify.ts';
import { codeOf } from '../support/commands/desk.ts';
import { Counter, type Shop } from '../support/ledger/counter.ts';
import { nested } from '../support/ledger/nested.ts';

let counter: Counter;
let other: Shop;
let server: Pool;

const INSUFFICIENT_PRIVILEGE = '42501';
const CHECK_VIOLATION = '23514';
const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';

/** What is tried, the SQLSTATE of the refusal, and the statement. */
type Attempt = readonly [what: string, code: string, sql: string];

const member = (id: string): string => `(select id from members where external_customer_id = '${id}')`;
const of = (id: string): string => `member_id = ${member(id)}`;
const purchaseOf = (id: string): string => `(select id from transactions where ${of(id)})`;
const BALANCES = ['available', 'pending', 'reserved'] as const;

/** Ann and Bob have a purchase each, Cat has left, Dan never enrolled, and Eve belongs to another environment. */
beforeAll(async () => {
  counter = await Counter.open();
  const shop = await counter.environment();
  other = await counter.environment();
  // As a server does at its start. A new database has the privileges of every new database.
  await migrate(counter.database.adminUrl);
  server = createPool({ url: counter.database.serverUrl, size: 1 });
  const writer = counter.writer();
  await shop.addMembers(writer, ['ann', 'bob', 'cat']);
  await other.addMembers(writer, ['eve']);
  const commands = [
    shop.earn('ann'),
    shop.earn('bob'),
    shop.unenroll('cat'),
    shop.createMember('dan'),
    other.earn('eve'),
  ];
  for (const command of commands) expect(codeOf(await writer.submit(command))).toBe('done');
  await counter.database.adminPool.query(
    `insert into adjustments (environment_id, id, program_id, member_id, direction, points, reason, evidence, state,
       requested_by, requested_at, expires_at)
     select environment_id, gen_random_uuid(), program_id, member_id, 'credit', 5, 'goodwill', '{}', 'requested',
       'clerk', now(), now() + interval '1 day'
     from program_profiles where ${of('ann')};
     insert into redemption_quotes
     select environment_id, gen_random_uuid(), program_id, member_id, 'mug', 'cart-1', 'reserved', 5, '{}', now(), now()
     from program_profiles where ${of('ann')};
     insert into redemption_reservations (environment_id, id, quote_id, program_id, member_id, reward_id,
       source_reference, state, points, terms, reserve_transaction_id, transaction_id, reserved_at, expires_at,
       changed_at)
     select q.environment_id, gen_random_uuid(), q.id, q.program_id, q.member_id, 'mug', 'cart-1', 'reserved', 5, '{}',
       t.id, t.id, now(), now(), now()
     from redemption_quotes q join transactions t using (environment_id, member_id)`,
  );
});

afterAll(async () => {
  await server.end();
  await counter.close();
});

/** Runs work in a transaction that is rolled back. */
async function rolledBack<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    return await work(client);
  } finally {
    await client.query('rollback');
    client.release();
  }
}

/** The SQLSTATE that a statement fails with, or null. Its changes are rolled back. */
function failure(pool: Pool, sql: string): Promise<string | null> {
  return rolledBack(pool, (client) =>
    client.query(sql).then(
      () => null,
      (error: { code: string }) => error.code,
    ),
  );
}

/** The first cells of the first table of a section of src/ledger/README.md. */
function claimed(section: string): string[] {
  const page = readFileSync(projectFile('src/ledger/README.md'), 'utf8');
  const table =
    page
      .split(`## ${section}\n`)[1]
      ?.split('\n## ')[0]
      ?.match(/(?:^\|.*\n)+/m)?.[0] ?? '';
  const [, , ...rows] = table.trim().split('\n');
  return rows.map((row) => row.split('|')[1]?.trim() ?? '');
}

/** By the guard as src/ledger/README.md words it. Whichever login writes, the database refuses. */
const GUARDS: Readonly<Record<string, readonly Attempt[]>> = {
  'no points on a profile that is not enrolled, whatever commands run at the same time': [
    [
      'to unenroll a profile with points',
      CHECK_VIOLATION,
      `update program_profiles set enrolled = false, unenrolled_at = now() where ${of('ann')}`,
    ],
    ...BALANCES.map(
      (balance): Attempt => [
        `${balance} points on a profile that was left`,
        CHECK_VIOLATION,
        `update program_profiles set ${balance} = 1 where ${of('cat')}`,
      ],
    ),
  ],
  'no negative balance, none beyond 2^53-1': BALANCES.flatMap((balance): Attempt[] => [
    [`a negative ${balance} balance`, CHECK_VIOLATION, `update program_profiles set ${balance} = -1`],
    [`2^53 ${balance} points`, CHECK_VIOLATION, `update program_profiles set ${balance} = 9007199254740992`],
    [`a negative ${balance} amount of a lot`, CHECK_VIOLATION, `update lots set ${balance} = -1`],
  ]),
  'a lot contains no more points than were granted, and no more are claimed from it or lent; an order gives back no more than it had':
    [
      ...BALANCES.map(
        (balance): Attempt => [
          `a lot with more ${balance} points than it was granted`,
          CHECK_VIOLATION,
          `update lots set ${balance} = granted + 1`,
        ],
      ),
      [
        'a claim on more than was granted',
        CHECK_VIOLATION,
        'update lots set available = 0, claimed = granted + 1',
      ],
      ['a negative claim', CHECK_VIOLATION, 'update lots set claimed = -1'],
      [
        'a lot that has lent what it still has',
        CHECK_VIOLATION,
        'update lots set lent = granted - available + 1',
      ],
      ['a lot that owes more than it was granted', CHECK_VIOLATION, 'update lots set lent = -granted - 1'],
      [
        'more returned than was bought',
        CHECK_VIOLATION,
        'update orders set returned_minor = amount_minor + 1',
      ],
      ['more clawed back than was given', CHECK_VIOLATION, 'update orders set clawed_back = points + 1'],
    ],
  'a quote is reserved once': [
    [
      'a second reservation of a quote',
      UNIQUE_VIOLATION,
      `insert into redemption_reservations (environment_id, id, quote_id, program_id, member_id, reward_id,
         source_reference, state, points, terms, reserve_transaction_id, transaction_id, reserved_at, expires_at,
         changed_at)
       select environment_id, gen_random_uuid(), quote_id, program_id, member_id, reward_id, 'cart-2', state, points,
         terms, reserve_transaction_id, transaction_id, reserved_at, expires_at, changed_at
       from redemption_reservations`,
    ],
  ],
  'the principal who requests an adjustment does not approve or reverse it': [
    [
      'an approval of an own request',
      CHECK_VIOLATION,
      `update adjustments
       set state = 'posted', decided_by = requested_by, transaction_id = ${purchaseOf('ann')}`,
    ],
    [
      'a reversal of an own request',
      CHECK_VIOLATION,
      `update adjustments set state = 'reversed', decided_by = 'manager', transaction_id = ${purchaseOf('ann')},
         reversed_by = requested_by, reversal_transaction_id = ${purchaseOf('ann')}`,
    ],
  ],
  'a posting moves something between two different known accounts, on a lot of its own member and program': [
    ['a posting of nothing', CHECK_VIOLATION, posting('debit_account, credit_account, 0')],
    ['a posting of less than nothing', CHECK_VIOLATION, posting('debit_account, credit_account, -1')],
    [
      'a posting from an account to itself',
      CHECK_VIOLATION,
      posting("'member.available', 'member.available', 1"),
    ],
    ['a posting to an unknown account', CHECK_VIOLATION, posting("debit_account, 'member.gift', 1")],
    ['a posting from an unknown account', CHECK_VIOLATION, posting("'member.gift', credit_account, 1")],
    [
      "a posting on another member's lot",
      FOREIGN_KEY_VIOLATION,
      posting('debit_account, credit_account, 1', member('bob')),
    ],
  ],
  'one effect for each idempotency key, one order for each reference, one member for each customer id': [
    [
      'an idempotency key twice',
      UNIQUE_VIOLATION,
      'insert into idempotency_keys select * from idempotency_keys',
    ],
    [
      'a key with two receipts',
      CHECK_VIOLATION,
      `insert into idempotency_keys select environment_id, operation, key || 'x', fingerprint, '{}', transaction_id,
         now() from idempotency_keys where transaction_id is not null`,
    ],
    ['an order reference twice', UNIQUE_VIOLATION, 'insert into orders select * from orders'],
    [
      'two members with one customer id',
      UNIQUE_VIOLATION,
      `insert into members select environment_id, gen_random_uuid(), external_customer_id, null, status,
         identity_status, consent_status, notice_version, now(), now() from members`,
    ],
  ],
  'no reference from one environment to another': [
    [
      "a profile of another environment's member",
      FOREIGN_KEY_VIOLATION,
      `insert into program_profiles (environment_id, program_id, member_id, enrolled, tier, enrolled_at)
       select environment_id, program_id, ${member('eve')}, true, 'bronze', now()
       from program_profiles where ${of('ann')}`,
    ],
    [
      "a member referred by another environment's",
      FOREIGN_KEY_VIOLATION,
      `update program_profiles set referred_by = ${member('eve')} where ${of('ann')}`,
    ],
    [
      'a member referred by one without a profile',
      FOREIGN_KEY_VIOLATION,
      `update program_profiles set referred_by = ${member('dan')} where ${of('ann')}`,
    ],
    [
      "a transaction reversed by another environment's",
      FOREIGN_KEY_VIOLATION,
      `update transactions set reversed_by = ${purchaseOf('eve')} where ${of('ann')}`,
    ],
    [
      "a transaction that reverses another environment's",
      FOREIGN_KEY_VIOLATION,
      `update transactions set reversal_of = ${purchaseOf('eve')} where ${of('ann')}`,
    ],
    [
      "a lot of another environment's transaction",
      FOREIGN_KEY_VIOLATION,
      `update lots set transaction_id = ${purchaseOf('eve')} where ${of('ann')}`,
    ],
  ],
  'no quote that was reserved is ever deleted': [
    ['a quote without its reservation', FOREIGN_KEY_VIOLATION, 'delete from redemption_quotes'],
  ],
};

/** A second posting of Ann's purchase. @param values the accounts and the amount @param memberId SQL */
function posting(values: string, memberId = 'member_id'): string {
  return `insert into postings select environment_id, transaction_id, 2, program_id, ${memberId}, ${values}, lot_id, now()
    from postings where ${of('ann')}`;
}

/** By the guard as src/ledger/README.md words it. Attempts of the server's own login. */
const PRIVILEGES: Readonly<Record<string, readonly string[]>> = {
  'postings, audit events, consent records and moved expiries never change': [
    'update postings set amount = amount + 1',
    "update audit_events set action = 'x'",
    "update consent_records set status = 'withdrawn'",
    'update lot_expiry_changes set expires_at = now()',
  ],
  'other rows keep what only their insert writes: who asked for an adjustment, what a lot, an order, a quote or a reservation was made for, a receipt, a key':
    [
      "update adjustments set requested_by = 'somebody else'",
      'update adjustments set points = 1000000',
      `update adjustments set member_id = ${member('bob')}`,
      'update lots set granted = granted + 1',
      `update lots set member_id = ${member('bob')}`,
      `update lots set transaction_id = ${purchaseOf('bob')}`,
      'update orders set points = 0',
      'update orders set amount_minor = 1',
      `update orders set member_id = ${member('bob')}`,
      'update redemption_quotes set points = 1',
      "update redemption_quotes set terms = '{}'",
      'update redemption_reservations set points = 1',
      `update redemption_reservations set reserve_transaction_id = ${purchaseOf('bob')}`,
      'update choice_grants set choices = 9',
      'update transactions set points = 0',
      "update transactions set receipt = '{}'",
      `update transactions set member_id = ${member('bob')}`,
      "update idempotency_keys set key = 'x'",
      `update program_profiles set member_id = ${member('bob')}`,
      "update members set external_customer_id = 'somebody else'",
      "update members set identity_status = 'verified'",
      'update ledger_days set amount = 1',
      'update member_days set available = 1',
      'update webhook_endpoints set created_at = now()',
    ],
  'programs, environments, keys and approvals are written by administration alone': [
    "insert into programs select id, 'x' from environments",
    `insert into program_versions select environment_id, program_id, 99, document, document_hash, now(), now(), 'x'
     from program_versions`,
    "update program_versions set document = '{}'",
    'update environments set locked = true',
    "update api_keys set scopes = '{}'",
    `insert into api_keys (environment_id, id, principal, scopes, secret_hash)
     select id, gen_random_uuid(), 'me', '{}', sha256('x') from environments`,
    `insert into finance_approvals select environment_id, gen_random_uuid(), program_id, version, 'finance',
       sha256('x'), 'a', 'b', now() from program_versions`,
  ],
  'the server deletes nothing but quotes, truncates nothing, owns nothing and creates nothing': [
    'delete from redemption_reservations',
    'delete from events',
    'delete from postings',
    'delete from audit_events',
    'delete from consent_records',
    'delete from lot_expiry_changes',
    'delete from transactions',
    'delete from idempotency_keys',
    'delete from program_versions',
    'delete from members',
    'delete from program_profiles',
    'truncate postings',
    'alter table postings add column x integer',
    'alter table program_profiles drop constraint points_only_while_enrolled',
    'create table mine (id integer)',
    'create schema mine',
    'drop table postings',
    'set session_replication_role = replica',
    'create role helper',
  ],
  'the server cannot say that its books were verified': [
    `insert into ledger_verifications select id, '2026-01-01', 0, sha256('x'), now() from environments`,
    "update ledger_verifications set verified_through = '2026-01-01'",
    'delete from ledger_verifications',
  ],
  'no temporary table hides a real one': [
    'create temporary table postings (id integer)',
    'create temporary view postings as select 1',
    'select 1 as id into temporary postings',
  ],
};

test('every guard that the README names is tried here', () => {
  const named = claimed('Guards in the database');
  expect(named).toEqual([...Object.keys(GUARDS), ...Object.keys(PRIVILEGES)]);
  expect(Object.values({ ...GUARDS, ...PRIVILEGES }).every((attempts) => attempts.length > 0)).toBe(true);
});

describe.each(Object.entries(GUARDS))('%s', (_guard, attempts) => {
  test.each(attempts)('refused: %s', async (_what, code, sql) => {
    expect(await failure(counter.database.adminPool, sql)).toBe(code);
  });
});

describe.each(Object.entries(PRIVILEGES))("the server's role: %s", (_guard, attempts) => {
  test.each(attempts)('cannot %s', async (sql) => {
    expect(await failure(server, sql)).toBe(INSUFFICIENT_PRIVILEGE);
  });
});

describe("the server's role", () => {
  test('can truncate no table, and delete from none but quotes', async () => {
    const { rows } = await server.query<{ table: string; deletes: boolean; forbidden: boolean }>(
      `select c.relname as table, has_table_privilege(c.oid, 'delete') as deletes,
         has_table_privilege(c.oid, 'truncate, references, trigger') as forbidden
       from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v')`,
    );
    expect(rows.length).toBeGreaterThan(15);
    expect(rows.filter((row) => row.forbidden)).toEqual([]);
    expect(rows.filter((row) => row.deletes).map(({ table }) => table)).toEqual(['redemption_quotes']);
  });

  test('owns nothing and may do nothing beyond its grants', async () => {
    const { rows } = await server.query(
      `select (select count(*) from pg_class where pg_has_role(relowner, 'usage')) as owned,
        rolsuper, rolcreatedb, rolcreaterole, rolbypassrls, rolreplication
       from pg_roles where rolname = current_user`,
    );
    expect(rows).toEqual([
      {
        owned: 0,
        rolsuper: false,
        rolcreatedb: false,
        rolcreaterole: false,
        rolbypassrls: false,
        rolreplication: false,
      },
    ]);
  });

  test('is all that a login for serving has: without it, it has nothing more', async () => {
    expect(await failure(server, "set role none; update adjustments set requested_by = 'x'")).toBe(
      INSUFFICIENT_PRIVILEGE,
    );
  });

  test('can be put off by a login that has more', async () => {
    const pool = createPool({ url: counter.database.adminUrl, size: 1, role: 'rewards_app' });
    try {
      const sql = "update adjustments set requested_by = 'x'";
      expect(await failure(pool, sql)).toBe(INSUFFICIENT_PRIVILEGE);
      expect(await failure(pool, `set role none; ${sql}`)).toBeNull();
    } finally {
      await pool.end();
    }
  });
});

/** Adds a lot of five points to Cat's profile, which was left, with its transaction and posting. */
const LOT_OF_CAT = `
  with purchase as (
    insert into transactions
    select environment_id, gen_random_uuid(), program_id, member_id, 'points.activated', null, 'committed', 5, now(),
      now(), null, null, '{}'
    from program_profiles where ${of('cat')} returning *
  ), lot as (
    insert into lots (environment_id, member_id, program_id, id, transaction_id, granted, pending, available, reserved,
      created_at)
    select environment_id, member_id, program_id, gen_random_uuid(), id, 5, 0, 5, 0, now() from purchase returning *
  )
  insert into postings
  select environment_id, transaction_id, 1, program_id, member_id, 'program.issuance', 'member.available', 5, id, now()
  from lot`;

const postingOf = (id: string, line: number, debit: string, credit: string, inPurchaseOf = id): string =>
  `insert into postings
   select environment_id, ${purchaseOf(inPurchaseOf)}, ${line}, program_id, member_id, '${debit}', '${credit}', 1, id,
     now()
   from lots where ${of(id)}`;

/** By what src/ledger/README.md says that privileges and constraints do not refuse: the control that finds it. */
const FOUND: Readonly<Record<string, readonly [sql: string, ...controls: string[]]>> = {
  'a lot and its posting on a profile whose balances do not have them, such as one that is not enrolled': [
    LOT_OF_CAT,
    'balances-equal-postings',
    'lots-equal-balances',
  ],
  "a posting in another member's transaction": [
    postingOf('ann', 2, 'member.available', 'member.reserved', 'bob'),
    'postings-of-transactions',
  ],
  'one more posting in an old transaction, even where another one takes it back': [
    `${postingOf('ann', 2, 'member.available', 'member.reserved')};
     ${postingOf('ann', 3, 'member.reserved', 'member.available')}`,
    'points-of-transactions',
  ],
  'a posting that names no lot': [
    `insert into postings select environment_id, transaction_id, 2, program_id, member_id, debit_account,
       credit_account, 1, null, now() from postings where ${of('ann')}`,
    'lots-equal-postings',
  ],
  'a lot that nothing was posted to': [
    `insert into lots (environment_id, member_id, program_id, id, transaction_id, granted, pending, available, reserved,
       created_at)
     select environment_id, ${member('bob')}, program_id, gen_random_uuid(), transaction_id, 5, 0, 0, 0, now()
     from lots where ${of('ann')}`,
    'grants-of-lots',
  ],
  "an order of another member's purchase": [
    `insert into orders select environment_id, 'planted', program_id, ${member('bob')}, transaction_id, state,
       amount_minor, currency, points from orders where ${of('ann')}`,
    'orders-equal-transactions',
  ],
  'a transaction that names a reversal which is not its own': [
    `update transactions set state = 'reversed', reversed_by = ${purchaseOf('bob')} where ${of('ann')}`,
    'reversals-are-mutual',
  ],
};

describe('what constraints and privileges do not refuse, verify ledger finds', () => {
  test('the README names the same', () => {
    expect(claimed('What `verify ledger` finds instead')).toEqual(Object.keys(FOUND));
  });

  test.each(Object.entries(FOUND))('%s', async (_what, [sql, ...controls]) => {
    const failed = await rolledBack(server, async (client) => {
      const before = await verifyLedger(nested(client));
      await client.query(sql);
      const after = await verifyLedger(nested(client));
      return after.filter(
        ({ id, passed, differences }) =>
          !passed && differences > (before.find((control) => control.id === id)?.differences ?? 0),
      );
    });
    expect(failed.map(({ id }) => id)).toEqual(expect.arrayContaining(controls));
  });
});
