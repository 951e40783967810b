/** A row that did not become a purchase. */
export interface RejectedRow {
  /** Line of the file, from 1. */
  line: number;
  sourceReference: string;
  /** `invalid_row` where the file is at fault, else the code that the API would answer with. */
  code: string;
  /** What to change, in the names of the columns. */
  message: string;
}

/**
 * Passes rejected rows on in the order of the file, though they are found out in any order: each waits for the rows
 * before it that are still on their way.
 */
export class RejectionsInOrder {
  readonly #pass: (row: RejectedRow) => void;
  /** Lines on their way, ascending, since they begin in the order of the file. */
  readonly #onTheirWay = new Set<number>();
  /** By line, ascending. */
  readonly #waiting: RejectedRow[] = [];

  /** @param pass is told of each row, once */
  constructor(pass: (row: RejectedRow) => void) {
    this.#pass = pass;
  }

  /** A row was sent; what is rejected behind it waits until it ends. Lines begin in ascending order. */
  begin(line: number): void {
    this.#onTheirWay.add(line);
  }

  /** A row that was begun is dealt with; where it was rejected, that was added before. */
  end(line: number): void {
    this.#onTheirWay.delete(line);
    this.#passOn();
  }

  add(row: RejectedRow): void {
    // Most are rejected in order: the place is at the end or near it.
    const before = this.#waiting.findLastIndex((other) => other.line <= row.line);
    this.#waiting.splice(before + 1, 0, row);
    this.#passOn();
  }

  #passOn(): void {
    const [oldest = Number.POSITIVE_INFINITY] = this.#onTheirWay;
    let first = this.#waiting[0];
    // What is rejected while it is on its way, its own row included, is told of when that has ended.
    while (first && first.line < oldest) {
      this.#waiting.shift();
      this.#pass(first);
      first = this.#waiting[0];
    }
  }
}
