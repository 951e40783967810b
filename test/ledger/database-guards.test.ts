import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Pool } from 'pg';
import { createPool } from '../../src/db/pool.ts';
import { codeOf } from '../support/commands/desk.ts';
import { Counter, type Shop } from '../support/ledger/counter.ts';

let counter: Counter;
let shop: Shop;
let server: Pool;

beforeAll(async () => {
  counter = await Counter.open();
  shop = await counter.environment();
  server = createPool({ url: counter.database.serverUrl, size: 1 });
  const writer = counter.writer();
  await shop.addMembers(writer, ['ann', 'bob']);
  expect(codeOf(await writer.submit(shop.earn('ann')))).toBe('done');
});

afterAll(async () => {
  await server.end();
  await counter.close();
});

/** The SQLSTATE that a statement fails with, or null. Its changes are rolled back. */
async function failure(pool: Pool, sql: string): Promise<string | null> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query(sql);
    return null;
  } catch (error) {
    return (error as { code: string }).code;
  } finally {
    await client.query('rollback');
    client.release();
  }
}

const INSUFFICIENT_PRIVILEGE = '42501';
const CHECK_VIOLATION = '23514';
const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';

describe("the server's role", () => {
  test.each([
    'update postings set amount = amount + 1',
    'delete from postings',
    "update audit_events set action = 'x'",
    'delete from audit_events',
    "update consent_records set status = 'withdrawn'",
    'delete from consent_records',
    'update lot_expiry_changes set expires_at = now()',
    'delete from lot_expiry_changes',
    'update transactions set points = 0',
    "update transactions set receipt = '{}'",
    'delete from transactions',
    "update idempotency_keys set key = 'x'",
    'delete from idempotency_keys',
    "update program_versions set document = '{}'",
    'delete from program_versions',
    "insert into program_versions select environment_id, program_id, 99, document, document_hash, now(), now(), 'x' from program_versions",
    "insert into programs select id, 'x' from environments",
    'update environments set locked = true',
    "update api_keys set scopes = '{}'",
    'delete from members',
    'delete from program_profiles',
    'alter table postings add column x integer',
    'alter table program_profiles drop constraint points_only_while_enrolled',
    'create table mine (id integer)',
    'drop table postings',
    'set session_replication_role = replica',
  ])('cannot %s', async (sql) => {
    expect(await failure(server, sql)).toBe(INSUFFICIENT_PRIVILEGE);
  });

  test('can neither delete from nor truncate any table', async () => {
    const { rows } = await server.query<{ table: string; forbidden: boolean }>(
      `select c.relname as table, has_table_privilege(c.oid, 'delete, truncate, references, trigger') as forbidden
       from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v')`,
    );
    expect(rows.length).toBeGreaterThan(15);
    expect(rows.filter((row) => row.forbidden)).toEqual([]);
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
});

describe('whoever writes, the database refuses', () => {
  const ofAnn = "member_id = (select id from members where external_customer_id = 'ann')";
  const ofBob = "member_id = (select id from members where external_customer_id = 'bob')";
  const left = 'enrolled = false, unenrolled_at = now()';
  test.each([
    [
      'to unenroll a profile with points',
      CHECK_VIOLATION,
      `update program_profiles set ${left} where ${ofAnn}`,
    ],
    ...['available', 'pending', 'reserved'].map((balance) => [
      `${balance} points on a profile that was left`,
      CHECK_VIOLATION,
      `update program_profiles set ${left}, ${balance} = 1 where ${ofBob}`,
    ]),
    ...['available', 'pending', 'reserved'].flatMap((balance) => [
      [`a negative ${balance} balance`, CHECK_VIOLATION, `update program_profiles set ${balance} = -1`],
      [
        `more than 2^53-1 ${balance} points`,
        CHECK_VIOLATION,
        `update program_profiles set ${balance} = 9007199254740992`,
      ],
    ]),
    ['a lot that holds more than it was granted', CHECK_VIOLATION, 'update lots set available = granted + 1'],
    ['a negative lot', CHECK_VIOLATION, 'update lots set available = -1'],
    [
      'a lot that has lent what it still has',
      CHECK_VIOLATION,
      'update lots set lent = granted - available + 1',
    ],
    ['a lot that owes more than it was granted', CHECK_VIOLATION, 'update lots set lent = -granted - 1'],
    [
      'a posting of nothing',
      CHECK_VIOLATION,
      'insert into postings select environment_id, transaction_id, 2, program_id, member_id, debit_account, credit_account, 0, lot_id, now() from postings',
    ],
    [
      'a posting from an account to itself',
      CHECK_VIOLATION,
      'insert into postings select environment_id, transaction_id, 2, program_id, member_id, debit_account, debit_account, 1, lot_id, now() from postings',
    ],
    [
      'a posting to an unknown account',
      CHECK_VIOLATION,
      "insert into postings select environment_id, transaction_id, 2, program_id, member_id, debit_account, 'member.gift', 1, lot_id, now() from postings",
    ],
    [
      "a posting on another member's lot",
      FOREIGN_KEY_VIOLATION,
      `insert into postings select environment_id, transaction_id, 2, program_id, (select id from members where external_customer_id = 'bob'), debit_account, credit_account, 1, lot_id, now() from postings`,
    ],
    ['more returned than was bought', CHECK_VIOLATION, 'update orders set returned_minor = amount_minor + 1'],
    ['more clawed back than was given', CHECK_VIOLATION, 'update orders set clawed_back = points + 1'],
    ['an order reference twice', UNIQUE_VIOLATION, 'insert into orders select * from orders'],
    [
      'an idempotency key twice',
      UNIQUE_VIOLATION,
      'insert into idempotency_keys select * from idempotency_keys',
    ],
    [
      'a key with two receipts',
      CHECK_VIOLATION,
      `insert into idempotency_keys select environment_id, operation, key || 'x', fingerprint, '{}', transaction_id, now() from idempotency_keys where transaction_id is not null`,
    ],
    [
      'two members with one customer id',
      UNIQUE_VIOLATION,
      'insert into members select environment_id, gen_random_uuid(), external_customer_id, null, status, identity_status, consent_status, notice_version, now(), now() from members',
    ],
  ] as [string, string, string][])('%s', async (_what, code, sql) => {
    expect(await failure(counter.database.adminPool, sql)).toBe(code);
  });

  test('a reference into another environment', async () => {
    const other = await counter.environment();
    const sql = `insert into program_profiles (environment_id, program_id, member_id, enrolled, tier, enrolled_at)
      select '${other.id}', 'coffee-club', id, true, 'bronze', now() from members`;
    expect(await failure(counter.database.adminPool, sql)).toBe(FOREIGN_KEY_VIOLATION);
  });
});
