import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { getNamedType, isObjectType, parse } from 'graphql';
import { directiveArguments } from '../../../codegen/contract.ts';
import { customerRoutes } from '../../../rest-adapter/routes/customers.ts';
import { prepareOperation } from '../../../src/graphql/execution/prepared-operation.ts';
import { createExecutableSchema } from '../../../src/graphql/schema/executable-schema.ts';
import { resolvers } from '../../../src/graphql/schema/resolvers.ts';

const typeDefs = readFileSync(new URL('../../../schema.graphql', import.meta.url), 'utf8');
const schema = createExecutableSchema(typeDefs, resolvers);
const fields = [schema.getQueryType(), schema.getMutationType()]
  .flatMap((root) => Object.values(root?.getFields() ?? {}))
  .filter((field) => directiveArguments(field, 'customer'));

test('every field for customers has a route, and every route such a field', () => {
  expect(fields.map(({ name }) => name).sort()).toEqual(
    customerRoutes.map(({ operation }) => operation).sort(),
  );
});

describe('a field for customers', () => {
  test.each(['externalCustomerId', 'customer', 'memberId', 'member', 'externalId', 'subject'])(
    'cannot have an argument %s, at any depth',
    (name) => {
      const asArgument = typeDefs.replace(
        'customerCatalog(programId',
        `customerCatalog(${name}: String, programId`,
      );
      expect(() => createExecutableSchema(asArgument, resolvers)).toThrow(`takes ${name}`);
      const inInput = typeDefs.replace('input ReserveForCustomerInput {', `$& ${name}: String`);
      expect(() => createExecutableSchema(inInput, resolvers)).toThrow(`takes ${name}`);
      const below = typeDefs.replace(
        'input ReserveForCustomerInput {',
        `input WhoInput { ${name}: String } $& who: WhoInput`,
      );
      expect(() => createExecutableSchema(below, resolvers)).toThrow(`takes ${name}`);
    },
  );

  test('has no scope beside', () => {
    const both = typeDefs.replace(
      'CustomerMemberResult @customer',
      'CustomerMemberResult @customer @scope(requires: ["members:read"])',
    );
    expect(() => createExecutableSchema(both, resolvers)).toThrow('customerMember is for customers');
  });

  test.each(['rest', 'graphql'] as const)('is not executed for a key, over %s', async (door) => {
    const execute = prepareOperation(schema, parse('query customerMember { customerMember { requestId } }'));
    const result = await execute?.({}, { door, requestId: 'r', credential: { scopes: new Set() } });
    expect(result?.errors?.[0]?.message).toMatch('without a customer');
  });

  test('gives neither ids of members and transactions nor references of the merchant', () => {
    const forbidden = /^(externalCustomerId|memberId|transactionId|lotId|sourceReference|ruleDecisions)$/;
    const seen = new Set<string>();
    const visit = (typeName: string): string[] => {
      const type = schema.getType(typeName);
      if (!isObjectType(type) || seen.has(typeName)) return [];
      seen.add(typeName);
      return Object.values(type.getFields()).flatMap((field) => [
        ...(forbidden.test(field.name) ? [`${typeName}.${field.name}`] : []),
        ...visit(getNamedType(field.type).name),
      ]);
    };
    expect(fields.flatMap(({ type }) => visit(getNamedType(type).name))).toEqual([]);
    expect(seen.size).toBeGreaterThan(10);
  });
});

test('a field of merchants is not executed for a customer', async () => {
  const execute = prepareOperation(
    schema,
    parse('query transaction($id: ID!) { transaction(id: $id) { requestId } }'),
  );
  const result = await execute?.({ id: 'txn' }, { door: 'customer', requestId: 'r' });
  expect(result?.errors?.[0]?.message).toMatch('was executed for a customer');
});
