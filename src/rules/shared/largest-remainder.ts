/**
 * Divides an amount in proportion to weights, by largest remainder: the shares add up to the amount, and each is less
 * than one away from the exact proportion. Of equal remainders the first one is rounded up. Sums and products are
 * exact.
 * @param amount an integer from 0 to 2^53-1
 * @param weights integers, not negative; their sum is from 1 to 2^53-1
 * @returns the shares, in the order of the weights
 */
export function largestRemainder(amount: number, weights: readonly number[]): number[] {
  let total = 0;
  for (const weight of weights) total += weight;
  if (amount === total) return [...weights];
  let missing = amount;
  const parts = weights.map((weight, place) => {
    const part = { place, ...divideExactly(amount, weight, total) };
    missing -= part.quotient;
    return part;
  });
  const shares = parts.map(({ quotient }) => quotient);
  if (missing === 0) return shares;
  parts.sort((a, b) => b.remainder - a.remainder || a.place - b.place);
  for (const { place, quotient } of parts.slice(0, missing)) shares[place] = quotient + 1;
  return shares;
}

/** amount × part ÷ whole, exact: with bigint where the product is above 2^53-1. */
export function divideExactly(
  amount: number,
  part: number,
  total: number,
): { quotient: number; remainder: number } {
  const product = amount * part;
  if (Number.isSafeInteger(product)) {
    const remainder = product % total;
    return { quotient: (product - remainder) / total, remainder };
  }
  const [exact, divisor] = [BigInt(amount) * BigInt(part), BigInt(total)];
  return { quotient: Number(exact / divisor), remainder: Number(exact % divisor) };
}
