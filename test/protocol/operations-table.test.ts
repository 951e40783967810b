import { existsSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  buildSchema,
  type GraphQLField,
  type GraphQLInputType,
  isInputObjectType,
  isNonNullType,
} from 'graphql';
import type { Scope } from '../../src/auth/scopes.ts';
import { graphql, type Received } from '../support/surfaces/client.ts';
import { useShop } from '../support/surfaces/use-shop.ts';
import { testWhere } from '../support/where.ts';

// The operations table of the specification ("GraphQL endpoint"), word for word.
const TABLE = `
| Operation | Kind | Scope |
|---|---|---|
| member | query | members:read |
| transaction, transactions | query | transactions:read |
| ledgerSummary, ledgerClose | query | analytics:read |
| purchaseEarn, recordReturn | mutation | events:write |
| quoteRedemption, reserveRedemption, commitRedemption, releaseRedemption | mutation | redemptions:write |
| reverseRedemption | mutation | redemptions:reverse |
| requestAdjustment | mutation | adjustments:write |
| approveAdjustment, rejectAdjustment, reverseAdjustment | mutation | adjustments:approve |
`;
const SPECIFICATION = '../shared/specification.md';

interface Operation {
  name: string;
  kind: 'query' | 'mutation';
  scope: Scope;
}

const operations: Operation[] = TABLE.trim()
  .split('\n')
  .slice(2)
  .flatMap((line) => {
    const [, names = '', kind = '', scope = ''] = line.split('|').map((cell) => cell.trim());
    return names
      .split(', ')
      .map((name) => ({ name, kind: kind as Operation['kind'], scope: scope as Scope }));
  });
const SCOPES = [...new Set(operations.map(({ scope }) => scope))];

/** For each scope a key with that scope and no other. */
const keys = new Map<Scope, string>();
let fields: Map<string, GraphQLField<unknown, unknown>>;

const { world, client, shop } = useShop({ members: ['ada'] });

beforeAll(async () => {
  for (const scope of SCOPES) keys.set(scope, (await world.key(shop.id, [scope])).key);
  const sdl = await client.send({ method: 'GET', path: '/api/graphql/schema.graphql' });
  const schema = buildSchema(sdl.text);
  fields = new Map(
    [schema.getQueryType(), schema.getMutationType()].flatMap((root) =>
      Object.entries(root?.getFields() ?? {}),
    ),
  );
});

testWhere(existsSync(SPECIFICATION), `no ${SPECIFICATION}`)(
  'the table is the one of the specification',
  () => {
    expect(readFileSync(SPECIFICATION, 'utf8')).toContain(TABLE.trim());
  },
);

test('the SDL has these five reads and eleven mutations, and nothing else', () => {
  expect(operations.filter(({ kind }) => kind === 'query')).toHaveLength(5);
  expect(operations.filter(({ kind }) => kind === 'mutation')).toHaveLength(11);
  expect([...fields.keys()].sort()).toEqual(operations.map(({ name }) => name).sort());
});

describe.each(operations)('$kind $name', ({ name, kind, scope }) => {
  test(`runs with ${scope} alone, through a fragment too`, async () => {
    for (const throughFragment of [false, true]) {
      const received = await run([name], kind, scope, throughFragment);
      expect(received).not.toMatchObject({ status: 403, code: 'insufficient_scope' });
      expect(received.status).toBe(200);
      // The operation itself refuses: what the input names does not exist.
      expect(received.code ?? 'answered').toMatch(/_not_found$|^answered$/);
    }
  });

  test.each(SCOPES.filter((other) => other !== scope))('does not run with %s', async (other) => {
    for (const throughFragment of [false, true]) {
      const received = await run([name], kind, other, throughFragment);
      expect(received).toMatchObject({ status: 403, code: 'insufficient_scope' });
    }
  });
});

describe('a mutation of more than one command', () => {
  const mutations = operations.filter(({ kind }) => kind === 'mutation').map(({ name }) => name);

  test.each(mutations)('two aliases of %s execute none', async (name) => {
    await expectNothing(`a: ${selection(name)} b: ${selection(name)}`);
  });

  test.each(mutations)('%s with a second command hidden in a fragment executes none', async (name) => {
    await expectNothing(`${selection(name)} ...Hidden`, `fragment Hidden on Mutation { b: ${earn()} }`);
  });

  async function expectNothing(selections: string, fragments = ''): Promise<void> {
    const before = await world.countRows();
    const received = await client.send(graphql(shop, `mutation { ${selections} } ${fragments}`, {}));
    expect(received).toMatchObject({ status: 400, code: 'single_command_required' });
    expect(await world.countRows()).toEqual(before);
  }
});

/** Sends operations with the key that has one scope. */
function run(
  names: readonly string[],
  kind: Operation['kind'],
  scope: Scope,
  throughFragment: boolean,
): Promise<Received> {
  const selections = names.map(selection).join(' ');
  const root = kind === 'query' ? 'Query' : 'Mutation';
  const query = throughFragment
    ? `${kind} { ... on ${root} { ...F } } fragment F on ${root} { ${selections} }`
    : `${kind} { ${selections} }`;
  return client.send(graphql({ ...shop, key: keys.get(scope) ?? '' }, query, {}));
}

let sent = 0;

/** An operation with only its required input; every reference names something that does not exist. */
function selection(name: string): string {
  const field = fields.get(name);
  if (!field) throw new Error(`the SDL has no ${name}`);
  const given = field.args
    .filter((argument) => isNonNullType(argument.type))
    .map((argument) => `${argument.name}: ${literal(argument.type, argument.name)}`);
  const args = given.length > 0 ? `(${given.join(', ')})` : '';
  return `${name}${args} { requestId }`;
}

function earn(): string {
  return selection('purchaseEarn');
}

function literal(type: GraphQLInputType, name: string): string {
  const inner = isNonNullType(type) ? type.ofType : type;
  if (isInputObjectType(inner)) {
    const all = Object.values(inner.getFields());
    const wanted = all.filter((each) => isNonNullType(each.type) || each.name === 'returnAmountMinor');
    return `{${wanted.map((each) => `${each.name}: ${literal(each.type as GraphQLInputType, each.name)}`).join(', ')}}`;
  }
  sent += 1;
  const known: Record<string, string> = {
    idempotencyKey: `"table-${sent}"`,
    channel: 'web',
    direction: 'credit',
    evidence: '{ticket: "1"}',
    amountMinor: '100',
    returnAmountMinor: '100',
    points: '1',
    from: `"${new Date(Date.now() - 86_400_000).toISOString()}"`,
    to: `"${new Date().toISOString()}"`,
  };
  return known[name] ?? `"no-such-${name}"`;
}
