/** A violated invariant. */
export class BrokenInvariant extends Error {
  override name = 'BrokenInvariant';
}

/**
 * @param rows the rows that the message shows, as JSON
 * @throws BrokenInvariant where `isTrue` is false
 */
export function assertInvariant(isTrue: boolean, invariant: string, rows: unknown): asserts isTrue {
  if (!isTrue) throw new BrokenInvariant(`${invariant}: ${JSON.stringify(rows)}`);
}
