import type { MemoryTables } from '../ledger/memory-tables.ts';
import { BrokenInvariant } from './broken-invariant.ts';

const AUDITED = [
  'members',
  'profiles',
  'transactions',
  'lots',
  'postings',
  'orders',
  'idempotency',
  'audits',
  'returns',
  'reservations',
  'disputes',
  'stocks',
  'adjustments',
  'limitCounters',
  'sharedCounters',
  'customEvents',
  'challengeProgress',
  'choiceGrants',
  'choiceClaims',
] as const;

export type AuditedTable = (typeof AUDITED)[number];

/** The rows that were written since somebody last asked: what an audit has to look at again. */
export class ChangedRows {
  readonly #tables: MemoryTables;
  readonly #changed = new Map<AuditedTable, Set<string>>();

  /** At first all that is there counts as changed. */
  constructor(tables: MemoryTables) {
    this.#tables = tables;
    for (const name of AUDITED) this.#changed.set(name, new Set(tables[name].keys()));
  }

  /** From now on every write is noticed, whoever does it. */
  watch(): this {
    for (const name of AUDITED) {
      const table = this.#tables[name] as Map<string, unknown>;
      const changed = this.#changed.get(name) as Set<string>;
      table.set = (key, row) => {
        changed.add(key);
        return Map.prototype.set.call(table, key, row);
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
  take<N extends AuditedTable>(name: N): [key: string, row: RowOf<N>][] {
    const changed = this.#changed.get(name) as Set<string>;
    const table: ReadonlyMap<string, unknown> = this.#tables[name];
    const rows: [string, RowOf<N>][] = [];
    for (const key of changed) {
      const row = table.get(key);
      if (row === undefined) throw new BrokenInvariant(`nothing is ever deleted: ${name} ${key} was`);
      rows.push([key, row as RowOf<N>]);
    }
    changed.clear();
    return rows;
  }
}

type RowOf<N extends AuditedTable> = MemoryTables[N] extends Map<string, infer R> ? R : never;
