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
 * The fragments of a document, where each can stand in the place of its spread.
 * @returns null where validation has something to say of the fragments themselves, which it could not say of a
 * document without them: an unknown one, two of one name, one that is not used, a cycle, a directive
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

  /** Whether the fragment, and all that it leads to, is known and comes to an end. */
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

/** Leaves out the fragments that no operation spreads any more, itself or by another fragment. */
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

/** Names that a set spreads, at any level. */
function spreadsIn(set: SelectionSetNode, names = new Set<string>()): Set<string> {
  for (const selection of set.selections) {
    if (selection.kind === Kind.FRAGMENT_SPREAD) names.add(selection.name.value);
    else if (selection.selectionSet) spreadsIn(selection.selectionSet, names);
  }
  return names;
}
