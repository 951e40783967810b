import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { newUuid, toTypeId } from '../../../src/ids.ts';
import { type Control, verifyLedger } from '../../../src/ledger/controls/verify.ts';
import type { LimitPeriod } from '../../../src/programs/document/document-values.ts';
import { limitPeriodStart } from '../../../src/rules/calendar/limit-period.ts';
import { nested } from '../../support/ledger/nested.ts';
import { useConnection, useDatabase } from '../../support/use-database.ts';

let environmentId: string;

const { database } = useDatabase();
const client = useConnection(() => database.adminPool);

// Each test in a transaction: to empty all tables takes longer than to verify what is in them.
beforeEach(async () => {
  await client.query('begin');
  environmentId = await addEnvironment();
});

afterEach(() => client.query('rollback'));

/** Verifies what the test has written, inside its transaction. */
function verify(environment?: string): Promise<Control[]> {
  return verifyLedger(nested(client), environment);
}

async function addEnvironment(): Promise<string> {
  const tenantId = newUuid();
  const id = newUuid();
  await client.query(`insert into tenants (id, name) values ($1, 'Tenant')`, [tenantId]);
  await client.query(
    `insert into environments (id, tenant_id, kind, name) values ($1, $2, 'sandbox', 'Sandbox')`,
    [id, tenantId],
  );
  await client.query(`insert into programs (environment_id, id) values ($1, 'coffee-club')`, [id]);
  await addVersion(1, id);
  return id;
}

const TIERS = [{ id: 'basic', threshold: 0, multiplier: { numerator: 1, denominator: 1 } }];

/** A version of the program. The controls read only the tiers and the period of the member limit from its document. */
async function addVersion(version: number, environment = environmentId, period?: LimitPeriod): Promise<void> {
  await client.query(
    `insert into program_versions values ($1, 'coffee-club', $2, $3, sha256('x'), 'epoch', now(), 'tests')`,
    [environment, version, { tiers: TIERS, ...(period && { memberLimit: { points: 1000, period } }) }],
  );
}

/** The receipt of a purchase of 42 points under a version of the program. */
function purchaseReceipt(memberId: string, customer: string, said: object = {}): object {
  return {
    id: 'txn_test',
    status: 'committed',
    member: { id: toTypeId('mem', memberId), externalCustomerId: customer, tier: 'basic' },
    award: { points: 42, basePoints: 42, campaignPoints: 0 },
    campaigns: [],
    evaluationMode: 'receipt_time_current_configuration',
    evaluationAt: new Date().toISOString(),
    configurationVersion: 1,
    loyaltyUnitPrecision: 0,
    ruleDecisions: [],
    ...said,
  };
}

/** What a purchase under a limit leaves behind: the version in its receipt, and a counter. */
async function limitPurchase(
  { memberId, transactionId }: Purchase,
  version: number,
  period: LimitPeriod,
  at: Date,
): Promise<void> {
  const said = { configurationVersion: version, evaluationAt: at.toISOString() };
  await client.query('update transactions set receipt = (receipt::jsonb || $1::jsonb)::json where id = $2', [
    said,
    transactionId,
  ]);
  await client.query(`insert into limit_counters values ($1, 'coffee-club', $2, $3, $4, 42)`, [
    environmentId,
    memberId,
    `member_limit.${period}`,
    limitPeriodStart(period, at),
  ]);
}

interface Purchase {
  memberId: string;
  transactionId: string;
  lotId: string;
}

/** A member with one purchase of 42 points, written as the service writes it. */
async function addPurchase(reference: string, environment = environmentId): Promise<Purchase> {
  const [memberId, transactionId, lotId] = [newUuid(), newUuid(), newUuid()];
  await client.query(
    `insert into members values ($1, $2, $3, null, 'active', 'unverified', 'granted', 'v1', now(), now())`,
    [environment, memberId, reference],
  );
  await client.query(
    `insert into program_profiles (environment_id, program_id, member_id, enrolled, tier, available, enrolled_at,
       purchase_count, purchase_amount_minor)
     values ($1, 'coffee-club', $2, true, 'basic', 42, now(), 1, 4200)`,
    [environment, memberId],
  );
  await client.query(
    `insert into transactions values ($1, $2, 'coffee-club', $3, 'purchase.completed', $4, 'committed', 42,
     now(), now(), null, null, $5)`,
    [environment, transactionId, memberId, reference, purchaseReceipt(memberId, reference)],
  );
  await client.query(
    `insert into lots values ($1, $2, 'coffee-club', $3, $4, 42, 0, 42, 0, null, null, now())`,
    [environment, memberId, lotId, transactionId],
  );
  await client.query(
    `insert into postings values ($1, $2, 1, 'coffee-club', $3, 'program.issuance', 'member.available', 42, $4,
     now())`,
    [environment, transactionId, memberId, lotId],
  );
  await client.query(
    `insert into orders values ($1, $2, 'coffee-club', $3, $4, 'active', 4200, 'USD', 42, 0, 0, null)`,
    [environment, reference, memberId, transactionId],
  );
  await client.query(
    `insert into idempotency_keys values ($1, 'purchaseEarn', $2, sha256('x'), null, $3, now())`,
    [environment, reference, transactionId],
  );
  return { memberId, transactionId, lotId };
}

/** A return of half of a purchase, written as the service writes it: 21 points were due, and the member had 20. */
async function addReturn({ memberId, transactionId, lotId }: Purchase, reference: string): Promise<void> {
  const id = newUuid();
  await client.query(
    `insert into transactions values ($1, $2, 'coffee-club', $3, 'order.returned', $4, 'committed', 20,
     now(), now(), null, null, '{"return":{"pointsClawedBack":20}}')`,
    [environmentId, id, memberId, reference],
  );
  await client.query(
    `insert into postings values ($1, $2, 1, 'coffee-club', $3, 'member.available', 'program.issuance', 20, $4,
     now())`,
    [environmentId, id, memberId, lotId],
  );
  await client.query(`update lots set available = available - 20, claimed = 1 where id = $1`, [lotId]);
  await client.query('update program_profiles set available = available - 20 where member_id = $1', [
    memberId,
  ]);
  await client.query(
    `update orders set state = 'partially_returned', returned_minor = 2100, clawed_back = 20
     where transaction_id = $1`,
    [transactionId],
  );
  await client.query(`update program_profiles set purchase_amount_minor = 2100 where member_id = $1`, [
    memberId,
  ]);
  await client.query(`insert into returns values ($1, $2, $3, $4, 2100, 20, 1, now())`, [
    environmentId,
    `return of ${reference}`,
    reference,
    id,
  ]);
  await client.query(
    `insert into idempotency_keys values ($1, 'recordReturn', $2, sha256('x'), null, $3, now())`,
    [environmentId, reference, id],
  );
}

function failed(controls: Control[]): string[] {
  return controls.filter((control) => !control.passed).map((control) => control.id);
}

test('an empty ledger passes every control', async () => {
  const controls = await verify();
  expect(failed(controls)).toEqual([]);
  expect(controls.length).toBeGreaterThan(10);
});

test('a ledger as the service writes it passes, and the sums are those of the postings', async () => {
  await addPurchase('order-1');
  await addPurchase('order-2');
  const controls = await verify();
  expect(failed(controls)).toEqual([]);
  const sums = Object.fromEntries(
    controls.map((control) => [control.id, [control.checked, control.expected]]),
  );
  expect(sums).toMatchObject({
    'debits-equal-credits': [1, '84'],
    'roll-forward': [1, '84'],
    'balances-equal-postings': [6, '84'],
    'lots-equal-postings': [6, '84'],
    'orders-equal-transactions': [2, '84'],
    'keys-of-transactions': [2, '2'],
  });
});

describe('each corruption is found by its control', () => {
  // Changes that no CHECK and no foreign key forbids, of one point or one row each.
  const corruptions: [what: string, sql: string, control: string][] = [
    ['a balance too high', 'update program_profiles set available = 43', 'balances-equal-postings'],
    ['a balance too high', 'update program_profiles set available = 43', 'lots-equal-balances'],
    ['a balance too high', 'update program_profiles set available = 43', 'roll-forward'],
    [
      'points in the wrong balance',
      'update program_profiles set available = 40, reserved = 2',
      'balances-equal-postings',
    ],
    ['a lot too small', 'update lots set available = 41', 'lots-equal-postings'],
    ['a lot too small', 'update lots set available = 41', 'lots-equal-balances'],
    [
      'a lot pending though its points are available',
      'update lots set available = 0, pending = 42',
      'lots-equal-postings',
    ],
    ['a grant that was not posted', 'update lots set granted = 50', 'grants-of-lots'],
    ['a lost posting', 'delete from postings', 'points-of-transactions'],
    ['a lost posting', 'delete from postings', 'balances-equal-postings'],
    ['a posting that names no lot', 'update postings set lot_id = null', 'lots-equal-postings'],
    [
      'a posting out of the wrong account',
      "update postings set debit_account = 'member.pending'",
      'roll-forward',
    ],
    ['a transaction with other points', 'update transactions set points = 41', 'points-of-transactions'],
    ['an order with other points', 'update orders set points = 41', 'orders-equal-transactions'],
    ['a lost order', 'delete from orders', 'orders-equal-transactions'],
    [
      'an order under another reference',
      "update orders set source_reference = 'x'",
      'orders-equal-transactions',
    ],
    [
      'a receipt that promised more',
      `update transactions set receipt = jsonb_set(receipt::jsonb, '{award,points}', '43')::json`,
      'receipts-equal-transactions',
    ],
    ['a lost idempotency key', 'delete from idempotency_keys', 'keys-of-transactions'],
    [
      'an emptied receipt',
      `alter table transactions alter receipt drop not null;
      update transactions set receipt = null`,
      'receipts-of-keys',
    ],
    [
      'a key that points nowhere',
      `alter table idempotency_keys drop constraint idempotency_keys_environment_id_transaction_id_fkey;
      update idempotency_keys set transaction_id = gen_random_uuid()`,
      'receipts-of-keys',
    ],
    [
      'points on an unenrolled profile',
      `alter table program_profiles drop constraint points_only_while_enrolled;
      update program_profiles set enrolled = false, unenrolled_at = now()`,
      'unenrolled-without-points',
    ],
  ];
  test.each(corruptions.map(([what, sql, control]) => [what, control, sql]))(
    '%s: %s',
    async (_what, control, corruption) => {
      await addPurchase('order-1');
      await client.query(corruption);
      expect(failed(await verify())).toContain(control);
    },
  );

  test.each([
    ['a counter too low', 'update limit_counters set points = 41'],
    ['a lost counter', 'delete from limit_counters'],
    ['a counter of another period', "update limit_counters set period_start = '2026-02-01Z'"],
    ['a counter of another limit', "update limit_counters set limit_id = 'member_limit.year'"],
    [
      'a counter of nothing',
      `insert into limit_counters select environment_id, program_id, member_id, limit_id, '2026-02-01Z', 1
      from limit_counters`,
    ],
    [
      'a purchase in the name of a version without a limit',
      `update transactions set receipt = jsonb_set(receipt::jsonb, '{configurationVersion}', '1')::json`,
    ],
  ])('%s', async (_what, corruption) => {
    await addVersion(2, environmentId, 'month');
    await limitPurchase(await addPurchase('order-1'), 2, 'month', new Date('2026-01-31T23:59:59.999Z'));
    expect(failed(await verify())).toEqual([]);
    await client.query(corruption);
    expect(failed(await verify())).toEqual(['limit-counters-equal-purchases']);
  });

  test.each([
    ['a return of other points', 'update returns set points_clawed_back = 21', 'returns-equal-transactions'],
    ['a lost return', 'delete from returns', 'returns-equal-transactions'],
    ['a lost return', 'delete from returns', 'returned-value-of-orders'],
    [
      'a return of another order',
      "update returns set source_reference = 'order-2'",
      'returns-equal-transactions',
    ],
    ['a return of other value', 'update returns set return_amount_minor = 2101', 'returned-value-of-orders'],
    [
      'a returned order that says it is active',
      "update orders set state = 'active'",
      'returned-value-of-orders',
    ],
    [
      'an order that says all of it is returned',
      "update orders set state = 'returned'",
      'returned-value-of-orders',
    ],
    ['an order clawed back by more', 'update orders set clawed_back = 21', 'clawed-back-equal-postings'],
    ['a forgotten claim', 'update lots set claimed = 0', 'claims-equal-dues'],
    ['a claim too high', 'update lots set claimed = 2 where claimed = 1', 'claims-equal-dues'],
    [
      'a claim on an order that was not returned',
      'update lots set available = 41, claimed = 1 where claimed = 0',
      'claims-equal-dues',
    ],
    [
      'a receipt that said less',
      `update transactions set receipt = '{"return":{"pointsClawedBack":19}}' where event_type = 'order.returned'`,
      'receipts-of-returns',
    ],
    [
      'a return without a key',
      "delete from idempotency_keys where operation = 'recordReturn'",
      'receipts-of-returns',
    ],
    [
      'a return of other points than its postings',
      `update transactions set points = 21 where event_type = 'order.returned'`,
      'points-of-transactions',
    ],
  ])('%s', async (_what, corruption, control) => {
    await addReturn(await addPurchase('order-1'), 'order-1');
    await addPurchase('order-2');
    expect(failed(await verify())).toEqual([]);
    await client.query(corruption);
    expect(failed(await verify())).toContain(control);
  });

  test("a posting in another member's name", async () => {
    await addPurchase('order-1');
    const other = await addPurchase('order-2');
    await client.query(`update postings set member_id = $1, lot_id = null where transaction_id <> $2`, [
      other.memberId,
      other.transactionId,
    ]);
    expect(failed(await verify())).toContain('postings-of-transactions');
  });

  test('two differences that cancel out in the sum', async () => {
    const first = await addPurchase('order-1');
    await addPurchase('order-2');
    await client.query(
      `update program_profiles set available = case when member_id = $1 then 41 else 43 end`,
      [first.memberId],
    );
    const control = (await verify()).find(({ id }) => id === 'balances-equal-postings');
    expect(control).toMatchObject({ expected: '84', found: '84', differences: 2, passed: false });
    expect(control?.examples).toContainEqual({
      subject: `${environmentId} coffee-club ${first.memberId} member.available`,
      expected: '42',
      found: '41',
    });
  });
});

test('counters are those of the periods that purchases were evaluated in, of every kind and at their edges', async () => {
  const instants = [
    '2024-02-29T00:00:00Z',
    '2026-01-04T23:59:59.999Z',
    '2026-01-05T00:00:00Z',
    '1999-12-31T23:30:00Z',
  ];
  const periods: LimitPeriod[] = ['day', 'week', 'month', 'year', 'lifetime'];
  await client.query("set time zone 'Pacific/Kiritimati'");
  for (const [index, period] of periods.entries()) {
    await addVersion(index + 2, environmentId, period);
    for (const instant of instants) {
      await limitPurchase(await addPurchase(`${period} ${instant}`), index + 2, period, new Date(instant));
    }
  }
  const controls = await verify();
  await client.query('reset time zone');
  expect(failed(controls)).toEqual([]);
  const counters = controls.find(({ id }) => id === 'limit-counters-equal-purchases');
  expect(counters).toMatchObject({ checked: 20, expected: '840', found: '840' });
});

test('one environment can be verified alone', async () => {
  await addPurchase('order-1');
  const otherEnvironment = await addEnvironment();
  await addPurchase('order-1', otherEnvironment);
  await client.query('update program_profiles set available = 43 where environment_id = $1', [
    otherEnvironment,
  ]);
  expect(failed(await verify(environmentId))).toEqual([]);
  expect(failed(await verify(otherEnvironment))).toContain('balances-equal-postings');
  expect(failed(await verify())).toContain('balances-equal-postings');
});

test('a difference found leaves the connection usable and outside of a transaction', async () => {
  await addPurchase('order-1');
  await client.query('commit');
  await client.query('update lots set available = 41');
  expect(failed(await verifyLedger(client))).toContain('lots-equal-balances');
  const { rows } = await client.query<{ alone: boolean }>('select now() = statement_timestamp() as alone');
  expect(rows).toEqual([{ alone: true }]);
});
