import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from '@jest/globals';
import { buildSchema, type GraphQLSchema } from 'graphql';
import { directiveArguments } from '../../codegen/contract.ts';
import { routes } from '../../rest-adapter/routes.ts';
import { graphql } from '../support/surfaces/client.ts';
import { useServer } from '../support/surfaces/use-shop.ts';
import type { TestEnvironment } from '../support/surfaces/world.ts';

const schema = buildSchema(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'));
const restOnly = [
  ...fieldsOf(schema, 'query').map((name) => ['query', name] as const),
  ...fieldsOf(schema, 'mutation').map((name) => ['mutation', name] as const),
];

function fieldsOf(of: GraphQLSchema, operation: 'query' | 'mutation'): string[] {
  const fields = Object.values(
    (operation === 'query' ? of.getQueryType() : of.getMutationType())?.getFields() ?? {},
  );
  return fields.filter((field) => directiveArguments(field, 'restOnly')).map(({ name }) => name);
}

let sandbox: TestEnvironment;
let production: TestEnvironment;

const { world, client } = useServer();

beforeAll(async () => {
  [sandbox, production] = [await world.environment(), await world.environment('production')];
});

const messageFor = async (environment: TestEnvironment, document: string): Promise<string | undefined> => {
  const answer = await client.send(graphql(environment, document));
  expect(answer).toMatchObject({ status: 400, code: 'graphql_validation_failed' });
  return answer.body.errors?.[0]?.message;
};

test('there are fields of both kinds that only REST serves', () => {
  expect(restOnly.map(([operation]) => operation)).toEqual(expect.arrayContaining(['query', 'mutation']));
});

test.each(restOnly)(
  '%s %s is named with its path in Sandbox, and unknown in Production',
  async (operation, name) => {
    const document = `${operation} { ${name} { requestId } }`;
    const route = routes.find((each) => each.operation === name);
    const unknown = `Cannot query field "${name}" on type "${operation === 'query' ? 'Query' : 'Mutation'}".`;
    expect(await messageFor(sandbox, document)).toBe(
      `${unknown} ${name} is served by REST: ${route?.method} /api/v1${route?.path}`,
    );
    expect(await messageFor(production, document)).toBe(unknown);
  },
);

test('a field that is below the root, or served nowhere, is only unknown', async () => {
  expect(await messageFor(sandbox, '{ member(externalCustomerId: "a") { createMember } }')).toBe(
    'Cannot query field "createMember" on type "MemberResult". It is at member.createMember.',
  );
  expect(await messageFor(sandbox, 'mutation { mintPoints }')).toBe(
    'Cannot query field "mintPoints" on type "Mutation".',
  );
});
