import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import type { SimulationReport } from '../../../src/what-if/report.ts';
import { runJson } from '../../support/cli/run-cli.ts';
import { useFolder } from '../../support/fixture.ts';
import { useDatabase } from '../../support/use-database.ts';
import { testWhere } from '../../support/where.ts';

const HISTORY = '../shared/data/cdnow.txt';
// Enough for customers with many orders; docs/operate/imports.md has the whole file.
const ORDERS = 5000;

const folder = useFolder('rewards-history-');
const { database } = useDatabase();

testWhere(existsSync(HISTORY), `no ${HISTORY}`)(
  'real orders earn exactly a point for each full dollar, once, however often they are imported',
  async () => {
    const orders = (await readFile(HISTORY, 'utf8'))
      .split('\n')
      .slice(1, 1 + ORDERS)
      .map((line) => line.trim().split(/\s+/));
    const cells = orders.map(([customer, date = '', , dollars = ''], index) => [
      customer,
      `cdnow-${index + 2}`,
      dollars.replace('.', ''),
      `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`,
    ]);
    const file = join(folder, 'orders.csv');
    const header = 'external_customer_id,source_reference,amount_minor,occurred_at';
    await writeFile(file, `${header}\n${cells.map((row) => row.join(',')).join('\n')}\n`);
    const points = orders.reduce((sum, [, , , dollars = '']) => sum + Number.parseInt(dollars, 10), 0);

    const url = database.adminUrl;
    const { tenantId } = await runJson<{ tenantId: string }>(url, ['tenant', 'create', 'Records']);
    const create = ['env', 'create', '--tenant', tenantId, '--kind', 'production'];
    const { environmentId } = await runJson<{ environmentId: string }>(url, create);
    await runJson(url, ['program', 'publish', 'demo/record-club.yaml', '-e', environmentId]);
    const where = ['import', 'purchases', file, '-e', environmentId, '-p', 'record-club'];
    const imported = [...where, '--enroll', '--notice-version', '1997-01'];

    expect(await runJson(url, imported)).toMatchObject({
      complete: true,
      committed: ORDERS,
      rejected: 0,
      committedPoints: String(points),
      membersCreated: new Set(orders.map(([customer]) => customer)).size,
    });
    const before = await totals();
    expect(before).toMatchObject({ points: String(points) });
    expect(await runJson(url, imported)).toMatchObject({ committed: 0, replayed: ORDERS, membersCreated: 0 });
    expect(await totals()).toEqual(before);
    expect(await runJson(url, ['verify', 'ledger'])).toMatchObject({ passed: true });

    const simulate = (draft: string, ...more: string[]) =>
      runJson<SimulationReport>(url, ['program', 'simulate', draft, '-e', environmentId, ...more]);
    const same = await simulate('demo/record-club.yaml');
    expect(same.points.total).toEqual({ now: String(points), draft: String(points), difference: '0' });
    const drafted = await simulate('demo/record-club-draft.yaml', '--event-time', '--to', '1998-07-01');
    const nineTenths = cells.reduce((sum, [, , minor]) => sum + Math.floor((Number(minor) * 9) / 1000), 0);
    expect(drafted.sources.find(({ kind }) => kind === 'earn_rule')).toMatchObject({
      now: String(points),
      draft: String(nineTenths),
    });
    expect(drafted.purchases).toBe(ORDERS);
    expect(await totals()).toEqual(before);
  },
  300_000,
);

async function totals() {
  const { rows } = await database.adminPool.query(
    `select (select sum(available)::text from program_profiles) as points,
      (select count(*)::integer from transactions) as transactions,
      (select count(*)::integer from postings) as postings,
      (select count(*)::integer from consent_records) as consents`,
  );
  return rows[0];
}
