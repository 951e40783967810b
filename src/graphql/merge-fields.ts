import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type FragmentSpreadNode,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  type InlineFragmentNode,
  isInterfaceType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  print,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

/**
 * Merges the fields of a document that execution would merge anyway: `a { x } a { y }` becomes `a { x y }`. Validation
 * compares each field of a set with each other of the same name, and their selections with each other, so that a few
 * kilobytes of repetition would cost it tens of milliseconds; without repetition there is nothing to compare.
 *
 * Fragments under a directive stay as they are, and so does what would become valid only by merging. Order is kept.
 */
export function mergeRepeatedFields(document: DocumentNode, schema: GraphQLSchema): DocumentNode {
  return {
    ...document,
    definitions: document.definitions.map((definition) => {
      if (definition.kind === Kind.OPERATION_DEFINITION) {
        return mergeDefinition(definition, schema.getRootType(definition.operation));
      }
      if (definition.kind !== Kind.FRAGMENT_DEFINITION) return definition;
      return mergeDefinition(definition, schema.getType(definition.typeCondition.name.value));
    }),
  };
}

function mergeDefinition<Definition extends OperationDefinitionNode | FragmentDefinitionNode>(
  definition: Definition,
  type: ParentType,
): Definition {
  const set = definition.selectionSet;
  return { ...definition, selectionSet: mergeSet(set, set.selections, type) };
}

/** The type whose fields a set selects; unknown where the document is not valid anyway. */
type ParentType = GraphQLNamedType | null | undefined;

/** @param selections those of the set, and those of the fields that were merged into its own */
function mergeSet(
  set: SelectionSetNode,
  selections: readonly SelectionNode[],
  type: ParentType,
): SelectionSetNode {
  const kept: SelectionNode[] = [];
  const places = new Map<string, number>();
  const repeated = new Map<number, SelectionNode[]>();
  collect(selections);
  return {
    ...set,
    selections: kept.map((selection, place) => mergeBelow(selection, repeated.get(place), type)),
  };

  function collect(list: readonly SelectionNode[]): void {
    for (const selection of list) {
      if (selection.kind === Kind.FIELD) keepOnce(keyOf(selection), selection);
      else if (selection.directives?.length) kept.push(selection);
      else if (selection.kind === Kind.FRAGMENT_SPREAD) keepOnce(`...${selection.name.value}`, selection);
      else if (narrows(selection, type)) kept.push(selection);
      else collect(selection.selectionSet.selections);
    }
  }

  function keepOnce(key: string, selection: FieldNode | FragmentSpreadNode): void {
    const place = places.get(key);
    if (place === undefined) {
      places.set(key, kept.push(selection) - 1);
    } else if (selection.kind === Kind.FIELD && selection.selectionSet) {
      const further = repeated.get(place);
      if (further) further.push(...selection.selectionSet.selections);
      else repeated.set(place, [...selection.selectionSet.selections]);
    }
  }
}

function mergeBelow(
  selection: SelectionNode,
  further: readonly SelectionNode[] = [],
  type: ParentType,
): SelectionNode {
  if (selection.kind === Kind.FRAGMENT_SPREAD || !selection.selectionSet) return selection;
  const set = selection.selectionSet;
  const all = further.length > 0 ? [...set.selections, ...further] : set.selections;
  return { ...selection, selectionSet: mergeSet(set, all, typeBelow(selection, type)) };
}

function typeBelow(selection: FieldNode | InlineFragmentNode, type: ParentType): ParentType {
  // A condition that does not name the type itself is rare enough to be left as it is, with all below it.
  if (selection.kind === Kind.INLINE_FRAGMENT) return narrows(selection, type) ? null : type;
  if (!isObjectType(type) && !isInterfaceType(type)) return null;
  return getNamedType(type.getFields()[selection.name.value]?.type);
}

function narrows({ typeCondition }: InlineFragmentNode, type: ParentType): boolean {
  return typeCondition !== undefined && typeCondition.name.value !== type?.name;
}

/** Fields of one key are one field to execution: response name, name, arguments and conditions are the same. */
function keyOf({ alias, name, arguments: values = [], directives = [], selectionSet }: FieldNode): string {
  let key = `${alias?.value ?? ''}:${name.value}${selectionSet ? '{' : ''}`;
  for (const value of values) key += `(${print(value)}`;
  for (const directive of directives) key += print(directive);
  return key;
}
