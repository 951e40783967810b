import { beforeEach, describe, expect, test } from '@jest/globals';
import { codeOf, purchaseInput, useEdge } from '../../support/graphql/edge-server.ts';

const edge = useEdge();
beforeEach(() => {
  edge.calls.length = 0;
});

const earn = 'purchaseEarn(input: $input) { id }';
const other = 'purchaseEarn(input: $other) { id }';

async function mutate(selections: string, fragments = '') {
  const query = `mutation ($input: PurchaseEarnInput!) { ${selections} } ${fragments}`;
  return edge.run(query, { variables: { input: purchaseInput } });
}

describe('one command', () => {
  test.each([
    ['alone', earn, ''],
    ['under an alias', `mine: ${earn}`, ''],
    ['beside __typename', `__typename ${earn} t: __typename`, ''],
    ['in a fragment', '...F', `fragment F on Mutation { ${earn} }`],
    ['in a fragment in a fragment', '... { ...F }', `fragment F on Mutation { ... on Mutation { ${earn} } }`],
    ['with a condition below it', 'purchaseEarn(input: $input) { id status @skip(if: true) }', ''],
  ])('%s runs once', async (_name, selections, fragments) => {
    const reply = await mutate(selections, fragments);
    expect(reply.body.errors).toBeUndefined();
    expect(edge.calls).toEqual(['purchaseEarn']);
  });
});

describe('other than one command', () => {
  test.each([
    ['two aliases', `a: ${earn} b: ${earn}`, ''],
    ['two different inputs', `a: ${earn} b: ${other}`, ''],
    ['the same twice, which would merge', `${earn} ${earn}`, ''],
    ['one beside a fragment with one', `${earn} ...F`, `fragment F on Mutation { b: ${earn} }`],
    ['a fragment spread twice', '...F ...F', `fragment F on Mutation { ${earn} }`],
    ['an inline fragment with a second', `${earn} ... { b: ${earn} }`, ''],
    ['@include on it', 'purchaseEarn(input: $input) @include(if: true) { id }', ''],
    ['@include(if: false) on it', 'purchaseEarn(input: $input) @include(if: false) { id }', ''],
    ['@skip on its spread', '...F @skip(if: false)', `fragment F on Mutation { ${earn} }`],
    ['@include on the fragment around it', `... @include(if: true) { ${earn} }`, ''],
    ['a second under @skip', `${earn} b: purchaseEarn(input: $input) @skip(if: true) { id }`, ''],
    ['none', '__typename', ''],
  ])('%s is refused before anything runs', async (_name, selections, fragments) => {
    const reply = await mutate(selections, fragments);
    expect({ status: reply.status, code: codeOf(reply) }).toEqual({
      status: 400,
      code: 'single_command_required',
    });
    expect(edge.calls).toEqual([]);
  });

  test('is judged of the operation that runs', async () => {
    const query = `mutation Two($input: PurchaseEarnInput!) { a: ${earn} b: ${earn} }
      mutation One($input: PurchaseEarnInput!) { ${earn} }`;
    const variables = { input: purchaseInput };
    expect((await edge.run(query, { variables, operationName: 'One' })).body.errors).toBeUndefined();
    expect(codeOf(await edge.run(query, { variables, operationName: 'Two' }))).toBe(
      'single_command_required',
    );
  });
});
