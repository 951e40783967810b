import { expect, test } from '@jest/globals';
import { refuse } from '../../../src/refusal.ts';
import { memberAnswer, purchaseInput, type Reply, useEdge } from '../../support/graphql/edge-server.ts';

const scoped = '@scope(requires: ["members:read"])';

let waiting = false;
const edge = useEdge({
  refuseCommand: () => (waiting ? refuse('overloaded', 'Too many wait.') : null),
  extraTypeDefs: `
      input ShelfFilter { name: String = "all" first: Int! = 3 tags: [String!] kind: IdentityStatus at: DateTime }
      type Shelf { id: ID! }
      extend type Query {
        shelf(id: ID!, filter: ShelfFilter): Shelf ${scoped}
        limited(limit: Int! = 5): Shelf ${scoped}
      }`,
  extraQueries: { shelf: () => ({ id: '1' }), limited: () => ({ id: '1' }) },
  member: (_root, { externalCustomerId }) => {
    if (externalCustomerId === 'lost') throw new Error('lost');
    return externalCustomerId === 'wrong' ? { requestId: null } : memberAnswer;
  },
});

const earn = 'mutation Earn($input: PurchaseEarnInput!) { purchaseEarn(input: $input) { id status } }';
const member =
  'query Read($externalCustomerId: String!) { member(externalCustomerId: $externalCustomerId) { requestId } }';
const shelf = 'query($id: ID!, $filter: ShelfFilter) { shelf(id: $id, filter: $filter) { __typename id } }';
const limited = 'query($limit: Int!) { limited(limit: $limit) { id } }';

type Request = { query: string; variables?: unknown; operationName?: unknown; extensions?: unknown };

const input = purchaseInput;
const requests: [what: string, request: Request, headers?: Record<string, string>][] = [
  ['a command', { query: earn, variables: { input } }],
  ['an operation by its name', { query: earn, variables: { input }, operationName: 'Earn' }],
  ['another name', { query: earn, variables: { input }, operationName: 'Burn' }],
  ['an empty name', { query: earn, variables: { input }, operationName: '' }],
  ['a name of a nameless operation', { query: shelf, variables: { id: '1' }, operationName: 'shelf' }],
  ['a name that is null', { query: earn, variables: { input }, operationName: null }],
  ['extensions', { query: earn, variables: { input }, extensions: { some: 'thing' } }],
  ['a variable too many', { query: earn, variables: { input, other: 1 } }],
  ['no variables', { query: earn }],
  ['variables that are null', { query: earn, variables: null }],
  ['no variables where a default would do', { query: limited }],
  ['a scalar for an object', { query: earn, variables: { input: 7 } }],
  [
    'several mistakes',
    { query: earn, variables: { input: { amountMinor: 'x', colour: 'red', channel: 1 } } },
  ],
  ['a resolver that fails', { query: member, variables: { externalCustomerId: 'lost' } }],
  ['a result that does not fit', { query: member, variables: { externalCustomerId: 'wrong' } }],
  [
    'no scope',
    { query: member, variables: { externalCustomerId: 'c-1' } },
    { authorization: 'Bearer writer' },
  ],
  ['one item for a list', { query: shelf, variables: { id: 1, filter: { tags: 'one' } } }],
  ['2,000 items', { query: shelf, variables: { id: '1', filter: { tags: Array(2_000).fill('t') } } }],
  ['2,001 items', { query: shelf, variables: { id: '1', filter: { tags: Array(2_001).fill('t') } } }],
  ['thirty mistakes', { query: shelf, variables: { id: '1', filter: { tags: Array(30).fill(null) } } }],
  ['a value that an enum lacks', { query: shelf, variables: { id: '1', filter: { kind: 'tall' } } }],
  ['a list for an enum', { query: shelf, variables: { id: '1', filter: { kind: ['verified'] } } }],
  ['a moment that is none', { query: shelf, variables: { id: '1', filter: { at: '2026-02-30T00:00:00Z' } } }],
  ['null for what has a default', { query: shelf, variables: { id: '1', filter: { first: null } } }],
  ['production', { query: shelf, variables: { id: {} } }, { 'x-environment': 'production' }],
];

/** What a client can see of an answer, but for what is of the one request. */
function seen({ status, headers, body }: Reply): unknown {
  const shown = Object.fromEntries(headers);
  for (const name of ['date', 'x-request-id', 'ratelimit', 'content-length']) delete shown[name];
  return JSON.parse(
    JSON.stringify({ status, shown, body }, (name, value) => (name === 'requestId' ? 'req' : value)),
  );
}

function unitsLeft({ headers }: Reply): number {
  return Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);
}

test.each(requests)(
  'a document that is known is answered as a new one: %s',
  async (_what, { query, ...rest }, headers = {}) => {
    // Its first answer prepares a document; the other text is the same document that was never seen.
    await edge.run(query, { variables: { input, externalCustomerId: 'c-1', id: '1', limit: 1 } });
    const known = await edge.run(query, rest, headers);
    const fresh = await edge.run(`${query}\n# ${Math.random()}`, rest, headers);
    expect(seen(known)).toEqual(seen(fresh));
    // Each takes one unit of the rate limit.
    expect(unitsLeft(known) - unitsLeft(fresh)).toBe(1);
  },
);

test('a command whose document is known is refused while too many wait, and a query is not', async () => {
  const command = { variables: { input } };
  const query = { variables: { id: '1' } };
  for (const text of [earn, shelf]) await edge.run(text, { variables: { input, id: '1' } });
  waiting = true;
  edge.calls.length = 0;
  const [known, fresh] = [await edge.run(earn, command), await edge.run(`${earn}\n# again`, command)];
  expect(known.body.errors?.[0]?.extensions.code).toBe('overloaded');
  expect(seen(known)).toEqual(seen(fresh));
  expect(edge.calls).toEqual([]);
  expect((await edge.run(shelf, query)).body.errors).toBeUndefined();
  waiting = false;
});
