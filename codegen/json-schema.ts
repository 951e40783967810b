/**
 * A JSON Schema with the keywords of draft 2020-12 that are used here. Ajv's default draft treats them the same way.
 */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  items?: JsonSchema;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minProperties?: number;
  maxProperties?: number;
  allOf?: JsonSchema[];
  not?: JsonSchema;
  if?: JsonSchema;
  then?: JsonSchema;
  examples?: unknown[];
  /** A custom keyword: the message for a value that breaks `pattern` or `not`. */
  'x-message'?: string;
}

/** The same schema with null allowed. */
export function nullable(schema: JsonSchema): JsonSchema {
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  const loosened: JsonSchema = { ...schema, type: [...types, 'null'] };
  if (schema.enum) loosened.enum = [...schema.enum, null];
  return loosened;
}

/** The same schema with null not allowed. */
export function notNull(schema: JsonSchema): JsonSchema {
  const types = [schema.type ?? []].flat().filter((type) => type !== 'null');
  const tightened: JsonSchema = { ...schema, type: types.length === 1 && types[0] ? types[0] : types };
  if (schema.enum) tightened.enum = schema.enum.filter((value) => value !== null);
  return tightened;
}

/** Leaves out the bounds of integers, which matter only for what clients send. */
export function withoutBounds({ minimum: _minimum, maximum: _maximum, ...schema }: JsonSchema): JsonSchema {
  return schema;
}
