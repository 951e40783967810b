/** No name in a program document or command is longer. */
const MAX_LETTERS = 60;

/**
 * The names that somebody probably meant. First the names with the same letters; else those that begin with the typed
 * text, or that it begins with (`env` and `environment`); else those with the smallest edit distance, which may be at
 * most a third of the typed letters, rounded up. Case and signs between words are ignored.
 * @returns the nearest names, in the order given; empty where none is near enough
 */
export function nearestNames(typed: string, names: readonly string[]): string[] {
  const typedLetters = letters(typed);
  // A longer text is not a mistyped name, and comparing it letter by letter would be slow.
  if (typedLetters.length < 2 || typedLetters.length > MAX_LETTERS) return [];
  const same = names.filter((name) => letters(name) === typedLetters);
  if (same.length > 0) return same;
  const startingNames = names.filter((name) => begins(letters(name), typedLetters));
  if (startingNames.length > 0) return startingNames;
  const distances = names.map((name) => distance(typedLetters, letters(name)));
  const least = Math.min(...distances);
  return least > Math.ceil(typedLetters.length / 3)
    ? []
    : names.filter((_, index) => distances[index] === least);
}

/** The nearest names as a question; empty where there is none. */
export function didYouMean(names: readonly string[]): string {
  if (names.length === 0) return '';
  return names.length === 1 ? `Did you mean ${names[0]}?` : `Did you mean one of ${names.join(', ')}?`;
}

/**
 * The question to put at the end of a message that says what is allowed; empty where no name is near to the written
 * value.
 */
export function suggestion(value: unknown, names: readonly string[]): string {
  const question = typeof value === 'string' ? didYouMean(nearestNames(value, names)) : '';
  return question && `. ${question}`;
}

function letters(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

function begins(one: string, other: string): boolean {
  return one.length > 1 && other.length > 1 && (one.startsWith(other) || other.startsWith(one));
}

/** The edit distance: how many letters to insert, delete, replace, or swap with their neighbour. */
function distance(from: string, to: string): number {
  const rows = [Array.from({ length: to.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number): number => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let row = 1; row <= from.length; row += 1) {
    rows.push([row]);
    for (let column = 1; column <= to.length; column += 1) {
      const replaced = at(row - 1, column - 1) + (from[row - 1] === to[column - 1] ? 0 : 1);
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      rows[row]?.push(
        Math.min(
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          replaced,
          swapped ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
  }
  return at(from.length, to.length);
}
