/** Joins the parts of a key. Ids that merchants choose hold no control characters, so NUL cannot occur in one. */
export function keyOf(...parts: string[]): string {
  return parts.join('\u0000');
}
