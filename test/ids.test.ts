import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fromUUID } from 'typeid-js';
import { validate, version } from 'uuid';
import { fromTypeId, newUuid, toTypeId } from '../src/ids.ts';

describe('newUuid', () => {
  test('gives UUIDs of version 7, of this moment', () => {
    const before = Date.now();
    const id = newUuid();
    expect(validate(id)).toBe(true);
    expect(version(id)).toBe(7);
    const ms = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
    expect(ms).toBeGreaterThanOrEqual(before);
    expect(ms).toBeLessThanOrEqual(Date.now());
  });

  test('sorts by the order of making, many to the millisecond, and never repeats', () => {
    const ids = Array.from({ length: 20_000 }, newUuid);
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('TypeIDs', () => {
  test('spell a UUID in Crockford base32 behind the prefix', () => {
    const uuid = '01890a5d-ac96-774b-bcce-b302099a8057';
    expect(toTypeId('mem', uuid)).toBe('mem_01h455vb4pex5vsknk084sn02q');
    expect(fromTypeId('mem', 'mem_01h455vb4pex5vsknk084sn02q')).toBe(uuid);
  });

  test('are those of typeid-js', () => {
    fc.assert(
      fc.property(fc.uuid(), (uuid) => {
        expect(toTypeId('txn', uuid)).toBe(fromUUID(uuid, 'txn'));
        expect(toTypeId('txn', uuid.toUpperCase())).toBe(fromUUID(uuid, 'txn'));
      }),
    );
  });

  test('come back as the UUID that they were made from', () => {
    fc.assert(
      fc.property(fc.uuid(), (uuid) => {
        expect(fromTypeId('txn', toTypeId('txn', uuid))).toBe(uuid);
      }),
    );
  });

  test.each([
    ['another prefix', 'txn_01h455vb4pex5vsknk084sn02q'],
    ['a prefix that only begins alike', 'memo_01h455vb4pex5vsknk084sn02q'],
    ['no prefix', '01h455vb4pex5vsknk084sn02q'],
    ['a character too few', 'mem_01h455vb4pex5vsknk084sn02'],
    ['a character too many', 'mem_01h455vb4pex5vsknk084sn02q0'],
    ['capital letters', 'mem_01H455VB4PEX5VSKNK084SN02Q'],
    ['a letter outside of the alphabet', 'mem_01h455vb4pex5vsknk084sn02u'],
    ['more than 128 bits', 'mem_81h455vb4pex5vsknk084sn02q'],
    ['bits that are no UUID', 'mem_01h455vb4p0000000000000001'],
    ['a line end', 'mem_01h455vb4pex5vsknk084sn02q\n'],
    ['nothing', ''],
  ])('are refused with %s', (_what, text) => {
    expect(fromTypeId('mem', text)).toBeNull();
  });
});
