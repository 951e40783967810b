/** A row as a look-up found it, and where: its `ctid` in the table is stable for as long as nobody updates the row. */
export interface RowWithCtid<R> {
  row: R;
  /** Such as `(12,3)`. */
  ctid: string;
}

/** The rows of one table that a batch has loaded, and its changes to them. */
export interface RowSet<R> {
  readonly inserted: ReadonlyMap<string | number, R>;
  readonly updated: ReadonlyMap<string | number, R>;
  /** Adds a row that is stored in the database. @param ctid where the look-up gives it */
  load(row: R, ctid?: string): void;
  /** How the row of this key was found; null where no look-up has given its `ctid`. */
  rowWithCtid(key: string | number): RowWithCtid<R> | null;
  /** Adds a row that a decision inserts. */
  insert(row: R): void;
  /** Replaces a row by the one of a decision. */
  update(row: R): void;
  /** Updates the row where it exists, and inserts it otherwise. */
  set(row: R): void;
}

/** Adds the rows of a look-up. @param haveCtids whether each row has its `ctid` beside its columns */
export function loadRows(set: RowSet<object>, rows: readonly object[], haveCtids: boolean): void {
  if (!haveCtids) for (const row of rows) set.load(row);
  else for (const { ctid, ...row } of rows as readonly (object & { ctid?: string })[]) set.load(row, ctid);
}

/**
 * The rows of one table inside a batch: those that were loaded, with the inserts and updates of the decisions so far. A
 * later command of the batch sees the rows as the earlier ones left them.
 */
export class RecordSet<R> implements RowSet<R> {
  readonly inserted = new Map<string, R>();
  readonly updated = new Map<string, R>();
  readonly #rows = new Map<string, R>();
  readonly #withCtid = new Map<string, RowWithCtid<R>>();
  readonly #keyOf: (row: R) => string;
  readonly #onceKeyOf: ((row: R) => string) | null;
  readonly #once = new Set<string>();

  /**
   * @param keyOf the key of a row
   * @param onceKeyOf a second unique key: an insert skips a row whose second key exists, as the database does
   */
  constructor(keyOf: (row: R) => string, onceKeyOf: ((row: R) => string) | null = null) {
    this.#keyOf = keyOf;
    this.#onceKeyOf = onceKeyOf;
  }

  load(row: R, ctid?: string): void {
    const key = this.#keyOf(row);
    this.#rows.set(key, row);
    if (ctid !== undefined) this.#withCtid.set(key, { row, ctid });
    if (this.#onceKeyOf) this.#once.add(this.#onceKeyOf(row));
  }

  rowWithCtid(key: string): RowWithCtid<R> | null {
    return this.#withCtid.get(key) ?? null;
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

  /** @throws where the row exists: the decision did not see it, so it was made from the wrong state */
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

  /** @throws where the row does not exist */
  update(row: R): void {
    const key = this.#keyOf(row);
    if (!this.#rows.has(key)) throw new Error(`a decision updates a row that does not exist: ${key}`);
    this.#rows.set(key, row);
    if (this.inserted.has(key)) this.inserted.set(key, row);
    else this.updated.set(key, row);
  }
}

/** Rows that decisions insert or update and that no decision of the batch reads, in the order of the decisions. */
export class AppendedRows<R> implements RowSet<R> {
  readonly inserted = new Map<number, R>();
  readonly updated = new Map<number, R>();

  load(_row: R): void {
    throw new Error('nothing is loaded of a table that decisions only append to');
  }

  rowWithCtid(): null {
    return null;
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
