/** What a batch knows and changes of one table. */
export interface RowSet<R> {
  readonly inserted: ReadonlyMap<string | number, R>;
  readonly updated: ReadonlyMap<string | number, R>;
  /** Takes over a row that is stored. */
  load(row: R): void;
  /** Takes over a row that a decision adds. */
  insert(row: R): void;
  /** Takes over a row that a decision changes. */
  update(row: R): void;
  /** Inserts the row, or updates it where it is there. */
  set(row: R): void;
}

/**
 * Rows of one table inside a batch: what was loaded, what decisions have added and changed since. A later command of
 * the batch sees the rows as the earlier ones left them.
 */
export class RecordSet<R> implements RowSet<R> {
  readonly inserted = new Map<string, R>();
  readonly updated = new Map<string, R>();
  readonly #rows = new Map<string, R>();
  readonly #keyOf: (row: R) => string;
  readonly #onceKeyOf: ((row: R) => string) | null;
  readonly #once = new Set<string>();

  /**
   * @param keyOf what tells the rows apart
   * @param onceKeyOf a second key: an inserted row whose key is there already is left out, as the database leaves it out
   */
  constructor(keyOf: (row: R) => string, onceKeyOf: ((row: R) => string) | null = null) {
    this.#keyOf = keyOf;
    this.#onceKeyOf = onceKeyOf;
  }

  load(row: R): void {
    this.#rows.set(this.#keyOf(row), row);
    if (this.#onceKeyOf) this.#once.add(this.#onceKeyOf(row));
  }

  get(key: string): R | null {
    return this.#rows.get(key) ?? null;
  }

  filter(matches: (row: R) => boolean): R[] {
    return [...this.#rows.values()].filter(matches);
  }

  set(row: R): void {
    if (this.#rows.has(this.#keyOf(row))) this.update(row);
    else this.insert(row);
  }

  /** @throws where the row is there already: a decision that missed it was made from the wrong state. */
  insert(row: R): void {
    const key = this.#keyOf(row);
    if (this.#onceKeyOf) {
      const onceKey = this.#onceKeyOf(row);
      if (this.#once.has(onceKey)) return;
      this.#once.add(onceKey);
    }
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

/** Rows that decisions add and no decision of the batch looks up, in their order. */
export class AppendedRows<R> implements RowSet<R> {
  readonly inserted = new Map<number, R>();
  readonly updated = new Map<number, R>();

  load(_row: R): void {
    throw new Error('nothing is loaded of a table that decisions only append to');
  }

  insert(row: R): void {
    this.inserted.set(this.inserted.size, row);
  }

  update(row: R): void {
    this.updated.set(this.updated.size, row);
  }

  set(row: R): void {
    this.insert(row);
  }
}
