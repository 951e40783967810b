const numberParts = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** The kind of a JSON or GraphQL number by its text; its double may be rounded. */
export type ExactNumber = 'safe integer' | 'unsafe integer' | 'fraction';

/**
 * Reads a number's text without rounding: `1.0` and `1e2` are safe integers, 9007199254740993 is an unsafe one,
 * 100.00000000000000001 is a fraction although its double is 100. Linear in the length of the text.
 * @param text a number in the syntax of JSON or GraphQL
 */
export function classifyNumber(text: string): ExactNumber {
  const parts = numberParts.exec(text);
  if (!parts) return 'fraction';
  const fraction = parts[3] ?? '';
  const digits = (parts[2] ?? '') + fraction;
  let end = digits.length;
  while (end > 0 && digits.charCodeAt(end - 1) === 48) end -= 1;
  if (end === 0) return 'safe integer';
  let start = 0;
  while (digits.charCodeAt(start) === 48) start += 1;
  const significant = digits.slice(start, end);
  const exponent = Number(parts[4] ?? '0') - fraction.length + (digits.length - end);
  if (exponent < 0) return 'fraction';
  // 2^53-1 has 16 digits.
  const length = significant.length + exponent;
  if (length !== 16) return length < 16 ? 'safe integer' : 'unsafe integer';
  return BigInt(significant) * 10n ** BigInt(exponent) <= BigInt(Number.MAX_SAFE_INTEGER)
    ? 'safe integer'
    : 'unsafe integer';
}
