const DIGITS_SHOWN = 6;

/** A quotient as a decimal: exact, or cut off after six decimals and marked with an ellipsis. */
export function quotient(numerator: bigint, divisor: bigint): string {
  const integerPart = numerator / divisor;
  let rest = numerator % divisor;
  let digits = '';
  while (rest > 0n && digits.length < DIGITS_SHOWN) {
    rest *= 10n;
    digits += rest / divisor;
    rest %= divisor;
  }
  return `${integerPart}${digits && `.${digits}`}${rest > 0n ? '…' : ''}`;
}
