import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import fc, { type Arbitrary } from 'fast-check';
import { type DocumentNode, execute, getOperationAST, isInputType, parse, typeFromAST } from 'graphql';
import { documents } from '../../rest-adapter/generated/documents.ts';
import { customerSurface, merchantSurface } from '../../rest-adapter/surface.ts';
import { createExecutableSchema } from '../../src/graphql/schema/executable-schema.ts';
import { resolvers } from '../../src/graphql/schema/resolvers.ts';
import { createRestHost } from '../../src/server/service/rest-host.ts';
import { inputOf, outputOf } from '../support/values-of-types.ts';

// REST documents are prepared (src/graphql/execution/prepared-operation.ts). What they mean is what graphql-js makes of
// them: resolvers get the same arguments, clients the same data, whatever goes in and comes out.

const typeDefs = readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8');
const schema = createExecutableSchema(typeDefs, resolvers);
const rootFields = { ...schema.getQueryType()?.getFields(), ...schema.getMutationType()?.getFields() };

/** What the resolver was called with last, and what it answers. */
let seen: unknown;
let answer: () => unknown;
for (const field of Object.values(rootFields)) {
  field.resolve = (_root, args) => {
    seen = plain(args);
    return answer();
  };
}

const host = createRestHost({} as never, {
  schema,
  newRequestId: () => 'req_test',
  logger: { error() {} } as never,
  reportRefusal: () => {},
});
const routes = [...merchantSurface.routes, ...customerSurface.routes];

describe.each(routes.map(({ operation }) => operation))('the prepared document of %s', (operation) => {
  const document = parse(documents[operation], { noLocation: true });
  const prepared = host.prepare(document);
  const variables = variablesOf(document);

  test('hands on what graphql-js does, and answers what it does', async () => {
    const type = rootFields[operation]?.type;
    if (!type) throw new Error(`The schema has no ${operation}`);
    await fc.assert(
      fc.asyncProperty(variables, outputOf(type), async (variableValues, value) => {
        answer = () => Promise.resolve(value);
        const ours = { ...(await prepared(variableValues, {})), args: seen };
        const theirs = {
          ...(await execute({ schema, document, variableValues, contextValue: {} })),
          args: seen,
        };
        expect(plain(ours)).toEqual(plain(theirs));
        expect(theirs.errors).toBeUndefined();
      }),
      { numRuns: 50 },
    );
  });

  test('fails where graphql-js does: a resolver throws, or gives what does not fit', async () => {
    const [variableValues = {}] = fc.sample(variables, 1);
    for (const broken of [() => ({}), () => Promise.reject(new Error('lost')), () => Promise.resolve({})]) {
      answer = broken;
      for (const result of [
        await prepared(variableValues, {}),
        await execute({ schema, document, variableValues, contextValue: {} }),
      ]) {
        expect(result.errors?.length).toBeGreaterThan(0);
        expect(result.data?.[operation] ?? null).toBeNull();
      }
    }
  });
});

test('what is absent has the default of the contract', async () => {
  answer = () => null;
  const run = host.prepare(parse(documents.evaluateOffers));
  await run({ input: { items: [{ sku: 'a', unitPriceMinor: 1 }] } }, {});
  expect(seen).toEqual({ input: { explain: false, items: [{ sku: 'a', unitPriceMinor: 1, quantity: 1 }] } });
  await host.prepare(parse(documents.transactions))({}, {});
  expect(seen).toEqual({ limit: 50 });
});

test('variables that do not fit are an error without data', async () => {
  const result = await host.prepare(parse(documents.evaluateOffers))({ input: { items: [{ sku: 1 }] } }, {});
  expect(result.errors?.length).toBeGreaterThan(0);
  expect(result.data).toBeUndefined();
});

function variablesOf(document: DocumentNode): Arbitrary<Record<string, unknown>> {
  const members: Record<string, Arbitrary<unknown>> = {};
  const requiredKeys: string[] = [];
  for (const { variable, type: node } of getOperationAST(document)?.variableDefinitions ?? []) {
    const type = typeFromAST(schema, node);
    if (!isInputType(type)) throw new Error(`${variable.name.value} has no input type`);
    members[variable.name.value] = inputOf(type);
    if (node.kind === 'NonNullType') requiredKeys.push(variable.name.value);
  }
  return fc.record(members, { requiredKeys });
}

/** As JSON says it: without prototypes, and with dates as text. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
