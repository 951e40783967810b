import { describe, expect, test } from '@jest/globals';
import schemas from '../../../src/graphql/generated/input-schemas.json' with { type: 'json' };
import { findVariableDetails } from '../../../src/graphql/schema/variable-details.ts';
import { inContractWords } from '../../../src/http/json-violations.ts';
import { parseStrictJson } from '../../../src/http/strict-json.ts';

interface Schema {
  type?: string | string[];
  minimum?: number;
  maximum?: number;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
}

interface Bounded {
  path: string;
  minimum: number;
  maximum: number;
}

/** The integers of an input, with their bounds and a path to each; the first item stands for all items of a list. */
function integersOf(schema: Schema, path: string): Bounded[] {
  const { properties = {}, items, minimum, maximum } = schema;
  const own = minimum !== undefined && maximum !== undefined ? [{ path, minimum, maximum }] : [];
  const fields = Object.entries(properties).flatMap(([name, field]) => integersOf(field, `${path}.${name}`));
  return [...own, ...fields, ...(items ? integersOf(items, `${path}[0]`) : [])];
}

/** A JSON text in which a number stands at a path. */
function textWith(path: string, number: string): string {
  const steps = path.split(/[.[]/);
  return steps.reduceRight((inner, step) => (step === '0]' ? `[${inner}]` : `{"${step}":${inner}}`), number);
}

function messagesOf(typeName: string, path: string, number: string): string[] {
  const query = JSON.stringify(`mutation ($input: ${typeName}!) { __typename }`);
  const text = textWith(`variables.input${path}`, number);
  const body = parseStrictJson(Buffer.from(`{"query":${query},${text.slice(1)}`));
  if (!body.ok) throw new Error(body.message);
  return inContractWords(body.violations, findVariableDetails(body.value)).map(
    (detail) => `${detail.path} ${detail.message}`,
  );
}

const integers = Object.entries(schemas as Record<string, Schema>)
  .filter(([typeName]) => !typeName.includes('.'))
  .flatMap(([typeName, schema]) => integersOf(schema, '').map((bounded) => ({ typeName, ...bounded })));

describe('a number that JSON carries and no double does', () => {
  test('is looked for in every integer of every input', () => {
    expect(integers.map(({ typeName, path }) => `${typeName}${path}`)).toEqual(
      expect.arrayContaining([
        'PurchaseEarnInput.amountMinor',
        'PurchaseEarnInput.items[0].quantity',
        'RecordReturnInput.returnAmountMinor',
      ]),
    );
  });

  test.each(integers)(
    'is told the bounds that hold: $typeName$path',
    ({ typeName, path, minimum, maximum }) => {
      for (const [number, bound] of [
        ['9007199254740993', `at most ${maximum}`],
        ['1e400', `at most ${maximum}`],
        ['-9007199254740993', `at least ${minimum}`],
        ['-1e400', `at least ${minimum}`],
      ] as const) {
        expect(messagesOf(typeName, path, number)).toEqual([`variables.input${path} must be ${bound}`]);
      }
    },
  );

  test('is told the bounds of every integer where the contract knows no others', () => {
    const widest = 'must be between -9007199254740991 and 9007199254740991';
    expect(messagesOf('PurchaseEarnInput', '.context.attributes.n', '1e16')).toEqual([
      `variables.input.context.attributes.n ${widest}`,
    ]);
    for (const typeName of ['Unknown', '[PurchaseEarnInput!]', '(', 'Long']) {
      expect(messagesOf(typeName, '.amountMinor', '1e16')).toEqual([`variables.input.amountMinor ${widest}`]);
    }
  });
});
