import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parse, print, visit } from 'graphql';
import { envelope, fingerprintOf } from '../../src/commands/caller.ts';

const caller = {
  environmentId: 'e',
  actor: { type: 'api_key' as const, id: 'key_a' },
  requestId: 'req_a',
};

test('an envelope says who calls, what, and under which key', () => {
  expect(envelope('purchaseEarn', { idempotencyKey: 'k' }, caller)).toEqual({
    environmentId: 'e',
    operation: 'purchaseEarn',
    idempotencyKey: 'k',
    fingerprint: fingerprintOf({ idempotencyKey: 'other' }),
    actor: caller.actor,
    requestId: 'req_a',
  });
});

test('a fingerprint has 32 bytes, and neither the key nor the order of properties is part of it', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), (said, idempotencyKey) => {
      const reversed = Object.fromEntries(Object.entries(said).reverse());
      const fingerprint = fingerprintOf({ ...said, idempotencyKey });
      expect(fingerprint).toHaveLength(32);
      expect(fingerprintOf({ ...reversed, idempotencyKey: 'another' })).toEqual(fingerprint);
    }),
  );
});

test('whatever else differs, the fingerprint differs', () => {
  const base = { idempotencyKey: 'k', amountMinor: 100, items: [{ sku: 'a' }, { sku: 'b' }] };
  const others = [
    { ...base, amountMinor: 101 },
    { ...base, amountMinor: '100' },
    { ...base, items: [{ sku: 'b' }, { sku: 'a' }] },
    { ...base, items: [{ sku: 'a' }] },
    { ...base, couponCode: 'x' },
    { ...base, couponCode: '' },
  ];
  const fingerprints = [base, ...others].map((input) => fingerprintOf(input).toString('hex'));
  expect(new Set(fingerprints).size).toBe(fingerprints.length);
});

test("null, an empty list and absence say the same; inside the client's own JSON they do not", () => {
  const plain = fingerprintOf({
    idempotencyKey: 'k',
    amountMinor: 1,
    context: { attributes: { a: null } },
  } as never);
  const spelt = {
    idempotencyKey: 'k',
    amountMinor: 1,
    currency: null,
    items: [],
    couponCode: undefined,
    context: { attributes: { a: null } },
  };
  expect(fingerprintOf(spelt)).toEqual(plain);
  expect(fingerprintOf({ ...spelt, context: { attributes: {} } } as never)).not.toEqual(plain);
  expect(fingerprintOf({ ...spelt, context: { attributes: { a: [] } } } as never)).not.toEqual(plain);
});

test('null says the same as the default that the contract gives, in every input that has one', () => {
  const defaults: [string, unknown][] = [];
  visit(parse(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8')), {
    InputObjectTypeDefinition(input) {
      for (const { name, defaultValue } of input.fields ?? []) {
        if (defaultValue) defaults.push([name.value, JSON.parse(print(defaultValue))]);
      }
    },
  });
  expect(defaults.length).toBeGreaterThan(1);
  for (const [name, value] of defaults) {
    const keyed = (said: unknown) =>
      fingerprintOf({ idempotencyKey: 'k', items: [{ [name]: said }] } as never);
    expect(keyed(null)).toEqual(keyed(value));
    expect(keyed('other')).not.toEqual(keyed(value));
  }
});
