import {
  getDirective,
  MapperKind,
  mapSchema,
  printSchemaWithDirectives,
  pruneSchema,
} from '@graphql-tools/utils';
import { GraphQLSchema } from 'graphql';

/**
 * The schema of the public GraphQL endpoint: the executable schema without its `@restOnly` fields, and without the
 * types that only those use. `ErrorCode` stays, though no field has its type: clients generate their error handling
 * from it.
 */
export function createPublicSchema(schema: GraphQLSchema): GraphQLSchema {
  const filtered = mapSchema(schema, {
    [MapperKind.ROOT_FIELD]: (field) => (getDirective(schema, field, 'restOnly') ? null : undefined),
  });
  const pruned = pruneSchema(filtered, { skipPruning: (type) => type.name === 'ErrorCode' });
  const config = pruned.toConfig();
  return new GraphQLSchema({
    ...config,
    directives: config.directives.filter((directive) => directive.name !== 'restOnly'),
  });
}

/** The SDL of the schema that executes, scopes and constraints included: what clients download and generate from. */
export function printSdl(publicSchema: GraphQLSchema): string {
  return `${printSchemaWithDirectives(publicSchema).trimEnd()}\n`;
}
