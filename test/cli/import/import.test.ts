import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { runCli, runJson } from '../../support/cli/run-cli.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { validateStored } from '../../support/webhooks/validate-event.ts';

let database: TestDatabase;
let folder: string;
let environmentId: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rewards-import-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

beforeEach(async () => {
  await database?.drop();
  database = await createTestDatabase();
  const { tenantId } = await runJson<{ tenantId: string }>(database.adminUrl, ['tenant', 'create', 'T']);
  const create = ['env', 'create', '--tenant', tenantId, '--kind', 'sandbox'];
  environmentId = (await runJson<{ environmentId: string }>(database.adminUrl, create)).environmentId;
  await runJson(database.adminUrl, ['program', 'publish', 'demo/record-club.yaml', '-e', environmentId]);
});

afterAll(() => database?.drop());

function importOf(file: string): string[] {
  const where = ['import', 'purchases', file, '-e', environmentId, '-p', 'record-club'];
  return [...where, '--enroll', '--notice-version', 'v1'];
}

async function count(): Promise<number> {
  const { rows } = await database.adminPool.query<{ n: number }>(
    'select count(*)::integer as n from transactions',
  );
  return rows[0]?.n ?? 0;
}

async function operations() {
  const { rows } = await database.adminPool.query<{
    status: string;
    error: { code: string } | null;
    done: number;
  }>('select status, error, progress_done::integer as done from operations order by created_at');
  return rows;
}

/** Writes orders of 300 customers in turn, one dollar each. */
async function writeOrders(rows: number): Promise<string> {
  const file = join(folder, 'orders.csv');
  const lines = Array.from({ length: rows }, (_, n) => `c-${n % 300},o-${n},100`);
  await writeFile(file, `external_customer_id,source_reference,amount_minor\n${lines.join('\n')}\n`);
  return file;
}

test('a file without rows is imported, and a message says that it has none', async () => {
  const run = await runCli(database.adminUrl, importOf(await writeOrders(0)));
  expect(run.exitCode).toBe(0);
  expect(run.stderr).toContain('orders.csv: The file has no rows after its first line.');
  expect(await count()).toBe(0);
});

test('a summary, a report of what was rejected, and exit code 1 because of it', async () => {
  const file = join(folder, 'mixed.csv');
  const report = join(folder, 'rejected.csv');
  await writeFile(
    file,
    'source_reference,external_customer_id,amount_minor\no-1,ada,1250\no-2,ada,12.50\n"=o,3",ada,-1\no-4,grace,300\n',
  );
  const run = await runCli(database.adminUrl, [...importOf(file), '--report', report, '--json']);
  expect(run.exitCode).toBe(1);
  expect(JSON.parse(run.stdout)).toMatchObject({
    complete: true,
    rows: 4,
    committed: 2,
    rejected: 2,
    membersCreated: 2,
    committedPoints: '15',
    rejectedByCode: { invalid_row: 2 },
  });
  const [header, ...rejected] = (await readFile(report, 'utf8')).trimEnd().split('\n');
  expect(header).toBe('line,source_reference,code,message');
  // Text that a spreadsheet would run as a formula is neutralized.
  expect(rejected.map((line) => line.slice(0, line.indexOf(',invalid_row,')))).toEqual([
    '3,o-2',
    `4,"'=o,3"`,
  ]);
  expect(await operations()).toMatchObject([{ status: 'succeeded', done: 4, error: null }]);

  const text = await runCli(database.adminUrl, importOf(file));
  expect(text.stdout).toContain('replayed   2, 15 points');
  expect(text.stderr).toContain('line 3 o-2: invalid_row: amount_minor must be an integer');
});

test('a report does not overwrite what a symbolic link points to', async () => {
  const target = join(folder, 'precious.csv');
  const link = join(folder, 'link.csv');
  await writeFile(target, 'precious');
  await symlink(target, link);
  const run = await runCli(database.adminUrl, [...importOf(await writeOrders(1)), '--report', link]);
  expect(run.exitCode).not.toBe(0);
  expect(run.stderr).toContain('--report cannot be written');
  expect(run.stderr).toContain('is a symbolic link. Name the file that it points to.');
  expect(await readFile(target, 'utf8')).toBe('precious');
});

test('the content of a file can neither control the terminal nor imitate lines of the output', async () => {
  const file = join(folder, 'hostile.csv');
  const header = 'external_customer_id,source_reference,amount_minor';
  await writeFile(file, `${header}\nada,"o\u001b[2J\u009b31m\nall is well",x\n`);
  const run = await runCli(database.adminUrl, importOf(file));
  expect(run.stderr).toContain('o\\u001b[2J\\u009b31m\\u000aall is well: invalid_row');
  await writeFile(file, `${header},\u001b[2J\n`);
  const unread = await runCli(database.adminUrl, importOf(file));
  expect(unread.stderr).toContain('unknown column "\\u001b[2J"');
  for (const text of [run.stderr, unread.stderr]) expect(text).not.toMatch(/[^\n\P{Cc}]/u);
});

test('a file in another encoding is refused before anything is written', async () => {
  const file = join(folder, 'latin1.csv');
  const rows = ['José', 'Josè'].map((name, n) => `${name},o-${n},100\n`).join('');
  await writeFile(file, `external_customer_id,source_reference,amount_minor\n${rows}`, 'latin1');
  const run = await runCli(database.adminUrl, importOf(file));
  expect(run).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('Line 2 is not UTF-8') });
  expect(await operations()).toEqual([]);
});

test('the end of an import is an event', async () => {
  await runCli(database.adminUrl, importOf(await writeOrders(2)));
  const { rows } = await database.adminPool.query(`select data from events where type = 'import.completed'`);
  expect(rows).toMatchObject([
    { data: { operationId: expect.stringMatching(/^op_/), rows: 2, committed: 2, committedPoints: '2' } },
  ]);
  expect(await validateStored(database.adminPool)).toEqual([]);
});

test.each([
  [
    'an unknown program',
    (file: string) => importOf(file).with(6, 'tea-club'),
    'No program tea-club is published',
  ],
  ['no file', () => importOf('nowhere.csv'), 'no such file'],
  ['a report in no folder', (file: string) => [...importOf(file), '--report', '/nowhere/r.csv'], '--report'],
])('%s is refused before anything is written', async (_what, args, message) => {
  const file = await writeOrders(3);
  const run = await runCli(database.adminUrl, args(file));
  expect(run).toMatchObject({ exitCode: 1, stdout: '', stderr: expect.stringContaining(message) });
  expect(await count()).toBe(0);
  expect(await operations()).toEqual([]);
});
