import { type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql';

/** Where a resolver's field stands in the document. */
export type FieldPlace = Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments'>;

/**
 * Whether a document selects a field below the one that is resolved. What stands under `@skip` or `@include` counts as
 * selected, whatever their variables are.
 * @param path names of fields, from the one below the resolved field
 */
export function isSelected({ fieldNodes, fragments }: FieldPlace, path: readonly string[]): boolean {
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
