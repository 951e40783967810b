/** An invariant that does not hold. */
export class BrokenInvariant extends Error {
  override name = 'BrokenInvariant';
}

/** @throws BrokenInvariant where it does not hold */
export function hold(holds: boolean, invariant: string, what: unknown): asserts holds {
  if (!holds) throw new BrokenInvariant(`${invariant}: ${JSON.stringify(what)}`);
}
