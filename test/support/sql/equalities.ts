import type { EnvironmentColumn } from './scope.ts';

/** Two columns that are equal, and the columns that the equality limits. */
export interface Equality {
  sides: readonly [EnvironmentColumn, EnvironmentColumn];
  limits: ReadonlySet<EnvironmentColumn>;
}

/**
 * Joins relations whose environments are equal into sets of columns. A relation without such a column is a set of its
 * own: nothing can join it.
 */
export function connected(
  relations: readonly (readonly EnvironmentColumn[])[],
  equalities: readonly Equality[],
): Set<EnvironmentColumn>[] {
  let sets = relations.map((columns) => new Set(columns));
  for (const { sides } of equalities) {
    const [touched, rest] = [true, false].map((wanted) =>
      sets.filter((set) => sides.some((side) => set.has(side)) === wanted),
    ) as [Set<EnvironmentColumn>[], Set<EnvironmentColumn>[]];
    if (touched.length > 0) sets = [...rest, new Set([...sides, ...touched.flatMap((set) => [...set])])];
  }
  return sets;
}
