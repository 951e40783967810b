/** A table of the model, or a layer of uncommitted changes above one. */
export class LayeredTable<V> {
  readonly #ownRows = new Map<string, V>();
  readonly #base: LayeredTable<V> | null;

  constructor(base: LayeredTable<V> | null) {
    this.#base = base;
  }

  get(key: string): V | null {
    return this.#ownRows.get(key) ?? this.#base?.get(key) ?? null;
  }

  set(key: string, value: V): void {
    this.#ownRows.set(key, value);
  }

  /** Every row, those of the layers below included. */
  rows(): Map<string, V> {
    return new Map([...(this.#base?.rows() ?? []), ...this.#ownRows]);
  }

  /** The rows that were set in this layer. */
  get ownRows(): ReadonlyMap<string, V> {
    return this.#ownRows;
  }

  commit(): void {
    for (const [key, value] of this.#ownRows) this.#base?.set(key, value);
    this.#ownRows.clear();
  }
}
