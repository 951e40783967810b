import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { getIntrospectionQuery } from 'graphql';
import { codeOf, useEdge } from '../../support/graphql/edge-server.ts';

const edge = useEdge({
  extraTypeDefs: `
      type Node { id: ID! next: Node }
      extend type Query { node(at: [Int!]): Node @scope(requires: ["members:read"]) }
    `,
  extraQueries: { node: () => ({ id: '1' }) },
  extraTypes: { Node: { next: () => ({ id: '1' }) } },
});

/** A chain of `next` of `levels` fields, its links wrapped as `wraps` says. */
function chain(levels: number, wraps: number[], root = 'node', link = 'next', type = 'Node', leaf = 'id') {
  const fragments: string[] = [];
  let body = leaf;
  for (let level = levels - 1; level >= 1; level -= 1) {
    const wrap = wraps[level % wraps.length];
    if (wrap === 1) body = `... { ${body} }`;
    if (wrap === 2) body = `... on ${type} { ... on ${type} { ${body} } }`;
    if (wrap === 3) {
      fragments.push(`fragment F${level} on ${type} { ${body} }`);
      body = `...F${level}`;
    }
    body = `${level === 1 ? root : link} { ${body} }`;
  }
  return `{ ${body} } ${fragments.join(' ')}`;
}

const wrappings = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 12 });

describe('depth', () => {
  test('12 fields pass and 13 do not, however fragments are laid around them', async () => {
    await fc.assert(
      fc.asyncProperty(wrappings, async (wraps) => {
        const accepted = await edge.run(chain(12, wraps));
        expect(accepted.body.errors).toBeUndefined();
        const refused = await edge.run(chain(13, wraps));
        expect({ status: refused.status, code: codeOf(refused) }).toEqual({
          status: 400,
          code: 'depth_limit_exceeded',
        });
      }),
      { numRuns: 60 },
    );
  });

  test('16 fields of introspection pass and 17 do not, beside data of 12', async () => {
    const introspection = (levels: number, wraps: number[]) =>
      chain(levels, wraps, '__type(name: "Node")', 'ofType', '__Type', 'name');
    await fc.assert(
      fc.asyncProperty(wrappings, async (wraps) => {
        const accepted = await edge.run(introspection(16, wraps));
        expect(accepted.body.errors).toBeUndefined();
        const refused = await edge.run(introspection(17, wraps));
        expect({ status: refused.status, code: codeOf(refused) }).toEqual({
          status: 400,
          code: 'depth_limit_exceeded',
        });
      }),
      { numRuns: 30 },
    );
    const plain = [0];
    const mixed = `{ ${chain(12, plain).slice(1, -2)} ${introspection(16, plain).slice(1, -2)} }`;
    expect((await edge.run(mixed)).body.errors).toBeUndefined();
  });

  test('the standard introspection query passes', async () => {
    const reply = await edge.run(
      getIntrospectionQuery({
        specifiedByUrl: true,
        directiveIsRepeatable: true,
        schemaDescription: true,
        inputValueDeprecation: true,
        oneOf: true,
      }),
    );
    expect(reply.body.errors).toBeUndefined();
  });
});

describe('top-level fields', () => {
  const node = (count: number) => Array.from({ length: count }, (_, n) => `n${n}: node { id }`).join(' ');

  test.each([
    ['5', `{ ${node(5)} }`, null],
    ['5 and __typename', `{ ${node(5)} __typename t: __typename }`, null],
    ['6', `{ ${node(6)} }`, 'too_many_fields'],
    ['6 in fragments', `{ ...F ... { ${node(3)} } } fragment F on Query { ${node(3)} }`, 'too_many_fields'],
    ['the same one 6 times', `{ ${'node { id } '.repeat(6)} }`, 'too_many_fields'],
    ['__schema among 6', `{ ${node(5)} __schema { __typename } }`, 'too_many_fields'],
  ])('%s', async (_name, query, code) => {
    const reply = await edge.run(query);
    expect({ code: codeOf(reply), status: reply.status }).toEqual({ code, status: code ? 400 : 200 });
  });
});

describe('budgets', () => {
  const tokens = (count: number) => `{ node(at: [${'1 '.repeat(count - 12)}]) { id } }`;
  const aliases = (count: number) =>
    `{ node { ${Array.from({ length: count }, (_, n) => `a${n}: id`).join(' ')} } }`;

  test.each([
    ['1,000 tokens', tokens(1_000), null],
    ['1,001 tokens', tokens(1_001), 'budget_exceeded'],
    ['30 aliases', aliases(30), null],
    ['31 aliases', aliases(31), 'budget_exceeded'],
    [
      '30 aliases out of a fragment',
      `{ node { ...F next { ...F } } } fragment F on Node { ${aliases(15).slice(9, -4)} }`,
      null,
    ],
    [
      '32 aliases out of a fragment',
      `{ node { ...F next { ...F } } } fragment F on Node { ${aliases(16).slice(9, -4)} }`,
      'budget_exceeded',
    ],
    ['500 fields', `{ node { ${'id '.repeat(499)} } }`, null],
    ['501 fields', `{ node { ${'id '.repeat(500)} } }`, 'budget_exceeded'],
    [
      '500 fields out of a fragment',
      `{ node { id ...F next { ...F } } } fragment F on Node { ${'id '.repeat(248)} next { id } }`,
      'budget_exceeded',
    ],
  ])('%s', async (_name, query, code) => {
    const reply = await edge.run(query);
    expect({ code: codeOf(reply), status: reply.status }).toEqual({ code, status: code ? 400 : 200 });
  });

  test('a document 3,000 levels deep is refused for its tokens', async () => {
    const reply = await edge.run(`${'{node'.repeat(3_000)}${'}'.repeat(3_000)}`);
    expect({ status: reply.status, code: codeOf(reply) }).toEqual({ status: 400, code: 'budget_exceeded' });
  });

  test('are refused in order: tokens, field count, depth, selections, validation', async () => {
    const six = 'node { id } '.repeat(6);
    const deep = chain(13, [0]).slice(1, -2);
    const many = `node { ${'nowhere '.repeat(500)} }`;
    const padding = ' node(at: 1)'.repeat(200);
    const codes: Array<string | null> = [];
    for (const parts of [[six, deep, many, padding], [six, deep, many], [deep, many], [many], ['nowhere']]) {
      codes.push(codeOf(await edge.run(`{ ${parts.join(' ')} }`)));
    }
    expect(codes).toEqual([
      'budget_exceeded',
      'too_many_fields',
      'depth_limit_exceeded',
      'budget_exceeded',
      'graphql_validation_failed',
    ]);
  });
});

describe('operation', () => {
  const two = 'query A { node { id } } query B { __typename }';

  test.each([
    ['the one named', two, 'B', null],
    ['none named of two', two, undefined, 'graphql_validation_failed'],
    ['an unknown name', two, 'C', 'graphql_validation_failed'],
    ['only fragments', 'fragment F on Query { __typename }', undefined, 'graphql_validation_failed'],
    ['a subscription', 'subscription { node { id } }', undefined, 'graphql_validation_failed'],
    ['a type definition', 'type A { b: Int }', undefined, 'graphql_validation_failed'],
    ['not GraphQL', '{ node { id }', undefined, 'graphql_parse_failed'],
    ['an unknown field', '{ nowhere }', undefined, 'graphql_validation_failed'],
    ['a cycle of fragments', '{ ...F } fragment F on Query { ...F }', undefined, 'graphql_validation_failed'],
    [
      'a variable that does not fit',
      'query ($at: [Int!]) { node(at: $at) { id } }',
      'x',
      'graphql_validation_failed',
    ],
  ])('%s', async (_name, query, operationName, code) => {
    const variables = operationName === 'x' ? { at: ['no number'] } : undefined;
    const reply = await edge.run(query, {
      operationName: operationName === 'x' ? undefined : operationName,
      variables,
    });
    expect({ code: codeOf(reply), status: reply.status }).toEqual({ code, status: code ? 400 : 200 });
    if (code) expect(reply.body.data).toBeNull();
  });
});

describe('Production', () => {
  const production = { 'x-environment': 'production' };

  test.each([
    '{ __schema { __typename } }',
    '{ t: __type(name: "Node") { name } }',
    '{ ...F } fragment F on Query { __schema { __typename } }',
  ])('answers no introspection: %s', async (query) => {
    const reply = await edge.run(query, {}, production);
    expect({ status: reply.status, code: codeOf(reply) }).toEqual({
      status: 400,
      code: 'introspection_disabled',
    });
  });

  test('answers __typename', async () => {
    expect((await edge.run('{ __typename }', {}, production)).body.data).toEqual({ __typename: 'Query' });
  });

  test('suggests no names, in documents and in variables', async () => {
    const field = '{ nod { id } }';
    expect((await edge.run(field)).body.errors?.[0]?.message).toContain('Did you mean');
    const variable = 'query ($i: PurchaseEarnInput!) { __typename } ';
    for (const [query, variables] of [
      [field, undefined],
      ['{ node { idd } }', undefined],
      [variable, { i: { chanel: 'wep' } }],
      [variable, { i: { channel: 'wep' } }],
    ] as const) {
      const reply = await edge.run(query, { variables }, production);
      expect(reply.status).toBe(400);
      expect(JSON.stringify(reply.body)).not.toContain('Did you mean');
    }
  });
});
