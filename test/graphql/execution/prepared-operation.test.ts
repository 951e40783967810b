import { describe, expect, test } from '@jest/globals';
import { execute, type GraphQLError, parse, validate } from 'graphql';
import { prepareOperation } from '../../../src/graphql/execution/prepared-operation.ts';
import { usePreparedOperation } from '../../../src/graphql/plugins/use-prepared-operation.ts';
import { createExecutableSchema } from '../../../src/graphql/schema/executable-schema.ts';
import { typeDefs } from '../../support/graphql/edge-server.ts';

const scoped = '@scope(requires: ["x"])';
const schema = createExecutableSchema(
  `${typeDefs}
  type Shelf { id: ID! name: String books(first: Int): [Book!] top: Book }
  type Book { title: String! pages: Int }
  input ShelfFilter { name: String = "all" first: Int! = 3 tags: [String!] }
  extend type Query {
    shelf(id: ID!, filter: ShelfFilter, limit: Int = 5): Shelf ${scoped}
    shelves: [Shelf!] ${scoped}
  }`,
  { Query: { shelf: (_root: unknown, args: object) => answerTo(args), shelves: () => answerTo({}) } },
);

const context = { door: 'rest', requestId: 'req_test', credential: { scopes: new Set(['x']) } };
let answerTo: (args: object) => unknown = () => null;

const plain = [
  'query($id: ID!) { shelf(id: $id) { id } }',
  'query Named($id: ID!, $filter: ShelfFilter) { shelf(id: $id, filter: ' +
    '$filter) { __typename id name top { title } } }',
  'query($id: ID!, $limit: Int) { shelf(limit: $limit, id: $id) { top { __typename pages title } books { title } } }',
  '{ shelves { id } }',
];

const more: [string, string][] = [
  ['two operations', 'query A { shelves { id } } query B { shelves { id } }'],
  ['a fragment', 'query { shelves { ...Named } } fragment Named on Shelf { name }'],
  ['an inline fragment', '{ shelves { ... { id } } }'],
  ['two root fields', '{ shelves { id } __typename }'],
  ['introspection', '{ __schema { queryType { name } } }'],
  ['the name of the root type', '{ __typename }'],
  ['an alias', '{ shelves { key: id } }'],
  ['an alias of the root field', '{ all: shelves { id } }'],
  ['a field twice', '{ shelves { top { title } top { pages } } }'],
  ['a directive', '{ shelves { id @skip(if: true) } }'],
  ['a directive of the root field', '{ shelves @include(if: true) { id } }'],
  ['arguments below the root', '{ shelves { books(first: 1) { title } } }'],
  ['a literal argument', '{ shelf(id: "1") { id } }'],
  ['a variable of another name', 'query($key: ID!) { shelf(id: $key) { id } }'],
  [
    'a variable inside a literal',
    'query($id: ID!, $n: String) { shelf(id: $id, filter: { name: $n }) { id } }',
  ],
  ['a default of a variable', 'query($id: ID! = "1") { shelf(id: $id) { id } }'],
  ['a stricter variable', 'query($id: ID!, $limit: Int!) { shelf(id: $id, limit: $limit) { id } }'],
];

describe('a document is prepared', () => {
  test.each(plain)('%s', (text) => {
    const document = parse(text);
    expect(validate(schema, document)).toEqual([]);
    expect(prepareOperation(schema, document)).not.toBeNull();
  });

  test.each(more)('but not with %s', (_what, text) => {
    const document = parse(text);
    expect(validate(schema, document)).toEqual([]);
    expect(prepareOperation(schema, document)).toBeNull();
  });
});

describe('an operation is executed', () => {
  /** The functions that requests for the same document are executed with; null for graphql-js. */
  function executed(text: string | null, times: number): unknown[] {
    const document = text === null ? null : { ast: parse(text) };
    const { onExecute } = usePreparedOperation() as { onExecute(payload: object): void };
    return Array.from({ length: times }, () => {
      let chosen: unknown = null;
      const setExecuteFn = (execute: unknown) => {
        chosen = (document as { prepared?: unknown } | null)?.prepared ?? execute;
      };
      onExecute({ args: { schema }, context: { document }, setExecuteFn });
      return chosen;
    });
  }

  test('as it was prepared for the first request', () => {
    const [first, second] = executed(plain[0] ?? '', 2);
    expect(first).toEqual(expect.any(Function));
    expect(second).toBe(first);
  });

  test('by graphql-js where it is not prepared', () => {
    expect(executed('{ __typename }', 2)).toEqual([null, null]);
    expect(executed(null, 1)).toEqual([null]);
  });
});

describe('a prepared document does what graphql-js does', () => {
  const answers: [string, () => unknown][] = [
    ['an object', () => ({ id: 7, name: null, top: { title: 'T', pages: 3 }, books: [{ title: 'B' }] })],
    ['fields that are absent', () => ({ id: 'x' })],
    ['null', () => null],
    ['a promise', () => Promise.resolve({ id: 'x', top: null })],
    ['a rejection', () => Promise.reject(new Error('lost'))],
    ['an exception', () => throwIt(new Error('lost'))],
    ['something that is no error', () => Promise.reject('lost')],
    ['an object without what it must have', () => ({ name: 'n' })],
  ];

  test.each(answers)('where a resolver gives %s', async (_what, answer) => {
    answerTo = answer;
    for (const text of plain.slice(0, 3)) {
      const { ours, theirs } = await both(text, { id: '1' });
      expect(ours).toEqual(theirs);
    }
  });

  const variables: [string, Record<string, unknown>, boolean][] = [
    ['nothing but what it must', { id: '1' }, true],
    ['null', { id: '1', filter: null }, true],
    ['an empty object', { id: '1', filter: {} }, true],
    ['one item for a list', { id: '1', filter: { tags: 'one' } }, true],
    ['a list', { id: '1', filter: { tags: ['one', 'two'], name: null, first: 2 } }, true],
    ['a number for an ID', { id: 1 }, true],
    ['a variable that the operation does not declare', { id: '1', other: 2, limit: 1 }, true],
    ['not what it must', {}, false],
    ['null for what it must', { id: null }, false],
    ['null for a field that must not be', { id: '1', filter: { first: null } }, false],
    ['null in a list that must not have it', { id: '1', filter: { tags: [null] } }, false],
    ['a list for an object', { id: '1', filter: [] }, false],
    ['text for an object', { id: '1', filter: 'x' }, false],
    ['an unknown field', { id: '1', filter: { colour: 'red' } }, false],
    ['a number for text', { id: '1', filter: { name: 1 } }, false],
    ['a fraction for an Int', { id: '1', filter: { first: 1.5 } }, false],
  ];

  test.each(variables)('where the client sends %s', async (_what, values, fits) => {
    const seen: object[] = [];
    answerTo = (args) => {
      seen.push(JSON.parse(JSON.stringify(args)));
      return { id: '1' };
    };
    const { ours, theirs } = await both(plain[1] ?? '', values);
    expect(seen).toHaveLength(fits ? 2 : 0);
    expect(seen[0]).toEqual(seen[1]);
    expect(ours.data).toEqual(theirs.data);
    expect(ours.errors.length > 0).toBe(theirs.errors.length > 0);
  });
});

interface Comparable {
  data: unknown;
  /** For each error its root field, and what the resolver threw, if it threw. */
  errors: unknown[];
}

async function both(text: string, variableValues: object): Promise<{ ours: Comparable; theirs: Comparable }> {
  const document = parse(text);
  const prepared = prepareOperation(schema, document);
  if (!prepared) throw new Error(`${text} is not prepared`);
  const ours = await prepared({ ...variableValues }, context);
  const theirs = await execute({
    schema,
    document,
    variableValues: { ...variableValues },
    contextValue: context,
  });
  return { ours: comparable(ours), theirs: comparable(theirs) };
}

function comparable({ data, errors = [] }: { data?: unknown; errors?: readonly GraphQLError[] }): Comparable {
  return {
    data: data === undefined ? undefined : JSON.parse(JSON.stringify(data)),
    errors: errors.map((error) => ({
      root: error.path?.[0],
      thrown: /lost/.exec(error.originalError?.message ?? '')?.[0],
    })),
  };
}

function throwIt(error: Error): never {
  throw error;
}
