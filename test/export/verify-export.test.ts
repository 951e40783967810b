import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Manifest } from '../../src/export/manifest.ts';
import { runCli } from '../support/cli/run-cli.ts';
import { useExportDesk } from '../support/export/export-desk.ts';

const SEPTEMBER = { from: '2026-09-01', to: '2026-10-01' };
const QUARTER = { from: '2026-09-01', to: '2026-11-01' };

const desk = useExportDesk(12);

async function close(name: string, { from, to }: { from: string; to: string }): Promise<string> {
  const file = desk.path(name);
  const scope = ['-e', desk.environment, '-p', desk.books.programId, '--from', from, '--to', to];
  expect(await desk.rewards('close', ...scope, '--out', file)).toMatchObject({ exitCode: 0 });
  return file;
}

describe.each(['postings', 'transactions'] as const)('%s', (kind) => {
  test('reconcile with the close of each month, of the database and saved', async () => {
    await desk.export(kind, 'csv', `${kind}-quarter`, QUARTER);
    const found = await desk.verify(`${kind}-quarter`, '--json');
    expect(JSON.parse(found.stdout)).toMatchObject({
      verified: true,
      problems: [],
      comparisons: [
        {
          programId: 'coffee-club',
          from: '2026-09-01T00:00:00.000Z',
          to: '2026-10-01T00:00:00.000Z',
          problems: [],
        },
        {
          programId: 'coffee-club',
          from: '2026-10-01T00:00:00.000Z',
          to: '2026-11-01T00:00:00.000Z',
          problems: [],
        },
      ],
    });
    for (const { figures } of JSON.parse(found.stdout).comparisons) {
      expect(figures.length).toBeGreaterThanOrEqual(kind === 'postings' ? 30 : 2);
      for (const { exported, closed } of figures) expect(exported).toBe(closed);
    }
    const september = await close('september.json', SEPTEMBER);
    const october = await close('october.json', { from: '2026-10-01', to: '2026-11-01' });
    const saved = ['--close', october, '--close', september];
    expect(await desk.verify(`${kind}-quarter`, ...saved)).toMatchObject({ exitCode: 0 });
    const partial = await desk.verify(`${kind}-quarter`, '--close', september);
    expect(partial).toMatchObject({
      exitCode: 1,
      stdout: expect.stringContaining('The close reports end at'),
    });
  });

  test('in one file reconcile with the closes together', async () => {
    await desk.export(kind, 'parquet', `${kind}.parquet`, QUARTER);
    const { stdout } = await desk.verify(`${kind}.parquet`, '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      verified: true,
      comparisons: [{ from: '2026-09-01T00:00:00.000Z', to: '2026-11-01T00:00:00.000Z', problems: [] }],
    });
  });
});

test('a month that has changed since is told apart from those that have not', async () => {
  await desk.export('postings', 'jsonl', 'before', QUARTER);
  const late = desk.books.environmentId;
  await desk.database.adminPool.query(
    `insert into postings select environment_id, transaction_id, 99, program_id, member_id, 'program.issuance',
       'program.clearing', 5, null, created_at from postings
     where environment_id = $1 and created_at >= '2026-10-03' order by created_at limit 1`,
    [late],
  );
  const { exitCode, stdout } = await desk.verify('before', '--json');
  const { comparisons, problems } = JSON.parse(stdout);
  expect({ exitCode, problems, first: comparisons[0].problems }).toEqual({
    exitCode: 1,
    problems: [],
    first: [],
  });
  expect(comparisons[1].problems).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^credits of program.clearing is \d+ in the export and \d+ in/),
    ]),
  );
  await desk.database.adminPool.query('delete from postings where environment_id = $1 and line = 99', [late]);
});

describe('finds', () => {
  let text: string;
  let file: string;
  let original: Manifest;

  beforeAll(async () => {
    await desk.export('postings', 'csv', 'tampered', SEPTEMBER);
    original = await desk.manifest('tampered/manifest.json');
    file = desk.path('tampered', original.files[3]?.name ?? '');
    text = await readFile(file, 'utf8');
  });

  async function problems(): Promise<string> {
    const run = await desk.verify('tampered', '--offline');
    expect(run.exitCode).toBe(1);
    await writeFile(file, text);
    await writeFile(desk.path('tampered/manifest.json'), JSON.stringify(original));
    expect(await desk.verify('tampered', '--offline')).toMatchObject({ exitCode: 0 });
    return run.stdout;
  }

  test('a figure that was changed', async () => {
    await writeFile(file, text.replace(/,(\d+),lot_/, ',1$1,lot_'));
    expect(await problems()).toMatch(/SHA-256 is [\s\S]*its sums are not those of the manifest/);
  });

  test('a row that is missing or doubled', async () => {
    const lines = text.split('\n');
    await writeFile(file, [...lines.slice(0, 1), ...lines.slice(2)].join('\n'));
    expect(await problems()).toContain('rows, not');
    await writeFile(file, [...lines.slice(0, 2), ...lines.slice(1)].join('\n'));
    expect(await problems()).toContain('rows, not');
  });

  test('a file that is missing, and one that was added', async () => {
    await rm(file);
    expect(await problems()).toContain('it is missing');
    const added = desk.path('tampered/postings-2026-09-31.csv');
    await writeFile(added, text);
    expect((await desk.verify('tampered', '--offline')).stdout).toContain('is not in the manifest');
    await rm(added);
  });

  test('figures of the manifest that are not those of the files', async () => {
    const changed = { ...original, rows: original.rows + 1 };
    await writeFile(desk.path('tampered/manifest.json'), JSON.stringify(changed));
    expect(await problems()).toContain(`There are ${original.rows} rows, not ${changed.rows}.`);
    const [first = {}, ...others] = original.totals;
    const more = { ...original, totals: [{ ...first, points: '1' }, ...others] };
    await writeFile(desk.path('tampered/manifest.json'), JSON.stringify(more));
    expect(await problems()).toContain('The totals are not those of the files.');
  });

  test('a whole file with its hash put into another day', async () => {
    const files = original.files.map((one, place) =>
      place === 3 ? { ...one, from: one.to, to: '2026-09-29T00:00:00.000Z' } : one,
    );
    await writeFile(desk.path('tampered/manifest.json'), JSON.stringify({ ...original, files }));
    expect(await problems()).toContain('of its rows lie outside of its period');
  });
});

test('without a database the files are compared with the manifest alone, and it says so', async () => {
  await desk.export('postings', 'csv', 'alone', SEPTEMBER);
  const { DATA_DIR } = process.env;
  process.env.DATA_DIR = desk.path('no-data');
  for (const url of ['postgresql://nobody@127.0.0.1:1/none', '']) {
    const run = await runCli(url, ['verify', 'export', desk.path('alone')]);
    expect(run).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('Not compared with a ledger close.'),
      stderr: expect.stringContaining('No database can be reached'),
    });
  }
  expect(existsSync(desk.path('no-data'))).toBe(false);
  if (DATA_DIR === undefined) delete process.env.DATA_DIR;
  else process.env.DATA_DIR = DATA_DIR;
});

test('a place without an export, a foreign file as a close, two contradicting options', async () => {
  const nowhere = await desk.verify('nowhere');
  expect(nowhere).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('There is no') });
  await desk.export('lots', 'csv', 'lots', SEPTEMBER);
  const notCompared = await desk.verify('lots');
  expect(notCompared).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('Not compared with a ledger close.'),
  });
  await desk.export('postings', 'csv', 'plain', SEPTEMBER);
  const foreign = await desk.verify('plain', '--close', desk.path('plain/manifest.json'));
  expect(foreign).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('is no close report to trust'),
  });
  const both = await desk.verify('plain', '--offline', '--close', 'x');
  expect(both.exitCode).toBe(2);
  await writeFile(desk.path('plain/manifest.json'), '{"schema":"x"}');
  expect(await desk.verify('plain')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('is no manifest'),
  });
});
