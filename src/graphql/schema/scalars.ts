import {
  type ConstValueNode,
  GraphQLError,
  GraphQLScalarType,
  Kind,
  type ObjectValueNode,
  print,
  type ValueNode,
} from 'graphql';
import { normalizeDateTime } from '../../contract/date-time.ts';
import { classifyNumber } from '../../http/exact-integer.ts';
import { stringViolation } from '../../http/json-violations.ts';

/** The same limit as for a JSON body. */
const MAX_DEPTH = 32;

/** `scalar Long`: every JSON safe integer. */
export const Long = new GraphQLScalarType<number, number>({
  name: 'Long',
  coerceOutputValue: toLong,
  coerceInputValue: toLong,
  coerceInputLiteral(node) {
    // Checked on the text, because the double is rounded: 9007199254740993 must not pass as 9007199254740992.
    if (node.kind !== Kind.INT && node.kind !== Kind.FLOAT) throw notLong(print(node), false, node);
    const exact = classifyNumber(node.value);
    if (exact !== 'safe integer') throw notLong(print(node), exact === 'unsafe integer', node);
    return Number(node.value);
  },
});

/** `scalar DateTime`: RFC 3339 with a time zone; converted to UTC with milliseconds, in inputs and outputs. */
export const DateTime = new GraphQLScalarType<string, string>({
  name: 'DateTime',
  coerceOutputValue: (value) => (value instanceof Date ? value.toISOString() : toDateTime(value)),
  coerceInputValue: toDateTime,
  coerceInputLiteral: (node) => toDateTime(node.kind === Kind.STRING ? node.value : undefined, node),
});

/** `scalar JSONObject`: any JSON object. */
export const JSONObject = objectScalar('JSONObject');

/** `scalar EventAttributes`: a JSON object; the input's JSON Schema checks the properties that the contract names. */
export const EventAttributes = objectScalar('EventAttributes');

function toLong(value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  if (typeof value === 'bigint' && Number.isSafeInteger(Number(value))) return Number(value);
  // A number in quotes is told from the number.
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  throw notLong(text, typeof value === 'bigint' || Number.isInteger(value));
}

/** The message names no bounds: the field that the value is for may have narrower ones than the scalar. */
function notLong(text: string, isInteger: boolean, node?: ValueNode): GraphQLError {
  const why = isInteger ? 'it is out of range' : 'it is not an integer';
  const message = `Long cannot represent ${text}: ${why}.`;
  return new GraphQLError(message, node ? { nodes: node } : {});
}

function toDateTime(value: unknown, node?: ValueNode): string {
  const normal = typeof value === 'string' ? normalizeDateTime(value) : null;
  if (normal !== null) return normal;
  const message = 'DateTime must be an RFC 3339 string with a time zone, such as 2026-01-31T12:00:00Z.';
  throw new GraphQLError(message, node ? { nodes: node } : {});
}

function objectScalar(name: string): GraphQLScalarType<Record<string, unknown>, Record<string, unknown>> {
  const toObject = (value: unknown): Record<string, unknown> => {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>;
    }
    throw new GraphQLError(`${name} must be a JSON object.`);
  };
  return new GraphQLScalarType({
    name,
    coerceOutputValue: toObject,
    coerceInputValue: toObject,
    coerceInputLiteral(node) {
      if (node.kind !== Kind.OBJECT)
        throw new GraphQLError(`${name} must be a JSON object.`, { nodes: node });
      return objectOf(node, name, 1);
    },
  });
}

/** The JSON value of a literal, under the same rules as a JSON body. */
function jsonValueOf(node: ConstValueNode, name: string, depth: number): unknown {
  switch (node.kind) {
    case Kind.NULL:
      return null;
    case Kind.BOOLEAN:
      return node.value;
    case Kind.INT:
    case Kind.FLOAT: {
      const exact = classifyNumber(node.value);
      const value = Number(node.value);
      const rounded = exact === 'fraction' && Number.isInteger(value);
      if (exact === 'unsafe integer' || rounded || !Number.isFinite(value)) {
        throw new GraphQLError(`${name} cannot hold ${node.value}: it would be rounded.`, { nodes: node });
      }
      return value;
    }
    case Kind.STRING:
      return checkedString(node.value, node, name);
    case Kind.ENUM:
      throw new GraphQLError(`${name} cannot hold the name ${node.value}: strings are quoted.`, {
        nodes: node,
      });
    case Kind.LIST:
      checkDepth(depth + 1, node, name);
      return node.values.map((item) => jsonValueOf(item as ConstValueNode, name, depth + 1));
    case Kind.OBJECT:
      return objectOf(node, name, depth + 1);
  }
}

function objectOf(node: ObjectValueNode, name: string, depth: number): Record<string, unknown> {
  checkDepth(depth, node, name);
  const result: Record<string, unknown> = {};
  for (const field of node.fields) {
    const key = field.name.value;
    if (key === '__proto__')
      throw new GraphQLError(`${name} cannot hold the name __proto__.`, { nodes: field });
    result[key] = jsonValueOf(field.value as ConstValueNode, name, depth);
  }
  return result;
}

function checkDepth(depth: number, node: ValueNode, name: string): void {
  if (depth > MAX_DEPTH) {
    throw new GraphQLError(`${name} is nested more than ${MAX_DEPTH} levels deep.`, { nodes: node });
  }
}

function checkedString(value: string, node: ValueNode, name: string): string {
  const problem = stringViolation(value);
  if (problem) throw new GraphQLError(`A string of ${name} ${problem}.`, { nodes: node });
  return value;
}
