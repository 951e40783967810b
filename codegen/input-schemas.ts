import {
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredArgument,
  isRequiredInputField,
} from 'graphql';
import { anyText, constraintKeywords, listKeywords } from './constraints.ts';
import { defaultOf, directiveArguments } from './contract.ts';
import { type JsonSchema, nullable } from './json-schema.ts';
import { crossFieldRules, scalarSchema } from './scalar-schemas.ts';

/** The JSON Schemas of what clients send. */
export interface InputSchemas {
  /** An input type as an object with these fields, or all. Nested types are written out in place. */
  object(typeName: string, fieldNames?: ReadonlySet<string>): JsonSchema;
  /** The arguments of a root field as one object, keyed by argument. */
  args(rootField: string): JsonSchema;
  /** One field of an input type by itself. */
  field(typeName: string, fieldName: string): JsonSchema;
}

export function inputSchemas(schema: GraphQLSchema): InputSchemas {
  function object(typeName: string, fieldNames?: ReadonlySet<string>, within: string[] = []): JsonSchema {
    if (within.includes(typeName)) throw new Error(`Input type ${typeName} contains itself`);
    const type = inputType(schema, typeName);
    const fields = Object.values(type.getFields()).filter((field) => fieldNames?.has(field.name) ?? true);
    return described(type, {
      type: 'object',
      additionalProperties: false,
      required: fields.filter(isRequiredInputField).map((field) => field.name),
      properties: Object.fromEntries(
        fields.map((field) => [
          field.name,
          element(field, `${typeName}.${field.name}`, [...within, typeName]),
        ]),
      ),
      ...crossFieldRules[typeName],
    });
  }

  function element(field: GraphQLInputField | GraphQLArgument, where: string, within: string[]): JsonSchema {
    const constraint = directiveArguments(field, 'constraint') ?? {};
    const result = described(field, value(field.type, constraintKeywords(constraint, where, schema), within));
    if (field.default) result.default = defaultOf(field);
    return result;
  }

  function value(type: GraphQLInputType, keywords: JsonSchema, within: string[]): JsonSchema {
    if (!isNonNullType(type)) return nullable(nonNull(type, keywords, within));
    return nonNull(type.ofType, keywords, within);
  }

  function nonNull(type: GraphQLInputType, keywords: JsonSchema, within: string[]): JsonSchema {
    if (isListType(type)) {
      const [ofList, ofItems] = split(keywords);
      return { type: 'array', ...ofList, items: value(type.ofType, ofItems, within) };
    }
    if (isInputObjectType(type)) return object(type.name, undefined, within);
    if (isEnumType(type)) {
      const names = type.getValues().map(({ name }) => name);
      const pattern = keywords.pattern ? new RegExp(keywords.pattern, 'u') : null;
      return { type: 'string', enum: pattern ? names.filter((name) => pattern.test(name)) : names };
    }
    if (isNonNullType(type)) throw new Error('A type is non-null twice');
    const scalar = scalarSchema(type.name, schema);
    const bounded = scalar.format ?? keywords.format ?? keywords.pattern ?? keywords.enum;
    return { ...scalar, ...(scalar.type === 'string' && !bounded ? anyText : {}), ...keywords };
  }

  return {
    object: (typeName, fieldNames) => object(typeName, fieldNames),
    args(rootField) {
      const [rootName = '', fieldName = ''] = rootField.split('.');
      const root = rootName === 'Query' ? schema.getQueryType() : schema.getMutationType();
      const field = root?.getFields()[fieldName];
      if (!field) throw new Error(`schema.graphql has no ${rootField}`);
      return {
        type: 'object',
        additionalProperties: false,
        required: field.args.filter(isRequiredArgument).map(({ name }) => name),
        properties: Object.fromEntries(
          field.args.map((argument) => [
            argument.name,
            element(argument, `${rootField}.${argument.name}`, []),
          ]),
        ),
      };
    },
    field(typeName, fieldName) {
      const field = inputType(schema, typeName).getFields()[fieldName];
      if (!field) throw new Error(`Input type ${typeName} has no field ${fieldName}`);
      return element(field, `${typeName}.${fieldName}`, [typeName]);
    },
  };
}

/**
 * The text of src/graphql/generated/input-schemas.json: every input type by name, every query's arguments as
 * `Query.name`.
 */
export function printInputSchemas(schema: GraphQLSchema): string {
  const schemas = inputSchemas(schema);
  const types = Object.values(schema.getTypeMap()).filter(isInputObjectType);
  const queries = Object.values(schema.getQueryType()?.getFields() ?? {}).filter(
    ({ args }) => args.length > 0,
  );
  const byName = Object.fromEntries([
    ...types.map(({ name }) => [name, schemas.object(name)]),
    ...queries.map(({ name }) => [`Query.${name}`, schemas.args(`Query.${name}`)]),
  ]);
  return `${JSON.stringify(byName, null, 2)}\n`;
}

function inputType(schema: GraphQLSchema, name: string): GraphQLInputObjectType {
  const type = schema.getType(name);
  if (!isInputObjectType(type)) throw new Error(`schema.graphql declares no input ${name}`);
  return type;
}

function described(source: { description?: string | null | undefined }, schema: JsonSchema): JsonSchema {
  return source.description ? { description: source.description, ...schema } : schema;
}

function split(keywords: JsonSchema): [JsonSchema, JsonSchema] {
  const entries = Object.entries(keywords);
  return [
    Object.fromEntries(entries.filter(([keyword]) => listKeywords.has(keyword))),
    Object.fromEntries(entries.filter(([keyword]) => !listKeywords.has(keyword))),
  ];
}
