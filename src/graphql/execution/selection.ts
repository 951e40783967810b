import { type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql';

/** What a document selects of a resolver's field. */
export type FieldSelection = Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments'>;

/**
 * Whether a document selects a field below the one that is resolved. A field under `@skip` or `@include` counts as
 * selected, whatever their arguments are.
 * @param path names of fields; the first is directly below the resolved field
 */
export function isSelected({ fieldNodes, fragments }: FieldSelection, path: readonly string[]): boolean {
  const isBelow = (set: SelectionSetNode | undefined, depth: number): boolean =>
    depth === path.length ||
    (set?.selections.some((node) => {
      if (node.kind === Kind.FIELD) {
        return node.name.value === path[depth] && isBelow(node.selectionSet, depth + 1);
      }
      const spread = node.kind === Kind.INLINE_FRAGMENT ? node : fragments[node.name.value];
      return isBelow(spread?.selectionSet, depth);
    }) ??
      false);
  return fieldNodes.some(({ selectionSet }) => isBelow(selectionSet, 0));
}
