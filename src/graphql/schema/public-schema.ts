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

/** The directives of fields that are not on the public endpoint. */
const NOT_PUBLIC: readonly string[] = ['restOnly', 'customer', 'widget', 'person', 'grants'];

/**
 * The schema of the public GraphQL endpoint: the executable schema without its `@restOnly`, `@customer`, `@widget` and
 * `@person` fields, and without the types that only those use. What clients generate code from stays, though no field
 * has its type: `ErrorCode`, and the messages to webhook endpoints.
 */
export function createPublicSchema(schema: GraphQLSchema): GraphQLSchema {
  const filtered = mapSchema(schema, {
    [MapperKind.ROOT_FIELD]: (field) =>
      NOT_PUBLIC.some((name) => getDirective(schema, field, name)) ? null : undefined,
  });
  const isKept = (type: GraphQLNamedType): boolean =>
    type.name === 'ErrorCode' ||
    KEEPING_DIRECTIVES.some((directive) => getDirective(schema, type, directive));
  const pruned = pruneSchema(filtered, { skipPruning: isKept });
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
