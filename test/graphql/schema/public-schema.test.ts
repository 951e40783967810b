import { describe, expect, test } from '@jest/globals';
import { buildSchema } from 'graphql';
import { createExecutableSchema } from '../../../src/graphql/schema/executable-schema.ts';
import { createPublicSchema, printSdl } from '../../../src/graphql/schema/public-schema.ts';
import { typeDefs } from '../../support/graphql/edge-server.ts';

const sdl = printSdl(createPublicSchema(createExecutableSchema(typeDefs, {})));
const schema = buildSchema(sdl);

describe('the public schema', () => {
  test('has no field that is @restOnly, and none of its types', () => {
    expect(sdl).not.toContain('@restOnly on');
    expect(sdl).not.toContain('createMember');
    expect(schema.getType('CreateMemberInput')).toBeUndefined();
    expect(schema.getType('EnrollMemberPayload')).toBeUndefined();
  });

  test('has the fields that are not', () => {
    expect(Object.keys(schema.getQueryType()?.getFields() ?? {})).toContain('member');
    expect(Object.keys(schema.getMutationType()?.getFields() ?? {})).toContain('purchaseEarn');
  });

  test('keeps the error codes, the scopes and the constraints in its SDL', () => {
    expect(sdl).toContain('enum ErrorCode');
    expect(sdl).toContain('@scope(requires: ["events:write"])');
    expect(sdl).toMatch(/amountMinor: Long! @constraint\(min: 0, max: 1000000000000\)/);
  });
});

describe('the executable schema', () => {
  test('refuses a root field without a scope', () => {
    expect(() => createExecutableSchema(`${typeDefs} extend type Query { open: String }`, {})).toThrow(
      'Query.open declares no @scope',
    );
  });

  test('refuses a mutation that does not take one input', () => {
    const sdl = `${typeDefs} extend type Mutation { act(id: ID!): String @scope(requires: ["x"]) }`;
    expect(() => createExecutableSchema(sdl, {})).toThrow('Mutation.act does not take one `input`');
  });
});
