import type { Node, RangeFunction, RangeVar } from 'libpg-query';
import { columnNameOf, parameterOf, tablesIn, textOf } from './expressions.ts';
import type { Column, EnvironmentColumn, Relation, Returned, Scope } from './scope.ts';

/** A table: its columns, and the one that names the environment, or null. */
export interface TableColumns {
  names: readonly string[];
  environment: string | null;
}

/** Reads what the items of FROM and of SELECT are. */
export class RelationReader {
  readonly #tables: ReadonlyMap<string, TableColumns>;
  readonly #numbers: readonly number[];
  readonly #boundColumn: EnvironmentColumn = { bound: true };
  readonly #seenTables = new Set<RangeVar>();

  /** @param numbers of the parameters that are the environment */
  constructor(tables: ReadonlyMap<string, TableColumns>, numbers: readonly number[]) {
    this.#tables = tables;
    this.#numbers = numbers;
  }

  /** @param scope where common table expressions are looked up */
  table(table: RangeVar, scope?: Scope): Relation {
    this.#seenTables.add(table);
    const alias = table.alias?.aliasname ?? table.relname ?? '';
    const expression = table.schemaname ? null : scope?.defined(table.relname ?? '');
    if (expression) return { alias, table: null, ...renamed(expression, table.alias?.colnames) };
    const { names = [], environment = null } = this.tableOf(table) ?? {};
    const columns = names.map((name) => ({
      name,
      environment: name === environment ? { bound: false } : null,
    }));
    return { alias, table: table.relname ?? '', columns, ofEnvironment: environment !== null };
  }

  tableOf({ schemaname, relname = '' }: RangeVar): TableColumns | undefined {
    return schemaname && schemaname !== 'public' ? undefined : this.#tables.get(relname);
  }

  /** A function in FROM. `unnest` of the parameter of environments gives a column of environments. */
  function({ functions = [], alias, coldeflist = [] }: RangeFunction, scope: Scope): Relation {
    const [first] = functions;
    const call = first && 'List' in first ? first.List.items?.[0] : undefined;
    const args =
      call && 'FuncCall' in call && textOf(call.FuncCall.funcname?.at(-1)) === 'unnest'
        ? call.FuncCall.args
        : [];
    const named = (alias?.colnames ?? []).map(textOf);
    const defined = coldeflist.map((node) => ('ColumnDef' in node ? (node.ColumnDef.colname ?? '') : ''));
    const names = [...named, ...defined];
    const columns = (names.length > 0 ? names : [alias?.aliasname ?? '']).map((name, index) => {
      const isGiven = this.resolve(args?.[index], scope) === this.#boundColumn;
      return { name, environment: isGiven ? { bound: true } : null };
    });
    return { alias: alias?.aliasname ?? '', table: null, columns, ofEnvironment: false };
  }

  outputs(targets: readonly Node[], scope: Scope): Column[] {
    return targets.flatMap((target): readonly Column[] => {
      if (!('ResTarget' in target)) return [];
      const { name, val } = target.ResTarget;
      const path = columnNameOf(val);
      if (path?.at(-1) === '*') {
        const of = scope.relations.filter(({ alias }) => path.length === 1 || alias === path[0]);
        return of.flatMap(({ columns }) => columns);
      }
      return [{ name: name ?? path?.at(-1) ?? '', environment: this.resolve(val, scope) }];
    });
  }

  /** The environment column, or the given environment, that an expression is; null for any other expression. */
  resolve(expression: Node | undefined, scope: Scope): EnvironmentColumn | null {
    if (this.#numbers.includes(parameterOf(expression) ?? 0)) return this.#boundColumn;
    const path = columnNameOf(expression);
    const name = path?.at(-1);
    return path && name ? scope.find(path.length > 1 ? (path.at(-2) ?? null) : null, name) : null;
  }

  /** The names of tables in a statement that were not read as relations, and belong to environments. */
  leftOut(statement: Node): string[] {
    const unseen = tablesIn(statement).filter((table) => !this.#seenTables.has(table));
    return unseen.filter((table) => this.tableOf(table)?.environment).map(({ relname }) => relname ?? '');
  }
}

/**
 * The columns of a subquery under other names. Each has a state of its own, because the query around it may bind it.
 */
export function renamed({ columns, ofEnvironment }: Returned, names: readonly Node[] = []): Returned {
  return {
    columns: columns.map(({ name, environment }, index) => ({
      name: textOf(names[index]) || name,
      environment: environment && { ...environment },
    })),
    ofEnvironment,
  };
}
