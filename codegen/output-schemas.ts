import {
  type GraphQLOutputType,
  type GraphQLSchema,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import { type JsonSchema, nullable, withoutBounds } from './json-schema.ts';
import { scalarSchema } from './scalar-schemas.ts';

/**
 * The JSON Schema of the result of a selection.
 * @param selections fields only: the documents have no fragments
 * @param omitted fields of the outermost selection that are not part of the response
 */
export function outputSchema(
  schema: GraphQLSchema,
  type: GraphQLOutputType,
  selections: SelectionSetNode | undefined,
  omitted: ReadonlySet<string> = new Set(),
): JsonSchema {
  if (isNonNullType(type)) return nonNull(schema, type.ofType, selections, omitted);
  return nullable(nonNull(schema, type, selections, omitted));
}

function nonNull(
  schema: GraphQLSchema,
  type: GraphQLOutputType,
  selections: SelectionSetNode | undefined,
  omitted: ReadonlySet<string>,
): JsonSchema {
  if (isListType(type)) return { type: 'array', items: outputSchema(schema, type.ofType, selections) };
  if (isEnumType(type)) return { type: 'string', enum: type.getValues().map(({ name }) => name) };
  if (!isObjectType(type) || !selections) return withoutBounds(scalarSchema(String(type), schema));
  const fields = type.getFields();
  const properties: Record<string, JsonSchema> = {};
  for (const selection of selections.selections) {
    if (selection.kind !== Kind.FIELD) throw new Error('A REST document selects fields alone');
    const field = fields[selection.name.value];
    if (!field) throw new Error(`${type.name} has no field ${selection.name.value}`);
    if (omitted.has(field.name)) continue;
    const property = outputSchema(schema, field.type, selection.selectionSet);
    properties[field.name] = field.description ? { description: field.description, ...property } : property;
  }
  return { type: 'object', required: Object.keys(properties), properties };
}
