import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { buildSchema, getVariableValues, type OperationDefinitionNode, parse } from 'graphql';
import { findVariableErrors } from '../../../src/graphql/errors/variable-errors.ts';

const schema = buildSchema(`
  type Query { a: Int }
  enum Color { red green }
  input Item { sku: String!, count: Int = 1, colors: [Color!] }
  input Order { id: ID!, items: [Item!], grid: [[Int]], gift: Boolean, item: Item }
`);
const definitionsOf = (text: string) =>
  (parse(`query (${text}) { a }`).definitions[0] as OperationDefinitionNode).variableDefinitions ?? [];
const find = (text: string, variables: Record<string, unknown>, limit = 20) =>
  findVariableErrors(schema, definitionsOf(text), variables, limit).map(({ message }) => message);

describe('errors in variables', () => {
  test.each([
    ['$a: Int!', {}, ['Variable "$a" is required: of type Int!.']],
    [
      '$a: Int',
      { a: 'x' },
      ['Variable "$a" is not of type Int: Int cannot represent non-integer value: "x".'],
    ],
    ['$o: Order', { o: [] }, ['Variable "$o" must be an object, of type Order.']],
    ['$o: Order', { o: { id: 'x', other: 1 } }, ['Variable "$o.other" is not defined by Order.']],
    ['$o: Order', { o: { id: { a: 1 } } }, ['Variable "$o.id" must be of type ID.']],
    [
      '$o: Order',
      { o: { id: '1', items: [{ sku: 's' }, {}] } },
      ['Variable "$o.items[1].sku" is required: of type String!.'],
    ],
    [
      '$o: Order',
      { o: { id: '1', item: { sku: 's', colors: [null] } } },
      ['Variable "$o.item.colors[0]" is required: of type Color!.'],
    ],
    ['$c: Color = red', {}, []],
    ['$l: [Int]', { l: 1 }, []],
  ])('%s of %j', (text, variables, messages) => {
    expect(find(text, variables)).toEqual(messages);
  });

  test('are no more than the limit', () => {
    const list = Array(1_000).fill('x');
    expect(find('$a: [Int], $b: [Int]', { a: list, b: list }, 5)).toHaveLength(5);
  });

  const scalar = fc.oneof(
    fc.constantFrom('red', 'blue', '', 1, -1.5, 2 ** 40, true, null),
    fc.object({ maxDepth: 1 }),
  );
  const name = fc.constantFrom('id', 'items', 'grid', 'gift', 'item', 'sku', 'count', 'colors', 'toString');
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      scalar,
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(name, tie('value'), { maxKeys: 4 }),
      fc.record(
        { id: fc.constantFrom('1', 2), items: tie('items'), grid: tie('value'), item: tie('item') },
        { requiredKeys: ['id'] },
      ),
    ),
    items: fc.array(tie('item'), { maxLength: 2 }),
    item: fc.record(
      { sku: fc.string(), colors: tie('value'), count: fc.constantFrom(1, null) },
      { requiredKeys: ['sku'] },
    ),
  }));

  const anyVariables = fc.oneof(
    fc.record({ o: value }, { requiredKeys: [] }),
    fc.record(
      { o: fc.record({ id: fc.string(), item: value, grid: value }), l: value },
      { requiredKeys: ['o'] },
    ),
    fc.record({ o: fc.record({ id: fc.string() }), c: scalar }),
  );

  test('are found exactly where graphql-js finds some', () => {
    const definitions = definitionsOf('$o: Order!, $l: [Item], $c: Color = red');
    let accepted = 0;
    fc.assert(
      fc.property(anyVariables, (variables) => {
        const { errors } = getVariableValues(schema, definitions, variables);
        if (!errors) accepted += 1;
        expect(findVariableErrors(schema, definitions, variables, 20).length > 0).toBe(errors !== undefined);
      }),
      { numRuns: 1_000 },
    );
    expect(accepted).toBeGreaterThan(10);
  });
});
