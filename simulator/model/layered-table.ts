/** A table of the model, or a layer of uncommitted changes above one. */
export class LayeredTable<V> {
  readonly #own = new Map<string, V>();
  readonly #base: LayeredTable<V> | null;

  constructor(base: LayeredTable<V> | null) {
    this.#base = base;
  }

  get(key: string): V | null {
    return this.#own.get(key) ?? this.#base?.get(key) ?? null;
  }

  set(key: string, value: V): void {
    this.#own.set(key, value);
  }

  /** Every row, those of the layers below included. */
  rows(): Map<string, V> {
    return new Map([...(this.#base?.rows() ?? []), ...this.#own]);
  }

  /** The rows that were set in this layer. */
  get own(): ReadonlyMap<string, V> {
    return this.#own;
  }

  commit(): void {
    for (const [key, value] of this.#own) this.#base?.set(key, value);
    this.#own.clear();
  }
}
