import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import type { Pool, QueryConfig } from 'pg';
import { createPool } from '../../../src/db/pool.ts';
import { Cursors, type ListIdentity } from '../../../src/queries/shared/cursors.ts';
import { ReadPool } from '../../../src/queries/shared/read-pool.ts';
import { Counter } from '../../support/ledger/counter.ts';

let counter: Counter;
let pool: Pool;
let here: ListIdentity;
let there: ListIdentity;

beforeAll(async () => {
  counter = await Counter.open();
  pool = createPool({ url: counter.database.serverUrl, size: 4 });
  const list = { list: 'transactions', filter: { state: 'committed' } };
  here = { environmentId: (await counter.environment()).id, ...list };
  there = { environmentId: (await counter.environment()).id, ...list };
});

afterAll(async () => {
  await pool.end();
  await counter.close();
});

const position = ['2026-03-04T12:00:00.000Z', 'a transaction'];

const cursors = (): Cursors => new Cursors(new ReadPool(pool));

/** A cursor that is signed for a list, with the secret of any environment. */
async function signed({ environmentId, list, filter }: ListIdentity, secretOf: string): Promise<string> {
  const secret = await counter.value<Buffer>('select cursor_secret from environments where id = $1', [
    secretOf,
  ]);
  const payload = JSON.stringify(position);
  const said = canonicalize([environmentId, list, filter, payload]) ?? '';
  const mac = createHmac('sha256', secret).update(said).digest();
  return Buffer.concat([mac, Buffer.from(payload)]).toString('base64url');
}

test('a cursor is read in its own list, and refused in the same list of another environment', async () => {
  const one = cursors();
  const cursor = await one.write(here, position);
  expect(await one.read(here, cursor)).toEqual(position);
  expect(await one.read(there, cursor)).toMatchObject({ code: 'invalid_cursor' });
  expect(await cursors().read(here, cursor)).toEqual(position);
});

test('each environment signs with a secret of its own, in whatever order they are asked', async () => {
  expect(await counter.value('select count(distinct cursor_secret) from environments')).toBe(2);
  for (const [first, second] of [
    [here, there],
    [there, here],
  ] as const) {
    const one = cursors();
    for (const identity of [first, second]) {
      expect(await one.write(identity, position)).toBe(await signed(identity, identity.environmentId));
    }
    // Who knows the secret of one environment cannot sign for another one.
    const forged = await signed(second, first.environmentId);
    expect(await one.read(second, forged)).toMatchObject({ code: 'invalid_cursor' });
  }
});

test('whatever else is sent is refused: another text, another spelling, a part, or nothing', async () => {
  const one = cursors();
  const cursor = await one.write(here, position);
  const spellings = [`${cursor}=`, `${cursor} `, `*${cursor}`, `${cursor.slice(0, 9)}.${cursor.slice(9)}`];
  const parts = fc.nat({ max: cursor.length - 1 }).map((length) => cursor.slice(0, length));
  const texts = fc.oneof(fc.constantFrom(...spellings), parts, fc.string(), fc.base64String());
  await fc.assert(
    fc.asyncProperty(texts, async (text) => {
      expect(await one.read(here, text)).toMatchObject({ code: 'invalid_cursor' });
    }),
    { examples: [...spellings, ''].map((text) => [text]) },
  );
});

test('the secret of an environment is read once', async () => {
  let statements = 0;
  const counted = {
    options: pool.options,
    query: (statement: QueryConfig) => {
      statements += 1;
      return pool.query(statement);
    },
  };
  const one = new Cursors(new ReadPool(counted as unknown as Pool));
  for (let index = 0; index < 3; index++) await one.read(here, await one.write(here, position));
  expect(statements).toBe(1);
  await one.write(there, position);
  expect(statements).toBe(2);
});
