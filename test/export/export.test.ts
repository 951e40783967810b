import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { KINDS } from '../../src/export/kinds/all-kinds.ts';
import type { Kind, KindName } from '../../src/export/kinds/kind.ts';
import { toTypeId } from '../../src/ids.ts';
import { PERIOD, useExportDesk } from '../support/export/export-desk.ts';

const desk = useExportDesk(11);

const EXPECTED: Readonly<Record<KindName, string>> = {
  transactions: 'select count(*), sum(points) from transactions where environment_id = $1 and created_at',
  postings: 'select count(*), sum(amount) from postings where environment_id = $1 and created_at',
  members: 'select count(*), null as sum from members where environment_id = $1 and created_at',
  lots: 'select count(*), sum(granted) from lots where environment_id = $1 and created_at',
  audit: 'select count(*), null as sum from audit_events where environment_id = $1 and at',
};

const POINTS: Partial<Record<KindName, string>> = {
  transactions: 'points',
  postings: 'points',
  lots: 'granted',
};

describe.each(Object.values(KINDS) as Kind[])('$name', ({ name, columns, time }) => {
  const indexOf = (column: string | undefined): number => columns.findIndex((one) => one.name === column);

  test.each(['csv', 'jsonl', 'parquet'] as const)(
    'as %s has the rows of the period, and verifies',
    async (format) => {
      const out = `${name}-${format}`;
      expect(await desk.export(name, format, out)).toMatchObject({ exitCode: 0, stderr: '' });
      const manifest = await desk.manifest(`${out}/manifest.json`);
      const rows = await desk.rows(out, manifest);
      const { rows: sums } = await desk.database.adminPool.query<{ count: number; sum: string | null }>(
        `${EXPECTED[name]} >= '${PERIOD.from}' and ${time} < '${PERIOD.to}'`,
        [desk.books.environmentId],
      );
      const points = indexOf(POINTS[name]);
      const sum =
        points === -1 ? null : String(rows.reduce((total, row) => total + BigInt(row[points] ?? 0), 0n));
      expect({ rows: rows.length, sum }).toEqual({ rows: sums[0]?.count, sum: sums[0]?.sum });
      expect(rows.length).toBeGreaterThan(5);
      expect(manifest).toMatchObject({
        rows: rows.length,
        periodOver: true,
        environmentId: desk.environment,
      });
      const days = new Set(rows.map((row) => row[indexOf(time)]?.slice(0, 10)));
      expect(manifest.files.map((file) => file.name)).toEqual(
        [...days].map((day) => `${name}-${day}.${format}`),
      );
      expect(await desk.verify(out)).toMatchObject({ exitCode: 0, stderr: '' });
    },
  );

  test('as one file has the same rows as in days', async () => {
    const one = `${name}.jsonl`;
    expect(await desk.export(name, 'jsonl', one)).toMatchObject({ exitCode: 0 });
    const days = await desk.manifest(`${name}-jsonl/manifest.json`);
    const manifest = await desk.manifest(`${one}.manifest.json`);
    const texts = await Promise.all(
      days.files.map((file) => readFile(desk.path(`${name}-jsonl`, file.name), 'utf8')),
    );
    expect(await readFile(desk.path(one), 'utf8')).toBe(texts.join(''));
    expect({ rows: manifest.rows, totals: manifest.totals }).toEqual({
      rows: days.rows,
      totals: days.totals,
    });
    expect(await desk.verify(one)).toMatchObject({ exitCode: 0 });
  });
});

test.each(['postings', 'transactions', 'lots'] as const)(
  '%s: what lies at the begin belongs to the period, what lies at its end does not',
  async (kind) => {
    const { rows } = await desk.database.adminPool.query<{ at: Date }>(
      `select distinct created_at as at from ${kind}
       where environment_id = $1 and created_at >= '2026-09-05' order by 1 limit 20`,
      [desk.books.environmentId],
    );
    const [from = '', to = ''] = [rows[0], rows[19]].map((row) => row?.at.toISOString());
    await desk.export(kind, 'csv', `edges-${kind}`, { from, to });
    const found = await desk.rows(`edges-${kind}`, await desk.manifest(`edges-${kind}/manifest.json`));
    const at = KINDS[kind].columns.findIndex(({ name }) => name === 'created_at');
    expect(new Set(found.map((row) => row[at]))).toEqual(
      new Set(rows.slice(0, 19).map((row) => row.at.toISOString())),
    );
  },
);

test('no other kind than members has a name of a person', async () => {
  for (const { columns, name } of Object.values(KINDS)) {
    const named = columns.some((column) => /display_name|email/.test(column.name));
    expect([name, named]).toEqual([name, name === 'members']);
  }
});

test('a reversal after the period does not change how a transaction is exported', async () => {
  const { adminPool } = desk.database;
  const { rows } = await adminPool.query<{ id: string; later: string }>(
    `with first as (
       select id, member_id, program_id, row_number() over (order by created_at) as place from transactions
       where environment_id = $1 and created_at >= '2026-09-01' and created_at < '2026-09-20' limit 2
     ), reversing as (
       insert into transactions (environment_id, id, program_id, member_id, event_type, state, points, occurred_at,
         created_at, reversal_of, receipt)
       select $1, gen_random_uuid(), program_id, member_id, 'adjustment.reversed', 'committed', 0, at, at, id, '{}'
       from first cross join lateral (
         select timestamptz '2026-09-10' + place * interval '15 days' as at
       ) as posted
       returning id, reversal_of, created_at
     )
     update transactions t set state = 'reversed', reversed_by = r.id from reversing r
     where t.environment_id = $1 and t.id = r.reversal_of
     returning t.id, (r.created_at >= '2026-10-01')::text as later`,
    [desk.books.environmentId],
  );
  expect(rows.map(({ later }) => later).sort()).toEqual(['false', 'true']);
  await desk.export('transactions', 'csv', 'september', { from: '2026-09-01', to: '2026-10-01' });
  const found = await desk.rows('september', await desk.manifest('september/manifest.json'));
  for (const { id, later } of rows) {
    const row = found.find(([transaction]) => transaction === toTypeId('txn', id));
    expect({ state: row?.[8], unreversed: row?.[11] === null }).toEqual(
      later === 'true' ? { state: 'committed', unreversed: true } : { state: 'reversed', unreversed: false },
    );
  }
});

test('an export is an operation with an audit event, and one that is complete writes nothing again', async () => {
  const events = async (): Promise<unknown[]> => {
    const { rows } = await desk.database.adminPool.query(
      `select e.action, e.actor_id, e.changes, o.type, o.status, o.progress_done = o.progress_total as whole
       from audit_events e join operations o on o.environment_id = e.environment_id and e.request_id = $2
       where e.environment_id = $1 and e.request_id = $2 and o.type = 'export'
         and o.id = (select max(id::text)::uuid from operations where environment_id = $1)`,
      [desk.books.environmentId, operationId],
    );
    return rows;
  };
  const args = [...desk.command('lots', 'csv', 'again'), '--actor', 'grace', '--json'];
  const { operationId } = JSON.parse((await desk.rewards(...args)).stdout) as { operationId: string };
  expect(await events()).toMatchObject([
    { action: 'export.completed', actor_id: 'grace', type: 'export', status: 'succeeded', whole: true },
  ]);
  const before = await readFile(desk.path('again/manifest.json'), 'utf8');
  const again = await desk.rewards(...args);
  expect({
    exitCode: again.exitCode,
    stderr: again.stderr,
    operationId: JSON.parse(again.stdout).operationId,
  }).toEqual({ exitCode: 0, stderr: expect.stringContaining('complete already'), operationId: null });
  expect(await readFile(desk.path('again/manifest.json'), 'utf8')).toBe(before);
  expect(await events()).toHaveLength(1);
});

test('what lies in the future is left out, and comes with a later run', async () => {
  const period = { from: '2026-08-20', to: '2126-01-01' };
  const first = await desk.export('lots', 'csv', 'future', period);
  expect(first).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('lay in the future') });
  const { period: covered } = await desk.manifest('future/manifest.json');
  expect(Date.parse(covered.to)).toBeLessThanOrEqual(Date.now() + 60_000);
  expect(await desk.export('lots', 'csv', 'future', period)).toMatchObject({ exitCode: 0 });
  const again = await desk.manifest('future/manifest.json');
  expect(again.period.to > covered.to).toBe(true);
  expect(await desk.verify('future')).toMatchObject({ exitCode: 0 });
});

describe('is refused, and nothing is written', () => {
  test.each([
    ['an empty period', { from: '2026-09-01', to: '2026-09-01' }, '--from must lie before --to'],
    ['a reversed one', { from: '2026-09-02', to: '2026-09-01' }, '--from must lie before --to'],
    ['one that has not begun', { from: '2126-01-01', to: '2126-02-01' }, 'not in the future'],
    ['what is no instant', { from: 'yesterday', to: '2026-09-01' }, 'It must be a date'],
  ])('%s', async (_name, period, message) => {
    const run = await desk.export('postings', 'csv', 'refused', period);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain(message);
    expect(await desk.verify('refused')).toMatchObject({ exitCode: 1 });
  });

  test('an unknown format, a path of another format, a folder of something else, another export', async () => {
    const wrong = await desk.rewards(...desk.command('lots', 'xml' as 'csv', 'x'));
    expect(wrong).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('Allowed choices are csv') });
    const other = await desk.export('lots', 'csv', 'x.parquet');
    expect(other).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('ends with .parquet') });
    const occupied = await desk.export('lots', 'csv', '.');
    expect(occupied).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('is not empty') });
    await desk.export('lots', 'csv', 'taken');
    for (const args of [
      desk.command('postings', 'csv', 'taken'),
      desk.command('lots', 'jsonl', 'taken'),
      desk.command('lots', 'csv', 'taken', { ...PERIOD, to: '2026-11-06' }),
    ]) {
      const run = await desk.rewards(...args);
      expect(run).toMatchObject({
        exitCode: 2,
        stderr: expect.stringContaining('is of another export: lots as csv'),
      });
    }
    expect(await desk.verify('taken')).toMatchObject({ exitCode: 0 });
  });
});
