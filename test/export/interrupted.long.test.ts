import { existsSync } from 'node:fs';
import { appendFile, readdir, readFile, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { operator } from '../../src/admin/shared/admin-change.ts';
import { createPrisma } from '../../src/db/prisma.ts';
import { exportPathsOf } from '../../src/export/export-place.ts';
import { type ExportResult, exportRows } from '../../src/export/export-rows.ts';
import type { FormatName } from '../../src/export/formats/format.ts';
import type { KindName } from '../../src/export/kinds/kind.ts';
import { startCli } from '../support/cli/run-cli.ts';
import { PERIOD, useExportDesk } from '../support/export/export-desk.ts';

const desk = useExportDesk(13, 6_000);

/** Exports in this process until so many rows are done; then the export is told to stop. */
async function stopped(kind: KindName, format: FormatName, out: string, rows: number): Promise<ExportResult> {
  const stop = new AbortController();
  return exportRows(
    desk.database.adminPool,
    { prisma: createPrisma(desk.database.adminPool), actor: operator('tests') },
    {
      environmentId: desk.books.environmentId,
      ...{ kind, format, from: new Date(PERIOD.from), to: new Date(PERIOD.to) },
      paths: exportPathsOf(desk.path(out), kind, format),
      signal: stop.signal,
      onProgress(done) {
        if (done >= rows) stop.abort();
      },
    },
  );
}

const timesOf = async (out: string): Promise<Map<string, number>> => {
  const names = (await readdir(desk.path(out))).filter((name) => !name.startsWith('manifest'));
  return new Map(
    await Promise.all(names.map(async (name) => [name, (await stat(desk.path(out, name))).mtimeMs] as const)),
  );
};

test.each(['csv', 'jsonl', 'parquet'] as const)(
  '%s: the days that are finished stay, and the rest follows',
  async (format) => {
    expect(await desk.export('postings', format, `whole-${format}`)).toMatchObject({ exitCode: 0 });
    const out = `stopped-${format}`;
    expect(await stopped('postings', format, out, 2_000)).toMatchObject({ state: 'interrupted' });
    const before = await timesOf(out);
    expect(before.size).toBeGreaterThan(3);
    expect([...before.keys()].filter((name) => name.endsWith('.part'))).toEqual([]);
    expect((await desk.verify(out)).stderr).toContain('was interrupted');
    const again = await desk.export('postings', format, out);
    expect(again).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining(`${before.size} of the files`),
    });
    const after = await timesOf(out);
    for (const [name, time] of before) expect([name, after.get(name)]).toEqual([name, time]);
    const [whole, found] = await Promise.all([
      desk.manifest(`whole-${format}/manifest.json`),
      desk.manifest(`${out}/manifest.json`),
    ]);
    const plain = (manifest: typeof whole) => ({
      ...manifest,
      operationId: '',
      files: manifest.files.map((file) => ({ ...file, snapshotAt: '' })),
    });
    expect(plain(found)).toEqual(plain(whole));
    expect(await desk.verify(out)).toMatchObject({ exitCode: 0 });
  },
);

test('what shows the present begins anew, from one snapshot', async () => {
  expect(await stopped('lots', 'csv', 'lots', 1)).toMatchObject({ state: 'interrupted' });
  expect(await desk.export('lots', 'csv', 'lots')).toMatchObject({ exitCode: 0, stderr: '' });
  const { files } = await desk.manifest('lots/manifest.json');
  expect(new Set(files.map(({ snapshotAt }) => snapshotAt)).size).toBe(1);
  expect(await desk.verify('lots')).toMatchObject({ exitCode: 0 });
});

test('an interrupted one is failed for the operations, with an audit event, and its folder is no other export', async () => {
  const result = await stopped('postings', 'csv', 'told', 2_000);
  const { rows } = await desk.database.adminPool.query(
    `select o.status, o.error ->> 'code' as code, e.action, e.changes ->> 'kind' as kind
     from operations o join audit_events e on e.environment_id = o.environment_id and e.request_id = $2
     where o.environment_id = $1 order by o.created_at desc limit 1`,
    [desk.books.environmentId, result.state === 'interrupted' ? result.operationId : ''],
  );
  expect(rows).toEqual([
    { status: 'failed', code: 'interrupted', action: 'export.failed', kind: 'postings' },
  ]);
  const other = await desk.export('transactions', 'csv', 'told');
  expect(other).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('is of another export') });
});

test('a process that is killed leaves days that the next one goes on after; half a line of its record is ignored', async () => {
  const args = desk.command('postings', 'csv', 'killed');
  const progress = desk.path('killed/manifest.progress.jsonl');
  const { process: child, ended } = startCli(desk.database.adminUrl, args);
  while (!existsSync(progress) || (await readFile(progress, 'utf8')).split('\n').length < 6) {
    if (child.exitCode !== null) break;
    await sleep(1);
  }
  child.kill('SIGKILL');
  await ended;
  if (existsSync(progress)) await appendFile(progress, '{"name":"postings-2026');
  const again = await desk.rewards(...args);
  expect(again.exitCode).toBe(0);
  expect(await desk.verify('killed')).toMatchObject({ exitCode: 0 });
  expect((await readdir(desk.path('killed'))).filter((name) => /part|progress/.test(name))).toEqual([]);
  const [whole, found] = [
    await desk.manifest('whole-csv/manifest.json'),
    await desk.manifest('killed/manifest.json'),
  ];
  expect({ rows: found.rows, totals: found.totals }).toEqual({ rows: whole.rows, totals: whole.totals });
});
