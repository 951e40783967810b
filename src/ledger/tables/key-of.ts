/** Joins the parts of a key with NUL, which no id contains: the contract allows no control characters in ids. */
export function keyOf(...parts: string[]): string {
  return parts.join('\u0000');
}
