/** A row that nothing was made of. */
export interface RejectedRow {
  /** Line of the file, from 1. */
  line: number;
  /** The name of the row: its order's reference, its customer's id, … */
  reference: string;
  /** `invalid_row` where the row cannot be read, else the refusal code that the API would return. */
  code: string;
  /** What to change in the row, with the names of the columns. */
  message: string;
}

/**
 * Passes on rejected rows in the order of the file, although they are rejected in any order: a rejected row waits until
 * no row before it is in flight.
 */
export class RejectionsInOrder {
  readonly #pass: (row: RejectedRow) => void;
  /** Lines of the rows in flight, ascending: rows begin in the order of the file. */
  readonly #onTheirWay = new Set<number>();
  /** Rejected rows that have not been passed on, by line, ascending. */
  readonly #waiting: RejectedRow[] = [];

  /** @param pass called once for each rejected row */
  constructor(pass: (row: RejectedRow) => void) {
    this.#pass = pass;
  }

  /** Notes that a row is in flight; rejected rows after it wait until it ends. Call it for lines in ascending order. */
  begin(line: number): void {
    this.#onTheirWay.add(line);
  }

  /** Notes that a row has ended. Where the row was rejected, add it before this call. */
  end(line: number): void {
    this.#onTheirWay.delete(line);
    this.#passOn();
  }

  add(row: RejectedRow): void {
    // Most rows are rejected in order, so the search from the end is short.
    const before = this.#waiting.findLastIndex((other) => other.line <= row.line);
    this.#waiting.splice(before + 1, 0, row);
    this.#passOn();
  }

  #passOn(): void {
    const [oldest = Number.POSITIVE_INFINITY] = this.#onTheirWay;
    let first = this.#waiting[0];
    // `<` and not `<=`: a row that is still in flight itself is passed on only after its own `end`.
    while (first && first.line < oldest) {
      this.#waiting.shift();
      this.#pass(first);
      first = this.#waiting[0];
    }
  }
}
