import {
  type DefinitionNode,
  type DocumentNode,
  type FieldNode,
  type FragmentSpreadNode,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  type InlineFragmentNode,
  isInterfaceType,
  isObjectType,
  Kind,
  print,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { type Fragments, spreadableFragments, withoutUnused } from './fragments.ts';

/**
 * Merges the fields of a document that execution would merge anyway: `a { x } a { y }` becomes `a { x y }`, also across
 * fragments. Validation compares each field of a set with every other field of the same name, and their selections with
 * each other: a few kilobytes of repeated fields would take it tens of milliseconds. Without repetition there is
 * nothing to compare.
 *
 * Fragments under a directive stay as they are, and so do fields that would become valid only by merging. The result is
 * for validation only: if such a fragment is between two merged fields, execution would return fields in another order.
 *
 * @param spreads whether fragments may be expanded: only if it is known that they do not multiply (see
 * document-cost.ts)
 */
export function mergeRepeatedFields(
  document: DocumentNode,
  schema: GraphQLSchema,
  spreads: boolean,
): DocumentNode {
  const fragments = spreads ? spreadableFragments(document) : null;
  const definitions = document.definitions.map((definition): DefinitionNode => {
    if (definition.kind === Kind.OPERATION_DEFINITION) {
      const type = schema.getRootType(definition.operation);
      return { ...definition, selectionSet: mergeSet(definition.selectionSet, type, { schema, fragments }) };
    }
    if (definition.kind !== Kind.FRAGMENT_DEFINITION) return definition;
    const type = schema.getType(definition.typeCondition.name.value);
    return {
      ...definition,
      selectionSet: mergeSet(definition.selectionSet, type, { schema, fragments: null }),
    };
  });
  return { ...document, definitions: fragments ? withoutUnused(definitions, fragments) : definitions };
}

/** The type whose fields a set selects; null or undefined if the document is not valid anyway. */
type ParentType = GraphQLNamedType | null | undefined;

interface Merging {
  schema: GraphQLSchema;
  fragments: Fragments | null;
}

/** @param further selections of the later occurrences of the same field */
function mergeSet(
  set: SelectionSetNode,
  type: ParentType,
  merging: Merging,
  further: readonly SelectionNode[] = [],
): SelectionSetNode {
  const keptSelections: SelectionNode[] = [];
  const indexByKey = new Map<string, number>();
  const repeated = new Map<number, SelectionNode[]>();
  collect(set.selections);
  collect(further);
  return {
    ...set,
    selections: keptSelections.map((selection, place) =>
      mergeBelow(selection, type, merging, repeated.get(place)),
    ),
  };

  function collect(list: readonly SelectionNode[]): void {
    for (const selection of list) {
      if (selection.kind === Kind.FIELD) keepOnce(keyOf(selection), selection);
      else if (selection.directives?.length) keptSelections.push(selection);
      else if (selection.kind === Kind.FRAGMENT_SPREAD) spreadOnce(selection);
      else if (narrows(selection, type)) keptSelections.push(selection);
      else collect(selection.selectionSet.selections);
    }
  }

  function keepOnce(key: string, selection: FieldNode | FragmentSpreadNode): void {
    const index = indexByKey.get(key);
    if (index === undefined) {
      indexByKey.set(key, keptSelections.push(selection) - 1);
    } else if (selection.kind === Kind.FIELD && selection.selectionSet) {
      const more = repeated.get(index);
      if (more) more.push(...selection.selectionSet.selections);
      else repeated.set(index, [...selection.selectionSet.selections]);
    }
  }

  function spreadOnce(spread: FragmentSpreadNode): void {
    const key = `...${spread.name.value}`;
    const fragment = merging.fragments?.get(spread.name.value);
    if (!fragment || narrows(fragment, type)) keepOnce(key, spread);
    else if (!indexByKey.has(key)) {
      indexByKey.set(key, -1);
      collect(fragment.selectionSet.selections);
    }
  }
}

function mergeBelow(
  selection: SelectionNode,
  type: ParentType,
  merging: Merging,
  further: readonly SelectionNode[] | undefined,
): SelectionNode {
  if (selection.kind === Kind.FRAGMENT_SPREAD || !selection.selectionSet) return selection;
  const below = typeBelow(selection, type, merging.schema);
  return { ...selection, selectionSet: mergeSet(selection.selectionSet, below, merging, further) };
}

function typeBelow(
  selection: FieldNode | InlineFragmentNode,
  type: ParentType,
  schema: GraphQLSchema,
): ParentType {
  if (selection.kind === Kind.INLINE_FRAGMENT) {
    return selection.typeCondition ? schema.getType(selection.typeCondition.name.value) : type;
  }
  if (!isObjectType(type) && !isInterfaceType(type)) return null;
  return getNamedType(type.getFields()[selection.name.value]?.type);
}

function narrows({ typeCondition }: Pick<InlineFragmentNode, 'typeCondition'>, type: ParentType): boolean {
  return typeCondition !== undefined && typeCondition.name.value !== type?.name;
}

/** Execution merges fields with the same key: response name, name, arguments and directives are the same. */
function keyOf({ alias, name, arguments: values = [], directives = [], selectionSet }: FieldNode): string {
  let key = `${alias?.value ?? ''}:${name.value}${selectionSet ? '{' : ''}`;
  for (const value of values) key += `(${print(value)}`;
  for (const directive of directives) key += print(directive);
  return key;
}
