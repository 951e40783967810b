/**
 * How often a test repeats what it does: `few` in `npm test`, where its file is not one of the long ones; `many` in
 * `npm run test:long`, which runs all files that use this function, and where its file is named; `most` with FULL=1.
 */
export function repetitions({
  many,
  few = many,
  most = many,
}: {
  many: number;
  few?: number;
  most?: number;
}): number {
  if (process.env.FULL) return most;
  return process.env.LONG ? many : few;
}
