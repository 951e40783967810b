import {
  coerceInputLiteral,
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import { itemLimit } from '../errors/variable-errors.ts';

/** Turns a variable's value into what resolvers get: defaults are filled in, scalars are parsed. @throws Misfit */
export type Coerce<Value = unknown> = (value: unknown) => Value;

/**
 * A value does not fit its type. Most such values are refused before, with better messages, by the contract's JSON
 * Schemas.
 */
export class Misfit extends Error {
  override name = 'Misfit';
}

interface CompiledField {
  name: string;
  coerce: Coerce;
  /** The default for an absent value; undefined if there is none. */
  fallback: unknown;
}

/**
 * Compiles the coercion of arguments, or of the fields of an input object, as the GraphQL specification defines it
 * (section 3.10, "Input Coercion").
 * @param path of the object in messages: empty for arguments
 */
export function compileFields(
  fields: readonly (GraphQLArgument | GraphQLInputField)[],
  path: string,
): Coerce<Record<string, unknown>> {
  const compiled = fields.map((field): CompiledField => {
    const { name, type } = field;
    const coerce = compileInput(type, path === '' ? name : `${path}.${name}`);
    return { name, coerce, fallback: defaultOf(field, coerce) };
  });
  const fieldNames = new Set(fields.map(({ name }) => name));
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new Misfit(`${path} must be an object.`);
    }
    for (const name in value)
      if (!fieldNames.has(name)) throw new Misfit(`${path} has no field of a name that was sent.`);
    const input = value as Readonly<Record<string, unknown>>;
    const coerced: Record<string, unknown> = {};
    for (const { name, coerce, fallback } of compiled) {
      const member = input[name];
      if (member === undefined && fallback !== undefined) coerced[name] = fallback;
      else if (member !== undefined) coerced[name] = coerce(member);
      // Throws for a required value; an absent optional one is left out.
      else coerce(member);
    }
    return coerced;
  };
}

function compileInput(type: GraphQLInputType, path: string): Coerce {
  if (isNonNullType(type)) {
    const coerce = compilePresent(type.ofType, path);
    return (value) => {
      if (value === undefined || value === null) throw new Misfit(`${path} is required.`);
      return coerce(value);
    };
  }
  const coerce = compilePresent(type, path);
  return (value) => (value === undefined || value === null ? value : coerce(value));
}

function compilePresent(type: GraphQLInputType, path: string): Coerce {
  if (isListType(type)) {
    const coerce = compileInput(type.ofType, `${path}[]`);
    return (value) => {
      // GraphQL coerces a single value to a list of one item.
      if (!Array.isArray(value)) return [coerce(value)];
      if (value.length > itemLimit) throw new Misfit(`${path} has more than ${itemLimit} items.`);
      return value.map((item: unknown) => coerce(item));
    };
  }
  if (isInputObjectType(type)) return compileFields(Object.values(type.getFields()), path);
  if (isNonNullType(type)) return compileInput(type, path);
  return (value) => {
    try {
      const coerced: unknown = type.coerceInputValue(value, true);
      if (coerced !== undefined) return coerced;
    } catch {
      // The scalar's own message is not used: it may repeat the value, which can be long.
    }
    throw new Misfit(`${path} is not of type ${type}.`);
  };
}

function defaultOf(
  { default: defaultInput, type }: GraphQLArgument | GraphQLInputField,
  coerce: Coerce,
): unknown {
  if (!defaultInput) return undefined;
  return defaultInput.literal ? coerceInputLiteral(defaultInput.literal, type) : coerce(defaultInput.value);
}
