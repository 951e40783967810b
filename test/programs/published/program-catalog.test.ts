import { expect, test } from '@jest/globals';
import type { QueryResultRow } from 'pg';
import type { Queryable } from '../../../src/db/pool.ts';
import { createLanePool } from '../../../src/ledger/batch/lane-pool.ts';
import { ProgramCatalog } from '../../../src/programs/published/program-catalog.ts';
import { createQueries } from '../../../src/queries/queries.ts';
import { codeOf } from '../../support/commands/desk.ts';
import type { Shop } from '../../support/ledger/counter.ts';
import { tamperedPool } from '../../support/ledger/tampered-pool.ts';
import { useCounter } from '../../support/ledger/use-counter.ts';
import { program } from '../../support/rules/fixtures.ts';
import { until } from '../../support/until.ts';
import { usePool } from '../../support/use-database.ts';

const counter = useCounter();
const pool = usePool(() => ({ url: counter.database.serverUrl, size: 4, applicationName: 'catalog' }));

/** Connections that count the versions whose documents were read through them. */
function counting(): { connections: Queryable; read: number[] } {
  const read: number[] = [];
  const connections: Queryable = {
    async query<Row extends QueryResultRow>(statement: { name: string; text: string; values: unknown[] }) {
      const result = await pool.query<Row>(statement);
      read.push(result.rows.filter((row) => row.program_id !== null).length);
      return result;
    },
  };
  return { connections, read };
}

const versionsOf = async (shop: Shop): Promise<number> =>
  counter.value<number>('select revision from environments where id = $1', [shop.id]);

test('a refresh reads the versions that are new, and keeps the documents that it has', async () => {
  const shop = await counter.environment(program(), program({ id: 'tea-club' }));
  const catalog = new ProgramCatalog();
  const { connections, read } = counting();
  const before = await catalog.programsOf(connections, shop.id, await versionsOf(shop));
  await shop.publish(program({ name: 'Coffee Circle' }));
  await shop.publish(program({ id: 'wine-club' }));
  const after = await catalog.programsOf(connections, shop.id, await versionsOf(shop));
  expect(read).toEqual([2, 2]);
  expect([...after].map(([id, { versions }]) => [id, versions.map(({ version }) => version)])).toEqual([
    ['coffee-club', [1, 2]],
    ['tea-club', [1]],
    ['wine-club', [1]],
  ]);
  expect(after.get('coffee-club')?.versions[0]?.document).toBe(
    before.get('coffee-club')?.versions[0]?.document,
  );
  expect(before.get('coffee-club')?.versions).toHaveLength(1);
  // At a revision that it has, nothing is read.
  await catalog.programsOf(connections, shop.id, await versionsOf(shop));
  expect(read).toHaveLength(2);
});

test('an environment without programs is known after one refresh', async () => {
  const shop = await counter.environment();
  await counter.database.adminPool.query('delete from program_versions where environment_id = $1', [shop.id]);
  const catalog = new ProgramCatalog();
  const { connections, read } = counting();
  expect((await catalog.refresh(connections, shop.id)).size).toBe(0);
  expect({
    knows: catalog.knows(shop.id),
    programsAt: catalog.programsAt(shop.id, await versionsOf(shop))?.size,
  }).toEqual({ knows: true, programsAt: 0 });
  expect(read).toEqual([0]);
});

test('a caller that joins a refresh which began before a publication refreshes once more', async () => {
  const shop = await counter.environment();
  const catalog = new ProgramCatalog();
  let letGo = (): void => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let answered = false;
  const slow: Queryable = {
    async query<Row extends QueryResultRow>(statement: { name: string; text: string; values: unknown[] }) {
      const result = await pool.query<Row>(statement);
      answered = true;
      await held;
      return result;
    },
  };
  const first = catalog.refresh(slow, shop.id);
  await until(() => answered, 'the query of the first refresh is answered before the publication');
  await shop.publish(program({ name: 'Coffee Circle' }));
  const second = catalog.programsOf(pool, shop.id, await versionsOf(shop));
  letGo();
  expect((await first).get('coffee-club')?.versions).toHaveLength(1);
  expect((await second).get('coffee-club')?.versions).toHaveLength(2);
});

test('batches read documents outside their transactions, and none after a lock and an unlock', async () => {
  const lanePool = createLanePool({ url: counter.database.serverUrl, size: 2, applicationName: 'catalog' });
  const statements: string[] = [];
  const seen = tamperedPool(lanePool, (text, send) => {
    if (/^(begin|commit|rollback)/.test(text)) statements.push(text.split(' ')[0] as string);
    if (text.includes('program_versions')) statements.push('documents');
    return send();
  });
  const shop = await counter.environment();
  const writer = counter.writer({ lanes: 1, lanePool: seen });
  await shop.addMembers(writer, ['ann']);
  expect(statements.slice(0, 3)).toEqual(['documents', 'begin', 'commit']);

  statements.length = 0;
  await shop.publish(program({ name: 'Coffee Circle' }));
  expect(codeOf(await writer.submit(shop.earn('ann')))).toBe('done');
  expect(statements).toEqual(['begin', 'rollback', 'documents', 'begin', 'commit']);

  statements.length = 0;
  await shop.setLocked(true);
  expect(codeOf(await writer.submit(shop.earn('ann')))).toBe('production_locked');
  await shop.setLocked(false);
  expect(codeOf(await writer.submit(shop.earn('ann')))).toBe('done');
  expect(statements).toEqual(['begin', 'commit', 'begin', 'commit']);
});

test('reads see a publication at once', async () => {
  const shop = await counter.environment();
  const queries = createQueries(pool);
  const input = { programId: 'tea-club', items: [{ sku: 'tea', unitPriceMinor: 100 }] };
  expect(await queries.evaluateOffers(shop.id, input)).toMatchObject({ code: 'program_not_found' });
  await shop.publish(program({ id: 'tea-club' }));
  expect(await queries.evaluateOffers(shop.id, input)).toMatchObject({ subtotalMinor: 100 });
});
