import type { MemoryTables } from '../../src/ledger/memory/memory-tables.ts';
import { type RecordOf, TABLE_LIST, type TableName } from '../../src/ledger/tables/all-tables.ts';
import { BrokenInvariant } from './broken-invariant.ts';

/** The rows that were written since `take` last returned them. An audit has to check these rows again. */
export class ChangedRows {
  readonly #tables: MemoryTables;
  readonly #changed = new Map<TableName, Set<string>>();

  /** At first every row counts as changed. */
  constructor(tables: MemoryTables) {
    this.#tables = tables;
    for (const [name] of TABLE_LIST) this.#changed.set(name, new Set(tables[name].keys()));
  }

  /** From now on every write to the tables marks its row as changed, and every delete throws. */
  watch(): this {
    for (const [name] of TABLE_LIST) {
      const table: Map<string, object> = this.#tables[name];
      const set = table.set.bind(table);
      const changed = this.#changed.get(name) as Set<string>;
      table.set = (key, row) => {
        changed.add(key);
        return set(key, row);
      };
      table.delete = () => {
        throw new BrokenInvariant(`nothing is ever deleted: a row of ${name} was`);
      };
      table.clear = () => {
        throw new BrokenInvariant(`nothing is ever deleted: ${name} were`);
      };
    }
    return this;
  }

  /** The changed rows of a table, which then no longer count as changed. */
  take<N extends TableName>(name: N): [key: string, row: RecordOf<N>][] {
    const changed = this.#changed.get(name) as Set<string>;
    const table: ReadonlyMap<string, unknown> = this.#tables[name];
    const rows: [string, RecordOf<N>][] = [];
    for (const key of changed) {
      const row = table.get(key);
      if (row === undefined) throw new BrokenInvariant(`nothing is ever deleted: ${name} ${key} was`);
      rows.push([key, row as RecordOf<N>]);
    }
    changed.clear();
    return rows;
  }
}
