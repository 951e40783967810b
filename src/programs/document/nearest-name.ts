/** No name of ours is this long. */
const MAX_LETTERS = 60;

/**
 * The names that somebody probably meant: those that begin with what was typed or the other way round (`env` and
 * `environment`), else those that are the fewest letters away, at most a third of them. Capitals and the signs between
 * words do not count.
 * @returns the nearest ones, in the order given; empty where none is near
 */
export function nearestNames(typed: string, names: readonly string[]): string[] {
  const wanted = letters(typed);
  // Longer ones are no mistyped names, and comparing them letter by letter would take its time.
  if (wanted.length < 2 || wanted.length > MAX_LETTERS) return [];
  const same = names.filter((name) => letters(name) === wanted);
  if (same.length > 0) return same;
  const begun = names.filter((name) => begins(letters(name), wanted));
  if (begun.length > 0) return begun;
  const distances = names.map((name) => distance(wanted, letters(name)));
  const least = Math.min(...distances);
  return least > Math.ceil(wanted.length / 3) ? [] : names.filter((_, index) => distances[index] === least);
}

/** The nearest names as a question, and nothing where there is none. */
export function didYouMean(names: readonly string[]): string {
  if (names.length === 0) return '';
  return names.length === 1 ? `Did you mean ${names[0]}?` : `Did you mean one of ${names.join(', ')}?`;
}

/** The question behind a message that says what is allowed, and nothing where what was written is near to nothing. */
export function suggestion(written: unknown, names: readonly string[]): string {
  const question = typeof written === 'string' ? didYouMean(nearestNames(written, names)) : '';
  return question && `. ${question}`;
}

function letters(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

function begins(one: string, other: string): boolean {
  return one.length > 1 && other.length > 1 && (one.startsWith(other) || other.startsWith(one));
}

/** Letters to put in, leave out, replace, or swap with their neighbour. */
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
