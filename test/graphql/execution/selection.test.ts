import { expect, test } from '@jest/globals';
import { buildSchema, execute, parse } from 'graphql';
import { isSelected } from '../../../src/graphql/execution/selection.ts';

const schema = buildSchema(`
  type Query { list: List }
  type List { data: [Item] other: Item }
  type Item { id: ID entries: [Item] item: Item }
`);

/** What the resolver of `list` finds selected of `path`, each time that it is called. */
function selected(query: string, path: string[]): boolean[] {
  const answers: boolean[] = [];
  const list = (_args: unknown, _context: unknown, info: Parameters<typeof isSelected>[0]) => {
    answers.push(isSelected(info, path));
    return null;
  };
  execute({ schema, document: parse(query), rootValue: { list } });
  return answers;
}

test.each<[string, boolean]>([
  ['{ list { data { id } } }', false],
  ['{ list { data { entries { id } } } }', true],
  ['{ list { renamed: data { moved: entries { id } } } }', true],
  ['{ list { other { entries { id } } } }', false],
  ['{ list { data { item { entries { id } } } } }', false],
  ['{ list { data { id } } list { data { entries { id } } } }', true],
  ['{ list { ... { data { ... on Item { entries { id } } } } } }', true],
  ['{ list { ...A } } fragment A on List { data { ...B } } fragment B on Item { entries { id } }', true],
  ['{ list { ...A } } fragment A on List { data { ...B } } fragment B on Item { id }', false],
  ['query ($on: Boolean = false) { list { data { entries @include(if: $on) { id } } } }', true],
  ['{ list { __typename } }', false],
])('%s', (query, expected) => {
  expect(selected(query, ['data', 'entries'])).toEqual([expected]);
});

test('each of two aliases of one field is looked at by itself', () => {
  const query = '{ a: list { data { id } } b: list { data { entries { id } } } }';
  expect(selected(query, ['data', 'entries'])).toEqual([false, true]);
});
