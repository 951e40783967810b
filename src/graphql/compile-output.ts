import {
  type FieldNode,
  type GraphQLObjectType,
  type GraphQLOutputType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
} from 'graphql';

/** Makes a resolver's answer what is sent: the selected fields, in the order of the selection, scalars written. */
export type Complete = (value: unknown) => unknown;

/**
 * Compiles the completion of a field, as the GraphQL specification has it (section 6.4.3, "Value Completion"), for
 * types whose fields are plain properties.
 * @param node the field with its selection
 * @param path where the value stands, for messages
 * @returns throws an Error where a value lacks what it must have, or does not fit its type
 * @throws Error where the selection has aliases, fragments or directives, or a type is not an object, list or leaf
 */
export function compileOutput(type: GraphQLOutputType, node: FieldNode, path: string): Complete {
  if (isNonNullType(type)) {
    const complete = compilePresent(type.ofType, node, path);
    return (value) => {
      if (value === undefined || value === null) throw new Error(`${path} must not be null`);
      return complete(value);
    };
  }
  const complete = compilePresent(type, node, path);
  return (value) => (value === undefined || value === null ? null : complete(value));
}

function compilePresent(type: GraphQLOutputType, node: FieldNode, path: string): Complete {
  if (isLeafType(type)) {
    return (value) => {
      const written: unknown = type.coerceOutputValue(value);
      if (written === undefined || written === null) throw new Error(`${path} is not of type ${type}`);
      return written;
    };
  }
  if (isListType(type)) {
    const complete = compileOutput(type.ofType, node, `${path}[]`);
    return (value) => {
      if (!Array.isArray(value)) throw new Error(`${path} is not a list`);
      return value.map((item: unknown) => complete(item));
    };
  }
  if (isObjectType(type)) return compileObject(type, node, path);
  throw new Error(`${path} is of the type ${type}, which cannot be prepared`);
}

function compileObject(type: GraphQLObjectType, { selectionSet }: FieldNode, path: string): Complete {
  const fields = type.getFields();
  const selected = (selectionSet?.selections ?? []).map((node) => {
    if (node.kind !== Kind.FIELD || node.alias || node.directives?.length || node.arguments?.length) {
      throw new Error(`${path} selects something other than plain fields`);
    }
    const name = node.name.value;
    const field = fields[name];
    if (!field || field.resolve) throw new Error(`${path}.${name} is not a plain property`);
    return { name, complete: compileOutput(field.type, node, `${path}.${name}`) };
  });
  return (value) => {
    if (typeof value !== 'object') throw new Error(`${path} is not an object`);
    const source = value as Readonly<Record<string, unknown>>;
    const written: Record<string, unknown> = {};
    for (const { name, complete } of selected) written[name] = complete(source[name]);
    return written;
  };
}
