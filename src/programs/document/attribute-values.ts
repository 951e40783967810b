/** Most members and items that an event's attributes may have, at all depths: the cost of a schema grows with them. */
export const MAX_ATTRIBUTE_VALUES = 1_000;

/** Counts the members and items of a JSON value, at all depths; stops after the first one above `limit`. */
export function countValues(value: unknown, limit: number): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  for (const part of Object.values(value)) {
    count += 1;
    if (count > limit) break;
    count += countValues(part, limit - count);
  }
  return count;
}
