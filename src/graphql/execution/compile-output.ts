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

/**
 * Turns a resolver's result into what is sent: the selected fields, in the order of the selection, scalars serialized.
 */
export type Complete = (value: unknown) => unknown;

/**
 * Compiles the completion of a field, as the GraphQL specification defines it (section 6.4.3, "Value Completion"), for
 * types whose fields are plain properties.
 * @param node the field with its selection
 * @param path of the value in messages
 * @returns a function that throws an Error for a value that does not fit its type, or is null where it must not be;
 * null if the selection has anything but plain fields, each once, of objects, lists and leaves
 */
export function compileOutput(type: GraphQLOutputType, node: FieldNode, path: string): Complete | null {
  const complete = compilePresent(isNonNullType(type) ? type.ofType : type, node, path);
  if (!complete) return null;
  if (!isNonNullType(type)) {
    return (value) => (value === undefined || value === null ? null : complete(value));
  }
  return (value) => {
    if (value === undefined || value === null) throw new Error(`${path} must not be null`);
    return complete(value);
  };
}

function compilePresent(type: GraphQLOutputType, node: FieldNode, path: string): Complete | null {
  if (isLeafType(type)) return (value) => type.coerceOutputValue(value);
  if (isListType(type)) {
    const complete = compileOutput(type.ofType, node, `${path}[]`);
    return (
      complete &&
      ((value) => {
        if (!Array.isArray(value)) throw new Error(`${path} is not a list`);
        return value.map((item: unknown) => complete(item));
      })
    );
  }
  return isObjectType(type) ? compileObject(type, node, path) : null;
}

function compileObject(type: GraphQLObjectType, { selectionSet }: FieldNode, path: string): Complete | null {
  const selected = new Map<string, Complete>();
  for (const node of selectionSet?.selections ?? []) {
    if (node.kind !== Kind.FIELD || node.alias || node.directives?.length || node.arguments?.length)
      return null;
    const name = node.name.value;
    const complete = selected.has(name) ? null : compileMember(type, node, `${path}.${name}`);
    if (!complete) return null;
    selected.set(name, complete);
  }
  const members = Array.from(selected, ([name, complete]) => ({ name, complete }));
  return (value) => {
    if (typeof value !== 'object') throw new Error(`${path} is not an object`);
    const source = value as Readonly<Record<string, unknown>>;
    const written: Record<string, unknown> = {};
    for (const { name, complete } of members) written[name] = complete(source[name]);
    return written;
  };
}

function compileMember(type: GraphQLObjectType, node: FieldNode, path: string): Complete | null {
  if (node.name.value === '__typename') return () => type.name;
  const field = type.getFields()[node.name.value];
  return field && !field.resolve ? compileOutput(field.type, node, path) : null;
}
