import { programSchema } from '../document/program-schema.ts';

/** A JSON Schema of the program document, as far as an example needs it. */
export interface ShapeSchema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  format?: string;
  const?: unknown;
  default?: unknown;
  examples?: unknown[];
  enum?: unknown[];
  minimum?: number;
  minItems?: number;
  required?: string[];
  properties?: Record<string, ShapeSchema>;
  items?: ShapeSchema;
  anyOf?: ShapeSchema[];
  oneOf?: ShapeSchema[];
}

/** The placeholder for a text that the merchant chooses. */
const CHOSEN = '…';

/**
 * The smallest valid value of a schema, written as YAML on one line: `{ numerator: 1, denominator: 1 }`. A list has one
 * entry.
 * @returns null where the schema describes neither an object nor a list: a scalar needs no example
 */
export function exampleShape(schema: ShapeSchema): string | null {
  const resolved = resolve(schema);
  if (resolved.type === 'array') return flow([exampleOf(resolved.items ?? {})]);
  return resolved.type === 'object' ? flow(exampleOf(resolved)) : null;
}

function exampleOf(schema: ShapeSchema): unknown {
  const resolved = resolve(schema);
  const { type, enum: choices, minimum = 0, anyOf, format, description = '' } = resolved;
  if (resolved.const !== undefined) return resolved.const;
  const [example] = resolved.examples ?? [resolved.default];
  if (example !== undefined) return example;
  if (choices) return choices[0];
  if (anyOf?.[0]) return exampleOf(anyOf[0]);
  switch (Array.isArray(type) ? type[0] : type) {
    case 'array':
      return resolved.minItems ? [exampleOf(resolved.items ?? {})] : [];
    case 'integer':
      return Math.max(minimum, 1);
    case 'boolean':
      return true;
    case 'string':
      if (format === 'date-time') return '2026-12-01T00:00:00Z';
      return /such as ([\w/-]+)/.exec(description)?.[1] ?? CHOSEN;
    default:
      return exampleObject(resolved);
  }
}

/**
 * An object with the required properties, and those of the first branch of a `oneOf`; with the first property where
 * there are none.
 */
function exampleObject({ properties = {}, required = [], oneOf = [] }: ShapeSchema): object {
  const [branch = {}] = oneOf;
  const allProperties = { ...properties, ...branch.properties };
  const requiredNames = [...Object.keys(branch.properties ?? {}), ...required, ...(branch.required ?? [])];
  const names =
    requiredNames.length > 0 ? [...new Set(requiredNames)] : Object.keys(allProperties).slice(0, 1);
  return Object.fromEntries(names.map((name) => [name, exampleOf(allProperties[name] ?? {})]));
}

function resolve(schema: ShapeSchema): ShapeSchema {
  const name = schema.$ref?.replace('#/$defs/', '');
  const definitions = programSchema.$defs as Record<string, ShapeSchema>;
  // Keywords beside a reference, such as a description, are more specific than those of the definition.
  return name === undefined ? schema : { ...definitions[name], ...schema };
}

function flow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const entries = Object.entries(value);
  return entries.length === 0
    ? '{}'
    : `{ ${entries.map(([key, entry]) => `${key}: ${flow(entry)}`).join(', ')} }`;
}
