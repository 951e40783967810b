import {
  getDirective,
  MapperKind,
  mapSchema,
  printSchemaWithDirectives,
  pruneSchema,
} from '@graphql-tools/utils';
import { type GraphQLNamedType, GraphQLSchema } from 'graphql';

/** Types that carry one of these are part of the public schema. */
const KEEPING_DIRECTIVES = ['event', 'eventEnvelope'];

/**
 * The schema of the public GraphQL endpoint: the executable schema without its `@restOnly` fields, and without the
 * types that only those use. What clients generate code from stays, though no field has its type: `ErrorCode`, and the
 * messages to webhook endpoints.
 */
export function createPublicSchema(schema: GraphQLSchema): GraphQLSchema {
  const filtered = mapSchema(schema, {
    [MapperKind.ROOT_FIELD]: (field) => (getDirective(schema, field, 'restOnly') ? null : undefined),
  });
  const kept = (type: GraphQLNamedType): boolean =>
    type.name === 'ErrorCode' ||
    KEEPING_DIRECTIVES.some((directive) => getDirective(schema, type, directive));
  const pruned = pruneSchema(filtered, { skipPruning: kept });
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
