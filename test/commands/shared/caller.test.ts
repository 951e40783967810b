import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  extendSchema,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  getNamedType,
  isInputObjectType,
  parse,
} from 'graphql';
import { defaultOf, readContract } from '../../../codegen/contract.ts';
import { inputShapesOf } from '../../../codegen/input-shapes.ts';
import { envelope, fingerprintOf } from '../../../src/commands/shared/caller.ts';
import { inputShapes } from '../../../src/contract/generated/input-shapes.ts';
import type { Mutation } from '../../../src/contract/generated/types.ts';
import type { InputShape } from '../../../src/contract/input-shape.ts';
import stored from './fingerprints.json' with { type: 'json' };

const caller = {
  environmentId: 'e',
  actor: { type: 'api_key' as const, id: 'key_a' },
  requestId: 'req_a',
};

const purchase = inputShapes.purchaseEarn;
const shapes: Readonly<Record<string, InputShape>> = inputShapes;

test('an envelope says who calls, what, and under which key', () => {
  expect(envelope('purchaseEarn', { idempotencyKey: 'k' }, caller)).toEqual({
    environmentId: 'e',
    operation: 'purchaseEarn',
    idempotencyKey: 'k',
    fingerprint: fingerprintOf({ idempotencyKey: 'other' }, purchase),
    actor: caller.actor,
    requestId: 'req_a',
  });
});

test('a fingerprint has 32 bytes, and neither the key nor the order of properties is part of it', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), (said, idempotencyKey) => {
      const reversed = Object.fromEntries(Object.entries(said).reverse());
      const fingerprint = fingerprintOf({ ...said, idempotencyKey }, purchase);
      expect(fingerprint).toHaveLength(32);
      expect(fingerprintOf({ ...reversed, idempotencyKey: 'another' }, purchase)).toEqual(fingerprint);
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
  const fingerprints = [base, ...others].map((input) => fingerprintOf(input, purchase).toString('hex'));
  expect(new Set(fingerprints).size).toBe(fingerprints.length);
});

test("null, an empty list and absence say the same; inside the client's own JSON they do not", () => {
  const plain = fingerprintOf(
    { idempotencyKey: 'k', amountMinor: 1, context: { attributes: { a: null } } } as never,
    purchase,
  );
  const spelt = {
    idempotencyKey: 'k',
    amountMinor: 1,
    currency: null,
    items: [],
    couponCode: undefined,
    context: { attributes: { a: null } },
  };
  expect(fingerprintOf(spelt, purchase)).toEqual(plain);
  expect(fingerprintOf({ ...spelt, context: { attributes: {} } } as never, purchase)).not.toEqual(plain);
  expect(fingerprintOf({ ...spelt, context: { attributes: { a: [] } } } as never, purchase)).not.toEqual(
    plain,
  );
});

test('null says the same as the default that the contract gives, in every input that has one', () => {
  const contract = readContract();
  const roots = [contract.getQueryType(), contract.getMutationType()];
  const defaults = roots
    .flatMap((root) => Object.values(root?.getFields() ?? {}))
    .flatMap(({ name: operation, args }) => {
      const type = getNamedType(args.find(({ name }) => name === 'input')?.type);
      return isInputObjectType(type) ? defaultsIn(type).map((found) => ({ operation, ...found })) : [];
    });
  const declared = Object.values(contract.getTypeMap())
    .filter(isInputObjectType)
    .flatMap((type) => Object.values(type.getFields()).filter((field) => field.default));
  // Several operations may take the same type of input.
  expect(new Set(defaults.map(({ field }) => field)).size).toBe(declared.length);
  expect(defaults.length).toBeGreaterThan(1);
  for (const { operation, holding, value } of defaults) {
    const keyed = (said: unknown) =>
      fingerprintOf({ idempotencyKey: 'k', ...holding(said) }, shapes[operation] ?? {});
    expect(keyed(null)).toEqual(keyed(value));
    expect(keyed('other')).not.toEqual(keyed(value));
  }
});

test('an input of every mutation keeps the fingerprint that it was once stored with', () => {
  expect(new Set(stored.map(({ operation }) => operation))).toEqual(
    new Set(Object.keys(readContract().getMutationType()?.getFields() ?? {})),
  );
  for (const { operation, input, sha256 } of stored) {
    const { fingerprint } = envelope(operation as keyof Mutation, input, caller);
    expect([operation, fingerprint.toString('hex')]).toEqual([operation, sha256]);
  }
});

test('a field that the contract adds is told apart by its type, whatever its name', () => {
  const extended = extendSchema(
    readContract(),
    parse(`
      input ProofInput { seen: JSONObject, copies: Int = 2 }
      extend input OpenDisputeInput { photo: JSONObject, evenings: Int = 3, proofs: [ProofInput!] }
    `),
  );
  const after = inputShapesOf(extended).openDispute ?? {};
  const print = (said: object) => fingerprintOf({ idempotencyKey: 'k', ...said }, after);
  expect(print({ photo: { a: null } })).not.toEqual(print({ photo: {} }));
  expect(print({ photo: { a: [] } })).not.toEqual(print({ photo: {} }));
  expect(print({ proofs: [{ seen: { a: null } }] })).not.toEqual(print({ proofs: [{ seen: {} }] }));
  expect(print({ photo: null })).toEqual(print({}));
  expect(print({ evenings: null })).toEqual(print({ evenings: 3 }));
  expect(print({ evenings: null })).not.toEqual(print({}));
  expect(print({ proofs: [{ copies: null }] })).toEqual(print({ proofs: [{ copies: 2 }] }));
  expect(print({ proofs: [{ copies: null }] })).not.toEqual(print({ proofs: [{}] }));
});

/** Each default of an input type, with an input that has another value. */
function defaultsIn(
  type: GraphQLInputObjectType,
): { field: GraphQLInputField; value: unknown; holding: (said: unknown) => Record<string, unknown> }[] {
  return Object.values(type.getFields()).flatMap((field) => {
    const held = getNamedType(field.type);
    const own = field.default
      ? [{ field, value: defaultOf(field), holding: (said: unknown) => ({ [field.name]: said }) }]
      : [];
    const within = isInputObjectType(held) ? defaultsIn(held) : [];
    return [
      ...own,
      ...within.map(({ holding, ...found }) => ({
        ...found,
        holding: (said: unknown) => ({ [field.name]: [holding(said)] }),
      })),
    ];
  });
}
