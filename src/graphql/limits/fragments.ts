import {
  type DefinitionNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type SelectionSetNode,
} from 'graphql';

/** Fragments by name. */
export type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

/**
 * The fragments of a document, if each can replace its spreads.
 * @returns null if validation has to see the fragments themselves: one is unknown, unused, defined twice, part of a
 * cycle, or has a directive
 */
export function spreadableFragments(document: DocumentNode): Fragments | null {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.FRAGMENT_DEFINITION) continue;
    if (definition.directives?.length || fragments.has(definition.name.value)) return null;
    fragments.set(definition.name.value, definition);
  }
  const finished = new Set<string>();
  const open = new Set<string>();

  /** Whether the fragment and all fragments that it spreads are known and form no cycle. */
  function ends(name: string): boolean {
    if (finished.has(name)) return true;
    const fragment = fragments.get(name);
    if (!fragment || open.has(name)) return false;
    open.add(name);
    for (const next of spreadsIn(fragment.selectionSet)) if (!ends(next)) return false;
    open.delete(name);
    finished.add(name);
    return true;
  }

  for (const name of spreadsOfOperations(document.definitions)) if (!ends(name)) return null;
  return finished.size === fragments.size ? fragments : null;
}

/** Leaves out the fragments that no operation spreads, directly or through another fragment. */
export function withoutUnused(
  definitions: readonly DefinitionNode[],
  fragments: Fragments,
): DefinitionNode[] {
  const needed = new Set<string>();
  const need = (name: string): void => {
    if (needed.has(name)) return;
    needed.add(name);
    const fragment = fragments.get(name);
    if (fragment) for (const next of spreadsIn(fragment.selectionSet)) need(next);
  };
  for (const name of spreadsOfOperations(definitions)) need(name);
  return definitions.filter(
    (definition) => definition.kind !== Kind.FRAGMENT_DEFINITION || needed.has(definition.name.value),
  );
}

function spreadsOfOperations(definitions: readonly DefinitionNode[]): Set<string> {
  const names = new Set<string>();
  for (const definition of definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION) spreadsIn(definition.selectionSet, names);
  }
  return names;
}

/** The names of the fragments that a set spreads, at any level. */
function spreadsIn(set: SelectionSetNode, names = new Set<string>()): Set<string> {
  for (const selection of set.selections) {
    if (selection.kind === Kind.FRAGMENT_SPREAD) names.add(selection.name.value);
    else if (selection.selectionSet) spreadsIn(selection.selectionSet, names);
  }
  return names;
}
