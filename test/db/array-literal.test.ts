import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { arrayLiteral, jsonColumn } from '../../src/db/array-literal.ts';
import { useDatabase } from '../support/use-database.ts';

const { database } = useDatabase();

// Postgres stores neither NUL nor lone surrogates; the edges refuse both.
const storable = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\0', ''));

test('every text comes back from Postgres as it was', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(storable)), async (texts) => {
      const { rows } = await database.adminPool.query('select $1::text[] as texts', [arrayLiteral(texts)]);
      expect(rows[0].texts).toEqual(texts);
    }),
    { numRuns: 200, examples: [[['a"b', '\\', '\\"', '{}', 'NULL', '', ' ', 'a,b', '\n\t', "'", null]]] },
  );
});

test('numbers, flags, instants and bytes come back as they were', async () => {
  const instants = [new Date(0), new Date('2026-11-21T15:31:44.123Z'), null];
  const { rows } = await database.adminPool.query(
    'select $1::bigint[] as points, $2::boolean[] as flags, $3::timestamptz[] as instants, $4::bytea[] as bytes',
    [
      arrayLiteral([0, -1, Number.MAX_SAFE_INTEGER, null]),
      arrayLiteral([true, false, null]),
      arrayLiteral(instants),
      arrayLiteral([Buffer.from([0, 92, 34, 255]), Buffer.alloc(0), null]),
    ],
  );
  expect(rows[0]).toEqual({
    points: [0, -1, Number.MAX_SAFE_INTEGER, null],
    flags: [true, false, null],
    instants,
    bytes: [Buffer.from([0, 92, 34, 255]), Buffer.alloc(0), null],
  });
});

test('every JSON value comes back as it was', async () => {
  const json = fc.object({
    key: storable,
    values: [storable, fc.integer(), fc.boolean(), fc.constant(null)],
  });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(json)), async (values) => {
      const { rows } = await database.adminPool.query(
        'select v::json as value from unnest($1::text[]) as v',
        [jsonColumn(values as (object | null)[])],
      );
      expect(rows.map((row) => row.value)).toEqual(JSON.parse(JSON.stringify(values)));
    }),
    { numRuns: 200, examples: [[[{ text: 'quote " slash \\ line \n tab \t \u007f \u2028' }, null]]] },
  );
});
