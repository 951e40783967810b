import fc, { type Arbitrary } from 'fast-check';
import {
  type GraphQLInputType,
  type GraphQLLeafType,
  type GraphQLOutputType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredInputField,
} from 'graphql';

/** Any JSON value that a variable of the type may have: optional fields present, absent or null. */
export function inputOf(type: GraphQLInputType): Arbitrary<unknown> {
  if (isNonNullType(type)) return present(type.ofType);
  return fc.option(present(type), { nil: null });
}

function present(type: GraphQLInputType): Arbitrary<unknown> {
  if (isNonNullType(type)) return present(type.ofType);
  if (isListType(type)) return fc.array(inputOf(type.ofType), { maxLength: 3 });
  if (!isInputObjectType(type)) return leaf(type);
  const fields = Object.values(type.getFields());
  const requiredKeys = fields.filter(isRequiredInputField).map(({ name }) => name);
  const members = fields.map(({ name, type: of }) => [name, inputOf(of)] as const);
  return fc.record(Object.fromEntries(members), { requiredKeys });
}

/** Any value that a resolver may return for the type. */
export function outputOf(type: GraphQLOutputType): Arbitrary<unknown> {
  return isNonNullType(type) ? valueFor(type.ofType) : fc.option(valueFor(type), { nil: null });
}

function valueFor(type: GraphQLOutputType): Arbitrary<unknown> {
  if (isNonNullType(type)) return valueFor(type.ofType);
  if (isListType(type)) return fc.array(outputOf(type.ofType), { maxLength: 3 });
  if (isObjectType(type)) {
    const fields = Object.values(type.getFields());
    return fc.record(Object.fromEntries(fields.map(({ name, type: of }) => [name, outputOf(of)])));
  }
  if (type.toString() === 'DateTime') return fc.oneof(instant, instantText);
  return leaf(type as GraphQLLeafType);
}

const instant = fc.date({
  min: new Date('0001-01-01T00:00:00Z'),
  max: new Date('9999-12-31T23:59:59Z'),
  noInvalidDate: true,
});
const instantText = instant.map((date) => date.toISOString());

function leaf(type: GraphQLLeafType): Arbitrary<unknown> {
  if (isEnumType(type)) return fc.constantFrom(...type.getValues().map(({ name }) => name));
  switch (type.name) {
    case 'String':
    case 'ID':
      return fc.string({ unit: 'grapheme' });
    case 'Boolean':
      return fc.boolean();
    case 'Int':
      return fc.integer();
    case 'Float':
      // JSON has no negative zero.
      return fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
    case 'Long':
      return fc.maxSafeInteger();
    case 'DateTime':
      return instantText;
    case 'JSONObject':
    case 'EventAttributes':
      return fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 });
    default:
      throw new Error(`No values are known for the scalar ${type.name}`);
  }
}
