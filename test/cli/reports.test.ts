import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { toTypeId } from '../../src/ids.ts';
import type { CloseReport } from '../../src/queries/reports/ledger-close/report.ts';
import { type CliRun, runCli, runJson } from '../support/cli/run-cli.ts';
import { useFolder } from '../support/fixture.ts';
import { TestBooks } from '../support/reports/books.ts';
import { program } from '../support/rules/fixtures.ts';
import { useDatabase } from '../support/use-database.ts';

const finance = { valuation: { amountMinor: { numerator: 1, denominator: 2 } } };
const journal = {
  accounts: { liability: 'L', expense: 'E', redemption: 'R', breakage: 'B', adjustment: 'A', clearing: 'C' },
};

let books: TestBooks;
let scope: string[];

const folder = useFolder('rewards-reports-');
const { database } = useDatabase({ twins: true });

beforeEach(async () => {
  books = await TestBooks.open(database.adminPool, program({ finance, journal }));
  const lot = books.earn(books.member(), '2026-10-05T00:00:00Z', 100);
  books.redeem(lot, '2026-10-06T00:00:00Z', 40);
  await books.write();
  scope = ['-e', toTypeId('env', books.environmentId), '--program', books.programId];
});

const rewards = (...args: string[]): Promise<CliRun> => runCli(database.adminUrl, args);
const approve = (as: string, section = 'all'): Promise<CliRun> =>
  rewards('finance', 'approve', ...scope, '--as', as, '--section', section);

async function status(): Promise<string> {
  const october = ['--from', '2026-10-01', '--to', '2026-11-01'];
  return (await runJson<{ status: string }>(database.adminUrl, ['close', ...scope, ...october])).status;
}

test('two persons make a report ready: the author publishes, another one approves', async () => {
  expect(await status()).toBe('provisional');
  expect(await approve('author')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('author published this section finance in version 1'),
  });
  expect(await status()).toBe('provisional');

  expect(await approve('grace', 'finance')).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/^finance of version 1 is approved by grace/),
  });
  expect(await status()).toBe('provisional');
  expect((await approve('grace')).stdout).toMatch(
    /finance of version 1 was approved already; nothing changed\.\njournal of version 1 is approved by grace/,
  );
  expect(await status()).toBe('ready_for_external_review');

  const { rows } = await database.adminPool.query(
    `select actor_type, actor_id, target_id, changes ->> 'sections' as sections from audit_events
     where environment_id = $1 and action = 'finance.approved' order by at`,
    [books.environmentId],
  );
  expect(rows).toMatchObject([
    {
      actor_type: 'operator',
      actor_id: 'grace',
      target_id: 'coffee-club',
      sections: expect.stringContaining('finance'),
    },
    { sections: expect.stringContaining('journal') },
  ]);
});

test('an approval outlives a version that leaves the section as it was, and no other', async () => {
  await approve('grace');
  await books.publish(program({ finance, journal, name: 'Another name' }));
  expect(await status()).toBe('ready_for_external_review');
  await books.publish(
    program({ finance: { valuation: { amountMinor: { numerator: 3, denominator: 1 } } }, journal }),
  );
  expect(await status()).toBe('provisional');
  const shown = await rewards('finance', 'show', ...scope);
  expect(shown.stdout).toMatch(/finance +[0-9a-f]{12} +no\njournal +[0-9a-f]{12} +by grace/);
  expect(shown.stdout).toContain('numerator: 3');
});

test('a period is valued by the version in force at its end, which can be signed later', async () => {
  const dearer = { valuation: { amountMinor: { numerator: 3, denominator: 1 } } };
  await books.publish(program({ finance: dearer, journal }), 'author', '2026-11-01T00:00:00Z');
  await approve('grace');
  expect(await status()).toBe('provisional');
  const shown = await runJson<CloseReport>(database.adminUrl, ['close', ...scope, '--to', '2026-11-01']);
  expect(shown.evidence).toMatchObject({ policy: { configurationVersion: 1, finance } });
  expect(shown.approvals).toMatchObject([{ section: 'journal', version: 2, approvedBy: 'grace' }]);

  const older = await rewards('finance', 'approve', ...scope, '--as', 'grace', '--version', '1');
  expect(older.stdout).toMatch(/^finance of version 1 is approved by grace/);
  const ready = await runJson<CloseReport>(database.adminUrl, ['close', ...scope, '--to', '2026-11-01']);
  expect(ready).toMatchObject({
    status: 'ready_for_external_review',
    evidenceHash: shown.evidenceHash,
    approvals: [
      { section: 'finance', version: 1 },
      { section: 'journal', version: 2 },
    ],
  });
  expect((await rewards('finance', 'approve', ...scope, '--as', 'grace', '--version', '7')).stderr).toContain(
    'coffee-club has no version 7: the newest is 2.',
  );
});

test('a period that has not ended is provisional, and says why', async () => {
  await approve('grace');
  const ends = (ms: number) => ['--from', '2026-10-01', '--to', new Date(Date.now() + ms).toISOString()];
  const open = await rewards('close', ...scope, ...ends(3_600_000));
  expect(open.exitCode).toBe(0);
  expect(open.stdout).toMatch(/: provisional\n/);
  expect(open.stdout).toMatch(/not yet +period_over +1 +0 +1\n/);
  // One that ended a moment ago is over.
  expect((await rewards('close', ...scope, ...ends(-1))).stdout).toMatch(/: ready_for_external_review\n/);
});

test('who has published a section in any version cannot approve it in another', async () => {
  await books.publish(program({ finance, journal, name: 'Another name' }), 'editor');
  expect(await approve('author')).toMatchObject({ exitCode: 1 });
  expect(await approve('editor')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('in version 2'),
  });
  expect(await approve('grace')).toMatchObject({ exitCode: 0 });
});

test('the database holds to two persons as well', async () => {
  await expect(
    database.adminPool.query(
      `insert into finance_approvals values ($1, gen_random_uuid(), 'coffee-club', 1, 'finance', sha256('x'),
       'author', 'author', now())`,
      [books.environmentId],
    ),
  ).rejects.toThrow('two_persons_sign');
});

test('what is not there cannot be approved', async () => {
  await books.publish(program({ finance }));
  expect(await approve('grace', 'journal')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('version 2 has no section journal to approve'),
  });
  expect(await approve('grace')).toMatchObject({ exitCode: 1 });
  expect((await rewards('finance', 'show', ...scope)).stdout).toMatch(/finance +[0-9a-f]{12} +no\n/);
  const nowhere = [...scope.slice(0, 3), 'no-club'];
  expect((await rewards('finance', 'approve', ...nowhere, '--as', 'grace')).stderr).toContain(
    'No program no-club',
  );
  expect((await rewards('finance', 'show', ...nowhere)).stderr).toContain('No program no-club');
  expect(await rewards('finance', 'approve', ...scope)).toMatchObject({ exitCode: 2 });
});

test('a saved report is proved offline, and a changed one is not', async () => {
  const file = join(folder, 'october.json');
  const closed = await rewards(
    'close',
    ...scope,
    '--from',
    '2026-10-01',
    '--to',
    '2026-11-01',
    '--out',
    file,
  );
  expect(closed).toMatchObject({ exitCode: 0, stderr: expect.stringContaining(`The report is in ${file}`) });
  expect(closed.stdout).toMatch(/points_issued +100\npoints_redeemed +-40\nclosing +60/);
  expect(closed.stdout).toMatch(/points_redeemed +R +credit +40 +20/);
  // Without any database.
  expect(await runCli('postgresql://nobody@127.0.0.1:1/none', ['verify', 'close', file])).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/is what was made: provisional, evidence [0-9a-f]{64}\./),
  });

  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace('"points": "60"', '"points": "61"'));
  const changed = await rewards('verify', 'close', file);
  expect(changed).toMatchObject({ exitCode: 1 });
  expect(changed.stdout).toContain('rollForward is not what the evidence says');
  await writeFile(file, text.replace('"passed"', '"note": "added", "passed"'));
  expect((await rewards('verify', 'close', file)).stdout).toContain(
    'controls[0].note is no part of a report.',
  );
  await writeFile(file, text.replace('"status":', '"status": "ready_for_external_review", "status":'));
  expect(await rewards('verify', 'close', file)).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('it has a key twice in one object'),
  });
  await writeFile(file, '{}');
  expect((await rewards('verify', 'close', file)).stdout).toBe(
    `${file} is not what was made:\n  The file is no ledger-close report: it has no evidence.\n`,
  );
  await writeFile(file, 'no JSON');
  expect((await rewards('verify', 'close', file)).stderr).toContain('is no JSON object');
  expect((await rewards('verify', 'close', join(folder, 'none.json'))).stderr).toContain('cannot be read');
});

test('a planted difference ends the close with 1', async () => {
  await database.adminPool.query(
    'update program_profiles set available = available + 1 where environment_id = $1',
    [books.environmentId],
  );
  const closed = await rewards('close', ...scope, '--to', '2026-11-01');
  expect(closed.exitCode).toBe(1);
  expect(closed.stdout).toMatch(/control_exception[\s\S]*FAILED +balances-equal-postings +60 +61 +1/);
});

test('what cannot be closed is said', async () => {
  expect(await rewards('close', ...scope, '--from', '2026-11-01', '--to', '2026-10-01')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('The window is empty'),
  });
  expect((await rewards('close', ...scope.slice(0, 3), 'no-club')).stderr).toContain(
    'This environment has no published program of this id.',
  );
});

test('days are closed from the command line, for one environment or all', async () => {
  const [environmentId = ''] = scope.slice(1, 2);
  const one = await rewards('rollup', '-e', environmentId);
  expect(one.stdout).toMatch(new RegExp(`${environmentId} +\\d{4}-\\d{2}-\\d{2} +2\\n`));
  const all = await runJson<{ environments: { environmentId: string; days: number }[] }>(database.adminUrl, [
    'rollup',
  ]);
  expect(all.environments.find((other) => other.environmentId === environmentId)).toMatchObject({ days: 0 });
  const unknown = toTypeId('env', '00000000-0000-7000-8000-000000000000');
  expect(await rewards('rollup', '-e', unknown)).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining(unknown),
  });
});
