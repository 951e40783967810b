import { countValues } from '../document/attribute-values.ts';
import { compileAttributesSchema } from '../document/attributes-schema.ts';
import type { DocumentPath, DocumentProblem } from '../document/document-problem.ts';

type Schema = Readonly<Record<string, unknown>>;

// Far more than people write, and far less than what would make the check of an event slow.
const maxBytes = 16 * 1024;
const maxParts = 200;
/** Comparing a value with this many plain values of an `enum` costs about as much as checking one other part. */
const plainValuesAPart = 10;

/** Keywords whose value is a schema; then those with a list of schemas, and those with schemas by name. */
const oneSchema = new Set([
  ...['additionalProperties', 'contains', 'else', 'if', 'items', 'not', 'propertyNames', 'then'],
  ...['unevaluatedItems', 'unevaluatedProperties'],
]);
const schemaLists = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const schemaMaps = new Set(['$defs', 'dependentSchemas', 'properties']);
const forbidden = new Map([
  ['pattern', 'cannot stand here: what a regular expression costs has no bound'],
  ['patternProperties', 'cannot stand here: what a regular expression costs has no bound'],
  ['definitions', 'is of an older draft; take $defs'],
  ['dependencies', 'is of an older draft; take dependentRequired or dependentSchemas'],
]);
const allowedDollars = new Set(['$comment', '$defs', '$ref', '$schema']);

/**
 * Checks an `attributesSchema`: it has to compile as strict JSON Schema (draft 2020-12), may not refer to anything
 * outside of it, and the cost of checking an event against it is bounded: no regular expressions, and at most 200
 * parts, counted with references followed. Parts are: schemas, true and false included; the values of `enum` (ten
 * plain values are one part); the values inside a `const`; and the names of `required`. Paths begin at the schema.
 */
export function checkAttributesSchema(schema: Record<string, unknown>): DocumentProblem[] {
  if (Buffer.byteLength(JSON.stringify(schema)) > maxBytes) {
    return [{ path: [], message: `is larger than ${maxBytes} bytes` }];
  }
  const problems = [...wrongKeywords(schema, schema, [])];
  if (problems.length > 0) return problems;
  if (!fits(schema, schema, { parts: maxParts })) {
    const parts = `more than ${maxParts} parts (schemas, values of enum and const, names of required)`;
    return [{ path: [], message: `refers to itself, or has ${parts} with references followed` }];
  }
  try {
    compileAttributesSchema(schema);
    return [];
  } catch (error) {
    return [{ path: [], message: `is no strict JSON Schema of draft 2020-12: ${(error as Error).message}` }];
  }
}

function* wrongKeywords(schema: Schema, root: Schema, path: DocumentPath): Generator<DocumentProblem> {
  for (const keyword of Object.keys(schema)) {
    const message =
      forbidden.get(keyword) ??
      (keyword.startsWith('$') && !allowedDollars.has(keyword)
        ? `cannot stand here; of $ there are ${[...allowedDollars].join(', ')}`
        : null);
    if (message) yield { path: [...path, keyword], atKey: true, message };
  }
  if (schema.$ref !== undefined && !targetOf(schema.$ref, root)) {
    yield {
      path: [...path, '$ref'],
      message: 'must point to a schema within this one, such as #/$defs/name',
    };
  }
  for (const [part, at] of partsOf(schema)) yield* wrongKeywords(part, root, [...path, ...at]);
}

/** Whether a schema has at most as many parts as are left. A part is counted as often as it is reached. */
function fits(schema: Schema, root: Schema, budget: { parts: number }): boolean {
  budget.parts -= 1 + plainParts(schema);
  if (budget.parts < 0) return false;
  const target = targetOf(schema.$ref, root);
  if (target && !fits(target, root, budget)) return false;
  for (const [part] of partsOf(schema)) if (!fits(part, root, budget)) return false;
  return true;
}

/** The number of parts of a schema that are not schemas with keywords: true, false, and the values of keywords. */
function plainParts(schema: Schema): number {
  const { const: only, enum: some, required, dependentRequired } = schema;
  let parts = countValues(only, maxParts) + countChoices(some);
  parts += countValues(required, maxParts) + countValues(dependentRequired, maxParts);
  for (const keyword of oneSchema) if (typeof schema[keyword] === 'boolean') parts += 1;
  for (const keyword of [...schemaLists, ...schemaMaps]) {
    const schemas = schema[keyword];
    if (typeof schemas !== 'object' || schemas === null) continue;
    for (const part of Object.values(schemas)) if (typeof part === 'boolean') parts += 1;
  }
  return parts;
}

function countChoices(values: unknown): number {
  const plain = Array.isArray(values) && values.every((value) => typeof value !== 'object' || value === null);
  return plain ? Math.ceil(values.length / plainValuesAPart) : countValues(values, maxParts);
}

function* partsOf(schema: Schema): Generator<[Schema, DocumentPath]> {
  for (const [keyword, value] of Object.entries(schema)) {
    if (oneSchema.has(keyword)) {
      if (isSchema(value)) yield [value, [keyword]];
    } else if (schemaLists.has(keyword) && Array.isArray(value)) {
      for (const [index, part] of value.entries()) if (isSchema(part)) yield [part, [keyword, index]];
    } else if (schemaMaps.has(keyword) && isSchema(value)) {
      for (const [name, part] of Object.entries(value)) if (isSchema(part)) yield [part, [keyword, name]];
    }
  }
}

/** The part that a `$ref` within the schema points to; null where it points to anything but a part. */
function targetOf(reference: unknown, root: Schema): Schema | null {
  if (typeof reference !== 'string' || !/^#(?:\/[^%]*)?$/.test(reference)) return null;
  const sought = reference
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  let at = root;
  let offset = 0;
  while (offset < sought.length) {
    const next = partsOf(at).find(([, path]) =>
      path.every((step, depth) => String(step) === sought[offset + depth]),
    );
    if (!next) return null;
    at = next[0];
    offset += next[1].length;
  }
  return at;
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
