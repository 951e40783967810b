import { createHmac } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import type { Pool, QueryConfig } from 'pg';
import { Cursors, type ListIdentity } from '../../../src/queries/shared/cursors.ts';
import { ReadPool } from '../../../src/queries/shared/read-pool.ts';
import { useCounter } from '../../support/ledger/use-counter.ts';
import { usePool } from '../../support/use-database.ts';

let here: ListIdentity;
let there: ListIdentity;

const counter = useCounter();
const pool = usePool(() => ({ url: counter.database.serverUrl, size: 4 }));

beforeAll(async () => {
  const list = { list: 'transactions', filter: { state: 'committed' } };
  here = { environmentId: (await counter.environment()).id, ...list };
  there = { environmentId: (await counter.environment()).id, ...list };
});

const position = ['2026-03-04T12:00:00.000Z', 'a transaction'];

const cursors = (): Cursors => new Cursors(new ReadPool(pool));

/** A cursor of the time before encryption, signed for a list, with the secret of any environment. */
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

test('nothing can be read from a cursor, and the same position has the same cursor in every process', async () => {
  const row = ['2026-03-04 12:00:00.123456+00', '0198c1de-7a11-7c3f-9d2e-5b6a7c8d9e0f'];
  const cursor = await cursors().write(here, row);
  const bytes = Buffer.from(cursor, 'base64url');
  const uuid = row[1]?.replaceAll('-', '') ?? '';
  for (const text of [cursor, bytes.toString('latin1'), bytes.toString('hex')]) {
    for (const told of [...row, uuid, '2026', '0198c1de']) expect(text).not.toContain(told);
  }
  expect(bytes.includes(Buffer.from(uuid, 'hex'))).toBe(false);
  expect(await cursors().write(here, row)).toBe(cursor);
  // After the id of the key, positions that begin alike have another nonce and other bytes.
  const next = Buffer.from(await cursors().write(here, [row[0] ?? '', 'another']), 'base64url');
  expect(next.subarray(4, 16)).not.toEqual(bytes.subarray(4, 16));
  expect(next.subarray(32, 56)).not.toEqual(bytes.subarray(32, 56));
});

test('a cursor of another list, other filters or with any changed bit is refused', async () => {
  const one = cursors();
  const cursor = await one.write(here, position);
  for (const other of [
    { ...here, list: 'customerActivity' },
    { ...here, filter: { state: 'pending' } },
  ]) {
    expect(await one.read(other, cursor)).toMatchObject({ code: 'invalid_cursor' });
  }
  const bytes = Buffer.from(cursor, 'base64url');
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const changed = Buffer.from(bytes);
    changed[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    expect(await one.read(here, changed.toString('base64url'))).toMatchObject({ code: 'invalid_cursor' });
  }
});

test('each environment has a secret of its own, in whatever order they are asked', async () => {
  expect(await counter.value('select count(distinct cursor_secret) from environments')).toBe(2);
  for (const [first, second] of [
    [here, there],
    [there, here],
  ] as const) {
    const one = cursors();
    for (const identity of [first, second]) {
      // A kept cursor of the events feed, from before cursors were encrypted, still names its place.
      expect(await one.read(identity, await signed(identity, identity.environmentId))).toEqual(position);
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
