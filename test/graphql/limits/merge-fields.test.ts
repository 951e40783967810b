import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { buildSchema, executeSync, parse, print, validate } from 'graphql';
import { mergeRepeatedFields } from '../../../src/graphql/limits/merge-fields.ts';

const schema = buildSchema(`
  interface Named { name: String node: Node }
  type Node implements Named { name(at: Int): String node(at: Int): Node nodes: [Node] named: Named }
  type Query { name: String node(at: Int): Node }
`);
const node = { name: 'n', node: () => node, nodes: () => [node] };
const root = { name: 'q', node: () => node };

const directive = fc.constantFrom('', '', '', '@include(if: true)', '@skip(if: true)');
const leaf = fc.tuple(fc.constantFrom('name', 'a: name', 'b: name', '__typename', '...F', '...G'), directive);
const selections: fc.Arbitrary<string> = fc.letrec<{ set: string; one: string }>((tie) => ({
  set: fc.array(tie('one'), { minLength: 1, maxLength: 3 }).map((list) => `{ ${list.join(' ')} }`),
  one: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf.map(([name, on]) => `${name} ${on}`),
    fc
      .tuple(fc.constantFrom('node', 'a: node', 'node(at: 1)', 'nodes'), directive, tie('set'))
      .map(([name, on, set]) => `${name} ${on} ${set}`),
    fc
      .tuple(fc.constantFrom('...', '... on Node', '... on Named', '... on Query'), directive, tie('set'))
      .map(([name, on, set]) => `${name} ${on} ${set}`),
  ),
})).set;

const fragmentF = 'fragment F on Node { name node { name } }';
const fragments = `${fragmentF} fragment G on Node { ...F node { a: name } }`;
/** The fragments that a set uses, so that validation reports no unused one. */
const used = (set: string) => (set.includes('...G') ? fragments : set.includes('...F') ? fragmentF : '');

describe('merging repeated fields', () => {
  test('changes no answer, but for its order', () => {
    fc.assert(
      fc.property(selections, (set) => {
        const document = parse(`{ node ${set} } ${used(set)}`);
        if (validate(schema, document).length > 0) return;
        const merged = mergeRepeatedFields(document, schema, true);
        const answers = [merged, document].map((each) =>
          JSON.parse(JSON.stringify(executeSync({ schema, document: each, rootValue: root }))),
        );
        expect(answers[0]).toEqual(answers[1]);
      }),
      { numRuns: 400 },
    );
  });

  test('makes no document valid that is not, nor the other way round', () => {
    fc.assert(
      fc.property(
        selections,
        fc.constantFrom('', 'node', 'name { name }', 'x: name x: node { name }'),
        (set, wrong) => {
          const document = parse(`{ node { node ${set} ${wrong} } } ${used(set)}`);
          const merged = mergeRepeatedFields(document, schema, true);
          expect(validate(schema, merged).length === 0).toBe(validate(schema, document).length === 0);
        },
      ),
      { numRuns: 400 },
    );
  });

  test.each([
    ['{ node { name } node { a: name name } }', '{ node { name a: name } }'],
    ['{ node { ... { name } ... on Node { name } ...F ...F } }', '{ node { name ...F } }'],
    [`{ node { ...F ...G } } ${fragments}`, '{ node { name node { name a: name } } }'],
    ['{ node { named { ...F } } } fragment F on Node { name }', null],
    ['{ node { ...F } } fragment F on Node { name } fragment U on Node { name }', null],
    ['{ node { ...F } } fragment F on Node { node { ...F } }', null],
    [
      '{ node { ...F @skip(if: true) ...F } } fragment F on Node { name }',
      '{ node { ...F @skip(if: true) name } } fragment F on Node { name }',
    ],
    ['{ node { name } node(at: 1) { name } }', '{ node { name } node(at: 1) { name } }'],
    ['{ node { ... on Named { name } name @skip(if: true) name } }', null],
  ])('%s', (before, after) => {
    const merged = print(mergeRepeatedFields(parse(before), schema, true));
    expect(merged).toBe(print(parse(after ?? before)));
  });
});
