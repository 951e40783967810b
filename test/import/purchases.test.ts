import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, expect, test } from '@jest/globals';
import { createEnvironment } from '../../src/admin/environments/create-environment.ts';
import { createTenant } from '../../src/admin/environments/create-tenant.ts';
import { lockEnvironment } from '../../src/admin/environments/lock-environment.ts';
import { publishProgram } from '../../src/admin/programs/publish-program.ts';
import { createMember } from '../../src/commands/members/create-member.ts';
import { enrollMember } from '../../src/commands/members/enroll-member.ts';
import { unenrollMember } from '../../src/commands/members/unenroll-member.ts';
import { updateMember } from '../../src/commands/members/update-member.ts';
import { validateInput } from '../../src/graphql/schema/validate-input.ts';
import type { CsvRow } from '../../src/import/csv-rows.ts';
import {
  ImportStoppedError,
  importRows,
  newProgress,
  type RunOptions,
} from '../../src/import/import-rows.ts';
import type { PurchaseColumn, PurchaseRow } from '../../src/import/purchase-columns.ts';
import { type PurchaseImport, purchaseRows } from '../../src/import/purchases.ts';
import type { RejectedRow } from '../../src/import/rejections-in-order.ts';
import { createLanePool } from '../../src/ledger/batch/lane-pool.ts';
import { Writer } from '../../src/ledger/batch/writer.ts';
import type { Command } from '../../src/ledger/command.ts';
import { verifyLedger } from '../../src/ledger/controls/verify.ts';
import { receiptSql, templateSql, wholeReceipt } from '../../src/ledger/receipts/stored-receipt.ts';
import { parseProgram } from '../../src/programs/parse/parse-program.ts';
import { ProgramCatalog } from '../../src/programs/published/program-catalog.ts';
import { fixture } from '../support/fixture.ts';
import { useAdministrator } from '../support/use-administrator.ts';
import { useDatabase } from '../support/use-database.ts';

let environmentId: string;

const { database } = useDatabase();
const administrator = useAdministrator(database);
const lanePool = fixture(
  'the lane pool',
  () => createLanePool({ url: database.serverUrl, size: 2 }),
  (opened) => opened.end(),
);
const writer = fixture(
  'the writer',
  () => new Writer({ pool: lanePool, catalog: new ProgramCatalog() }),
  (opened) => opened.close(),
);

beforeEach(async () => {
  const { tenantId } = await createTenant(administrator, 'T');
  const made = await createEnvironment(administrator, { tenantId, kind: 'production', name: 'P' });
  if ('refused' in made) throw new Error(made.message);
  environmentId = made.environmentId;
  for (const file of ['demo/coffee-club.yaml', 'demo/record-club.yaml']) {
    const parsed = parseProgram(await readFile(file, 'utf8'));
    if (!parsed.ok) throw new Error(`${file} is not valid`);
    await publishProgram(administrator, { environmentId, document: parsed.document, effectiveFrom: null });
  }
});

type Rows = CsvRow<PurchaseColumn>[];

function rowsOf(...cells: PurchaseRow[]): Rows {
  return cells.map((each, index) => ({ line: index + 2, cells: each }));
}

function purchase(customer: string, reference: string, amountMinor: number | string): PurchaseRow {
  return { external_customer_id: customer, source_reference: reference, amount_minor: String(amountMinor) };
}

async function run(
  rows: Rows,
  { pause, ...changed }: Partial<PurchaseImport & RunOptions> & { pause?: () => Promise<void> } = {},
) {
  const rejected: RejectedRow[] = [];
  const progress = newProgress();
  const options: PurchaseImport & RunOptions = {
    door: writer,
    caller: { environmentId, actor: { type: 'operator', id: 'ada' }, requestId: 'op_test' },
    defaults: { programId: 'record-club', channel: 'store', currency: null, atEventTime: null },
    enroll: { noticeVersion: 'v1' },
    maxInFlight: 64,
    validate: validateInput,
    onRejected: (row) => rejected.push(row),
    signal: new AbortController().signal,
    ...changed,
  };
  const stream = (async function* () {
    for (const row of rows) {
      await pause?.();
      yield row;
    }
  })();
  await importRows(stream, purchaseRows(options, progress), options, progress);
  return { progress, rejected };
}

async function expectCleanBooks(): Promise<void> {
  const client = await database.adminPool.connect();
  const controls = await verifyLedger(client, environmentId).finally(() => client.release());
  expect(controls.filter((control) => !control.passed)).toEqual([]);
}

test('customers are created and enrolled once, their purchases earn, and a second run changes nothing', async () => {
  const rows = rowsOf(
    ...Array.from({ length: 400 }, (_, n) => purchase(`c-${n % 60}`, `o-${n}`, 100 * n + 99)),
  );
  const points = BigInt((400 * 399) / 2);
  const first = await run(rows);
  expect(first).toMatchObject({
    progress: {
      done: 400,
      committed: 400,
      replayed: 0,
      rejected: 0,
      committedPoints: points,
      membersCreated: 60,
    },
    rejected: [],
  });
  const second = await run(rows);
  expect(second.progress).toMatchObject({
    committed: 0,
    replayed: 400,
    replayedPoints: points,
    membersCreated: 0,
  });
  const { rows: sums } = await database.adminPool.query(
    'select sum(available)::text as points, count(*)::text as profiles from program_profiles where environment_id = $1',
    [environmentId],
  );
  expect(sums).toEqual([{ points: points.toString(), profiles: '60' }]);
  await expectCleanBooks();
});

test("a customer's purchases are applied in the order of the file", async () => {
  // Silver is reached by 1,000 dollars: what comes before earns at 1, what comes after at 5/4.
  const defaults = { programId: 'coffee-club', channel: 'web' as const, currency: null, atEventTime: null };
  const customers = Array.from({ length: 20 }, (_, n) => `c-${n}`);
  const rows = rowsOf(
    ...customers.map((customer) => purchase(customer, `${customer}-before`, 40_000)),
    ...customers.map((customer) => purchase(customer, `${customer}-reaches`, 60_000)),
    ...customers.map((customer) => purchase(customer, `${customer}-after`, 40_000)),
  );
  const { progress } = await run(rows, { defaults });
  expect(progress).toMatchObject({ committed: 60, committedPoints: BigInt(20 * (400 + 600 + 500)) });
});

test('and also where rows arrive while their customer is just being enrolled', async () => {
  const rows = rowsOf(
    ...Array.from({ length: 400 }, (_, n) => purchase(`c-${Math.trunc(n / 8)}`, `o-${n}`, 100)),
  );
  await run(rows, { pause: () => sleep(Math.random() * 2) });
  const { rows: applied } = await database.adminPool.query<{ references: string[] }>(
    `select array_agg(source_reference order by id) as references from transactions
     where environment_id = $1 group by member_id`,
    [environmentId],
  );
  for (const { references } of applied) {
    const numbers = references.map((reference) => Number(reference.slice(2)));
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
  }
  expect(applied).toHaveLength(50);
});

test('what an interrupted run left is finished by the next, without doubling', async () => {
  const interruption = new AbortController();
  const rows = rowsOf(...Array.from({ length: 300 }, (_, n) => purchase(`c-${n % 40}`, `o-${n}`, 500)));
  const interrupted = await run(rows, {
    signal: interruption.signal,
    door: {
      submit: async (command) => {
        const outcome = await writer.submit(command);
        if (command.idempotencyKey === 'import:o-120') interruption.abort();
        return outcome;
      },
    },
  });
  expect(interrupted.progress.done).toBeLessThan(300);
  const finished = await run(rows);
  expect(finished.progress.replayed).toBe(interrupted.progress.committed);
  expect(finished.progress.committed).toBe(300 - interrupted.progress.committed);
  expect(finished.progress.committedPoints + finished.progress.replayedPoints).toBe(1500n);
  await expectCleanBooks();
});

test('rows that are wrong are rejected one by one, each with its line and its reason', async () => {
  await run(rowsOf(purchase('c-1', 'o-1', 100)));
  const { progress, rejected } = await run([
    ...rowsOf(
      purchase('c-1', 'o-2', '11.77'),
      purchase('', 'o-3', 100),
      purchase('c-1', 'o-4', 1_000_000_000_001),
      { ...purchase('c-1', 'o-5', 100), occurred_at: '2026-02-30' },
      { ...purchase('c-1', 'o-6', 100), currency: 'EUR' },
      { ...purchase('c-1', 'o-7', 100), channel: 'phone' },
      { ...purchase('c-1', 'o-8', 100), occurred_at: '2999-01-01' },
      // Another amount under a reference, and so a key, that was used before.
      purchase('c-1', 'o-1', 200),
      purchase('c-1', 'o-9', 100),
    ),
    { line: 11, problem: 'too many cells' },
  ]);
  expect(progress).toMatchObject({ done: 10, committed: 1, rejected: 9 });
  // In the order of the file, whichever was found out first.
  const reasons = rejected.map((row) => [row.line, row.reference, row.code]);
  expect(reasons).toEqual([
    [2, 'o-2', 'invalid_row'],
    [3, 'o-3', 'invalid_event'],
    [4, 'o-4', 'invalid_event'],
    [5, 'o-5', 'invalid_event'],
    [6, 'o-6', 'currency_mismatch'],
    [7, 'o-7', 'invalid_event'],
    [8, 'o-8', 'invalid_event'],
    [9, 'o-1', 'idempotency_key_reused'],
    [11, '', 'invalid_row'],
  ]);
  const messages = Object.fromEntries(rejected.map((row) => [row.line, row.message]));
  expect(messages).toMatchObject({
    2: 'amount_minor must be an integer in minor units from 0 to 1000000000000, such as 1177 for 11.77 (found "11.77")',
    3: 'external_customer_id must have at least 1 character (found nothing)',
    4: expect.stringMatching(/^amount_minor must be .* to 1000000000000,.*\(found "1000000000001"\)$/),
    5: expect.stringMatching(
      /^occurred_at must be a date such as 2026-01-31 .*, or an instant with a time zone .*\(found "2026-02-30"\)$/,
    ),
    6: 'currency must be USD (found "EUR")',
    7: 'channel must be one of web, store, app (found "phone")',
    8: 'occurred_at must not be more than five minutes ahead of the server\'s time (found "2999-01-01")',
    9: expect.stringContaining(
      'source_reference was used by an earlier row or import with another amount_minor',
    ),
  });
  expect(JSON.stringify(messages)).not.toMatch(/[a-z][A-Z]/);
  await expectCleanBooks();
});

test('without enroll, customers who are not there are rejected and not made', async () => {
  const { progress, rejected } = await run(rowsOf(purchase('c-1', 'o-1', 100)), { enroll: null });
  expect(progress).toMatchObject({ committed: 0, rejected: 1 });
  expect(rejected).toMatchObject([
    { code: 'member_not_found', message: expect.stringMatching(/^external_customer_id .*--enroll/) },
  ]);
  expect(await administrator.prisma.member.count({ where: { environmentId } })).toBe(0);
});

test('a customer who has left the program since is not enrolled again', async () => {
  await run(rowsOf(purchase('c-1', 'o-1', 99)));
  const left = await writer.submit(
    unenrollMember(
      {
        idempotencyKey: 'leave',
        externalCustomerId: 'c-1',
        programId: 'record-club',
        noticeVersion: 'v1',
        evidence: { source: 'test' },
        reason: 'moved away',
      },
      { environmentId, actor: { type: 'operator', id: 'ada' }, requestId: 'req_test' },
    ),
  );
  expect(left).not.toHaveProperty('refused');
  for (const noticeVersion of ['v1', 'v2']) {
    const { rejected } = await run(rowsOf(purchase('c-1', 'o-2', 500)), { enroll: { noticeVersion } });
    expect(rejected).toMatchObject([{ code: 'enrollment_required' }]);
  }
});

test.each([
  ['has left the program', 'has left the program', ['leave']],
  ['has withdrawn consent', 'has withdrawn consent', ['withdraw']],
  ['has done both', 'has withdrawn consent', ['leave', 'withdraw']],
])('a customer of an earlier import who %s since is rejected for that', async (_what, why, steps) => {
  await run(rowsOf(purchase('c-1', 'o-1', 99)));
  const changes = {
    leave: unenrollMember(
      { ...said, idempotencyKey: 'leave', noticeVersion: 'v1', reason: 'moved away' },
      shop(),
    ),
    withdraw: updateMember(
      {
        ...{ idempotencyKey: 'withdraw', externalCustomerId: 'c-1', consentStatus: 'opted_out' as const },
        ...{ noticeVersion: 'v1', evidence: { source: 'shop' } },
      },
      shop(),
    ),
  };
  for (const step of steps as (keyof typeof changes)[]) {
    const command = changes[step];
    if ('refused' in command) throw new Error(command.message);
    expect(await writer.submit(command)).toMatchObject({ idempotent: false });
  }
  const before = await consents();
  for (const noticeVersion of ['v1', 'v2']) {
    const rows = rowsOf(purchase('c-1', 'o-2', 500), purchase('c-1', 'o-3', 500), purchase('c-1', 'o-1', 99));
    const { rejected, progress } = await run(rows, { enroll: { noticeVersion } });
    const told = { code: 'enrollment_required', message: expect.stringContaining(why) };
    expect(rejected).toMatchObject([told, told]);
    expect(progress.replayed).toBe(1);
  }
  expect(await consents()).toEqual(before);
});

async function consents(): Promise<{ status: string; program_id: string | null }[]> {
  const { rows } = await database.adminPool.query(
    'select status, program_id from consent_records where environment_id = $1 order by at, id',
    [environmentId],
  );
  return rows;
}

const shop = () => ({
  environmentId,
  actor: { type: 'api_key' as const, id: 'key_shop' },
  requestId: 'req_shop',
});

const said = { externalCustomerId: 'c-1', programId: 'record-club', evidence: { source: 'shop' } };

test('nor one whom another than the import had enrolled: no consent is made up', async () => {
  const member = { externalCustomerId: 'c-1', consentStatus: 'opted_in' as const, noticeVersion: 'v1' };
  const created = createMember({ ...member, idempotencyKey: 'a' }, shop());
  if ('refused' in created) throw new Error(created.message);
  await writer.submit(created);
  await writer.submit(enrollMember({ ...member, ...said, idempotencyKey: 'b' }, shop()));
  await writer.submit(
    unenrollMember({ ...said, noticeVersion: 'v1', idempotencyKey: 'c', reason: 'asked to' }, shop()),
  );
  const before = await consents();
  const { rejected } = await run(rowsOf(purchase('c-1', 'o-1', 500)));
  expect(rejected).toMatchObject([
    { code: 'enrollment_required', message: expect.stringContaining('has left the program') },
  ]);
  expect(await consents()).toEqual(before);
});

test('a customer who opted out is neither enrolled nor asked for', async () => {
  const created = createMember(
    { idempotencyKey: 'a', externalCustomerId: 'c-1', consentStatus: 'opted_out', noticeVersion: 'v1' },
    shop(),
  );
  if ('refused' in created) throw new Error(created.message);
  await writer.submit(created);
  const { rejected } = await run(rowsOf(purchase('c-1', 'o-1', 500)));
  expect(rejected).toMatchObject([
    { code: 'enrollment_required', message: expect.stringContaining('withdrawn consent') },
  ]);
  expect(await consents()).toEqual([{ status: 'withdrawn', program_id: null }]);
});

test('a customer who opts out while the import is about to create it is not enrolled', async () => {
  // By the time that the import creates the member, the shop has.
  const { rejected } = await run(rowsOf(purchase('c-1', 'o-1', 500)), {
    door: {
      submit: async (command) => {
        if (command.prerequisites) {
          const member = { externalCustomerId: 'c-1', consentStatus: 'opted_out' as const };
          const created = createMember({ ...member, noticeVersion: 'v1', idempotencyKey: 'a' }, shop());
          if ('refused' in created) throw new Error(created.message);
          await writer.submit(created);
        }
        return writer.submit(command);
      },
    },
  });
  expect(rejected).toMatchObject([{ code: 'enrollment_required' }]);
  expect(await consents()).toEqual([{ status: 'withdrawn', program_id: null }]);
});

test('a customer whom the shop enrolls meanwhile earns, on the consent that the shop was given', async () => {
  const { progress } = await run(rowsOf(purchase('c-1', 'o-1', 500)), {
    door: {
      submit: async (command) => {
        if (command.prerequisites) {
          const input = { ...said, consentStatus: 'opted_in' as const, noticeVersion: 'v7' };
          const created = createMember({ ...input, idempotencyKey: 'a' }, shop());
          if ('refused' in created) throw new Error(created.message);
          await writer.submit(created);
          await writer.submit(enrollMember({ ...input, idempotencyKey: 'b' }, shop()));
        }
        return writer.submit(command);
      },
    },
  });
  expect(progress).toMatchObject({ committed: 1, rejected: 0, membersCreated: 0 });
  expect(await consents()).toHaveLength(2);
});

test('a customer whom another import enrolls while the rows of a transaction are loaded earns in the next one', async () => {
  let first = true;
  const { progress } = await run(rowsOf(purchase('c-1', 'o-1', 500), purchase('c-1', 'o-2', 500)), {
    door: {
      submit: async ({ prerequisites, ...command }) => {
        if (!prerequisites || !first)
          return writer.submit({ ...command, ...(prerequisites && { prerequisites }) });
        first = false;
        // As where the profile was looked up before the other import's commit, and the keys after it.
        const refused = await writer.submit(command);
        const decided = [];
        for (const before of prerequisites.commands) {
          await writer.submit(before);
          decided.push(await writer.submit(before));
        }
        return { ...refused, prerequisites: decided };
      },
    },
  });
  expect(progress).toMatchObject({ committed: 2, rejected: 0 });
  await expectCleanBooks();
});

test('known and new customers in one file: each is enrolled once, and its purchases are in order', async () => {
  const before = rowsOf(...Array.from({ length: 30 }, (_, n) => purchase(`c-${2 * n}`, `before-${n}`, 100)));
  await run(before, {
    defaults: { programId: 'coffee-club', channel: 'web', currency: null, atEventTime: null },
  });
  await run(rowsOf(...Array.from({ length: 10 }, (_, n) => purchase(`c-${6 * n}`, `known-${n}`, 100))));
  const rows = rowsOf(
    ...Array.from({ length: 600 }, (_, n) => purchase(`c-${Math.trunc(n / 10)}`, `o-${n}`, 100)),
  );
  const { progress } = await run(rows, { pause: () => sleep(Math.random()) });
  expect(progress).toMatchObject({ committed: 600, membersCreated: 30 });
  const { rows: applied } = await database.adminPool.query<{ references: string[] }>(
    `select array_agg(source_reference order by id) as references from transactions
     where environment_id = $1 and source_reference like 'o-%' group by member_id`,
    [environmentId],
  );
  expect(applied).toHaveLength(60);
  for (const { references } of applied) {
    const numbers = references.map((reference) => Number(reference.slice(2)));
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
  }
  expect(await consents()).toHaveLength(2 * 60 + 30);
  await expectCleanBooks();
});

test('enrollment goes together with the purchases of new customers, and is left out once customers are known', async () => {
  const operations: string[][] = [];
  const door = {
    submit: (command: Command) => {
      const before = command.prerequisites?.commands ?? [];
      operations.push([...before, command].map(({ operation }) => operation));
      return writer.submit(command);
    },
  };
  const rows = rowsOf(...Array.from({ length: 300 }, (_, n) => purchase(`c-${n % 100}`, `o-${n}`, 100)));
  await run(rows, { door, maxInFlight: 10 });
  expect(operations).toHaveLength(300);
  expect(operations.filter((names) => names.length === 3)).toHaveLength(100);
  operations.length = 0;
  await run(rows, { door, maxInFlight: 10 });
  expect(operations).toHaveLength(300);
  expect(operations.filter((names) => names.length === 3).length).toBeLessThanOrEqual(10);
});

test('a row that is rejected makes no member; the next row of its customer does', async () => {
  await run(rowsOf(purchase('c-1', 'o-1', 100)));
  const rows = rowsOf(purchase('c-2', 'o-1', 100), purchase('c-2', 'o-2', 100), purchase('c-3', 'o-1', 100));
  const { progress, rejected } = await run(rows);
  expect(rejected.map(({ reference, code }) => [reference, code])).toEqual([
    ['o-1', 'idempotency_key_reused'],
    ['o-1', 'idempotency_key_reused'],
  ]);
  expect(progress).toMatchObject({ committed: 1, membersCreated: 1 });
  expect(await administrator.prisma.member.count({ where: { environmentId } })).toBe(2);
});

test('items that a request body could not hold are rejected, and the import goes on', async () => {
  const item = (sku: string, price = '100') =>
    `[{"lineReference":"l","sku":"${sku}","category":"c","quantity":1,"unitPriceMinor":${price}}]`;
  const { progress, rejected } = await run(
    rowsOf(
      { ...purchase('c-1', 'o-1', 100), items: item('\\ud800') },
      { ...purchase('c-1', 'o-2', 100), items: item('x","sku":"y') },
      { ...purchase('c-1', 'o-3', 100), items: item('x', '100.00000000000000001') },
      { ...purchase('c-1', 'o-4', 100), items: item('x') },
    ),
  );
  expect(rejected.map((row) => [row.reference, row.code])).toEqual([
    ['o-1', 'invalid_row'],
    ['o-2', 'invalid_row'],
    ['o-3', 'invalid_row'],
  ]);
  expect(progress).toMatchObject({ done: 4, committed: 1 });
});

test('a locked Production ends the import: no row is to blame', async () => {
  await run(rowsOf(purchase('c-1', 'o-1', 100)));
  await lockEnvironment(administrator, environmentId, true);
  const rows = rowsOf(...Array.from({ length: 200 }, (_, n) => purchase('c-1', `o-${n}`, 100)));
  const running = run(rows);
  await expect(running).rejects.toThrow(ImportStoppedError);
  await expect(running).rejects.toMatchObject({ code: 'production_locked' });
});

test('a door that breaks ends the import with what broke', async () => {
  const broken = new Error('connection lost');
  const rows = rowsOf(...Array.from({ length: 200 }, (_, n) => purchase(`c-${n}`, `o-${n}`, 100)));
  let submitted = 0;
  const submit = (): Promise<never> => {
    submitted += 1;
    return Promise.reject(broken);
  };
  await expect(run(rows, { door: { submit }, maxInFlight: 10 })).rejects.toBe(broken);
  expect(submitted).toBeLessThanOrEqual(20);
});

test('at event time, a purchase is evaluated under the version and tier that it names', async () => {
  const { document } = await administrator.prisma.programVersion.findFirstOrThrow({
    where: { environmentId, programId: 'record-club' },
  });
  expect(document).toMatchObject({ id: 'record-club' });
  const occurred_at = new Date().toISOString();
  const atEventTime = { configurationVersion: 1, memberTier: 'member' };
  const defaults = { programId: 'record-club', channel: 'store' as const, currency: null, atEventTime };
  const { progress, rejected } = await run(
    rowsOf(
      { ...purchase('c-1', 'o-1', 700), occurred_at },
      { ...purchase('c-1', 'o-2', 700), occurred_at, configuration_version: '2' },
      { ...purchase('c-1', 'o-3', 700), occurred_at, member_tier: 'platinum' },
    ),
    { defaults },
  );
  expect(progress).toMatchObject({ committed: 1, committedPoints: 7n });
  expect(rejected.map((row) => row.code)).toEqual(['configuration_not_effective', 'unknown_tier']);
  const { rows: transactions } = await database.adminPool.query<{ receipt: object }>(
    `select ${receiptSql('t')} as receipt from transactions t ${templateSql('t')} where t.environment_id = $1`,
    [environmentId],
  );
  expect(wholeReceipt(transactions[0]?.receipt ?? {})).toMatchObject({
    evaluationMode: 'event_time_pinned_configuration',
    configurationVersion: 1,
  });
});
