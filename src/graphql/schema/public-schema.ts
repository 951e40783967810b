import {
  getDirective,
  MapperKind,
  mapSchema,
  printSchemaWithDirectives,
  pruneSchema,
} from '@graphql-tools/utils';
import { GraphQLSchema } from 'graphql';

/** The directives of fields that are not on the public endpoint. */
const NOT_PUBLIC: readonly string[] = ['restOnly', 'customer'];

/**
 * The schema of the public GraphQL endpoint: the executable schema without its `@restOnly` and `@customer` fields, and
 * without the types that only those use. `ErrorCode` stays, though no field has its type: clients generate their error handling
 * from it.
 */
export function createPublicSchema(schema: GraphQLSchema): GraphQLSchema {
  const filtered = mapSchema(schema, {
    [MapperKind.ROOT_FIELD]: (field) =>
      NOT_PUBLIC.some((name) => getDirective(schema, field, name)) ? null : undefined,
  });
  const pruned = pruneSchema(filtered, { skipPruning: (type) => type.name === 'ErrorCode' });
  const config = pruned.toConfig();
  return new GraphQLSchema({
    ...config,
    directives: config.directives.filter(({ name }) => !NOT_PUBLIC.includes(name)),
  });
}

/** The SDL of the schema that executes, scopes and constraints included: what clients download and generate from. */
export function printSdl(publicSchema: GraphQLSchema): string {
  return `${printSchemaWithDirectives(publicSchema).trimEnd()}\n`;
}
