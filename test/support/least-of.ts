/**
 * The least of several measurements; it stops at the first one below the limit. A busy machine makes some of them long,
 * and all of them only where what is measured is slow itself.
 * @param measure gives milliseconds
 */
export async function leastOf(
  attempts: number,
  limitMs: number,
  measure: () => Promise<number>,
): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < attempts && least >= limitMs; attempt += 1) {
    least = Math.min(least, await measure());
  }
  return least;
}
