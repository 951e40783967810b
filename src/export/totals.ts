import type { Column, Row, TotalsDefinition } from './kinds/kind.ts';

/** One line of totals: labels and counts as they are named in the definition, sums as decimal digits. */
export type Total = Readonly<Record<string, string | number>>;

interface Line {
  labels: string[];
  counts: number[];
  sums: bigint[];
}

type Test = (row: Row) => boolean;

/** Adds up rows, by their labels. */
export class Totals {
  readonly #definition: TotalsDefinition;
  readonly #labels: readonly number[];
  readonly #counts: readonly Test[];
  readonly #sums: readonly number[];
  readonly #lines = new Map<string, Line>();
  rows = 0;

  constructor(definition: TotalsDefinition, columns: readonly Column[]) {
    const indexOf = (name: string): number => columns.findIndex((column) => column.name === name);
    this.#definition = definition;
    this.#labels = definition.labels.map(indexOf);
    this.#sums = definition.sums.map(indexOf);
    this.#counts = Object.values(definition.counts).map((count): Test => {
      if (count === 'all') return () => true;
      const index = indexOf(count.column);
      return 'is' in count ? (row) => row[index] === count.is : (row) => row[index] !== count.isNot;
    });
  }

  add(rows: readonly Row[]): void {
    for (const row of rows) {
      const line = this.#lineOf(this.#labels.map((index) => row[index] ?? ''));
      this.#counts.forEach((test, position) => {
        if (test(row)) line.counts[position] = (line.counts[position] ?? 0) + 1;
      });
      this.#sums.forEach((index, position) => {
        line.sums[position] = (line.sums[position] ?? 0n) + BigInt(row[index] ?? 0);
      });
    }
    this.rows += rows.length;
  }

  /** Adds the totals of other rows. @param rows how many rows these are the totals of */
  addTotals(totals: readonly Total[], rows: number): void {
    const { labels, counts, sums } = this.#definition;
    for (const total of totals) {
      const line = this.#lineOf(labels.map((name) => String(total[name])));
      Object.keys(counts).forEach((name, position) => {
        line.counts[position] = (line.counts[position] ?? 0) + Number(total[name]);
      });
      sums.forEach((name, position) => {
        line.sums[position] = (line.sums[position] ?? 0n) + BigInt(total[name] ?? 0);
      });
    }
    this.rows += rows;
  }

  /** The lines in the order of their labels. */
  list(): Total[] {
    const { labels, counts, sums } = this.#definition;
    return [...this.#lines]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, line]) =>
        Object.fromEntries([
          ...labels.map((name, place) => [name, line.labels[place] ?? '']),
          ...Object.keys(counts).map((name, place) => [name, line.counts[place] ?? 0]),
          ...sums.map((name, place) => [name, String(line.sums[place] ?? 0n)]),
        ]),
      );
  }

  #lineOf(labels: string[]): Line {
    const key = JSON.stringify(labels);
    const existing = this.#lines.get(key);
    if (existing) return existing;
    const line = {
      labels,
      counts: Object.keys(this.#definition.counts).map(() => 0),
      sums: this.#sums.map(() => 0n),
    };
    this.#lines.set(key, line);
    return line;
  }
}
