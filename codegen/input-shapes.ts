import { type GraphQLInputObjectType, type GraphQLSchema, getNamedType, isInputObjectType } from 'graphql';
import type { InputShape } from '../src/contract/input-shape.ts';
import { defaultOf } from './contract.ts';

/** The shape of the argument `input` of each root field that has one, by the field's name. */
export function inputShapesOf(schema: GraphQLSchema): Record<string, InputShape> {
  const roots = [schema.getQueryType(), schema.getMutationType()];
  return Object.fromEntries(
    roots
      .flatMap((root) => Object.values(root?.getFields() ?? {}))
      .flatMap(({ name, args }) => {
        const type = getNamedType(args.find((argument) => argument.name === 'input')?.type);
        return isInputObjectType(type) ? [[name, shapeOf(type)]] : [];
      }),
  );
}

function shapeOf(type: GraphQLInputObjectType): InputShape {
  const shape: Record<string, InputShape[string]> = {};
  for (const field of Object.values(type.getFields())) {
    const named = getNamedType(field.type);
    const entry = {
      ...(isInputObjectType(named) && { fields: shapeOf(named) }),
      ...(field.default && { default: defaultOf(field) }),
    };
    if (Object.keys(entry).length > 0) shape[field.name] = entry;
  }
  return shape;
}

/** The source of src/contract/generated/input-shapes.ts. */
export function printInputShapes(schema: GraphQLSchema): string {
  return [
    '// Generated from schema.graphql. Do not edit.',
    "import type { InputShape } from '../input-shape.ts';",
    '',
    '/** The shape of the input of each operation that takes one. */',
    'export const inputShapes = {',
    ...Object.entries(inputShapesOf(schema)).map(([name, shape]) => `  ${name}: ${JSON.stringify(shape)},`),
    '} satisfies Readonly<Record<string, InputShape>>;',
    '',
  ].join('\n');
}
