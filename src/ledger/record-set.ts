/**
 * Rows of one table inside a batch: what was loaded, what decisions have added and changed since. A later command of
 * the batch sees the rows as the earlier ones left them.
 */
export class RecordSet<R> {
  readonly inserted = new Map<string, R>();
  readonly updated = new Map<string, R>();
  readonly #rows = new Map<string, R>();
  readonly #keyOf: (row: R) => string;

  constructor(keyOf: (row: R) => string) {
    this.#keyOf = keyOf;
  }

  load(row: R): void {
    this.#rows.set(this.#keyOf(row), row);
  }

  get(key: string): R | null {
    return this.#rows.get(key) ?? null;
  }

  filter(holds: (row: R) => boolean): R[] {
    return [...this.#rows.values()].filter(holds);
  }

  /** Inserts the row, or updates it where it is there. */
  set(row: R): void {
    if (this.#rows.has(this.#keyOf(row))) this.update(row);
    else this.insert(row);
  }

  /** @throws where the row is there already: a decision that missed it was made from the wrong state. */
  insert(row: R): void {
    const key = this.#keyOf(row);
    if (this.#rows.has(key)) throw new Error(`a decision inserts a row that exists: ${key}`);
    this.#rows.set(key, row);
    this.inserted.set(key, row);
  }

  /** @throws where there is no such row. */
  update(row: R): void {
    const key = this.#keyOf(row);
    if (!this.#rows.has(key)) throw new Error(`a decision updates a row that does not exist: ${key}`);
    this.#rows.set(key, row);
    if (this.inserted.has(key)) this.inserted.set(key, row);
    else this.updated.set(key, row);
  }
}
