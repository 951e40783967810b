/**
 * A column that says which environment a row belongs to. It is bound where every row that the query goes on with has
 * the given environment.
 */
export interface EnvironmentColumn {
  bound: boolean;
}

/** One column of a relation or of a query's result. `environment` is null where it does not name an environment. */
export interface Column {
  name: string;
  environment: EnvironmentColumn | null;
}

/** One item of FROM. */
export interface Relation {
  alias: string;
  /** The name of the table; null for a subquery, a common table expression or a function. */
  table: string | null;
  columns: readonly Column[];
  /** Whether its rows come from tables that belong to environments. */
  ofEnvironment: boolean;
}

/** The result of a query. */
export type Returned = Pick<Relation, 'columns' | 'ofEnvironment'>;

/** What names mean inside one query: its own relations come first, then those of the queries around it. */
export class Scope {
  readonly relations: Relation[] = [];
  /** The columns that `using` merges into one. */
  readonly merged: Column[] = [];
  /** The scope of the query around it, with its common table expressions. */
  readonly around: Scope | null;
  readonly #named = new Map<string, Returned>();

  constructor(around: Scope | null) {
    this.around = around;
  }

  /** Gives a common table expression its name. */
  define(name: string, returned: Returned): void {
    this.#named.set(name, returned);
  }

  /** The common table expression of a name; null where there is none. */
  defined(name: string): Returned | null {
    return this.#named.get(name) ?? this.around?.defined(name) ?? null;
  }

  /** The environment column that is meant, or null. @param alias null where the name stands alone */
  find(alias: string | null, name: string): EnvironmentColumn | null {
    const candidates =
      alias === null
        ? [this.merged, ...this.relations.map(({ columns }) => columns)]
        : this.relations.filter((one) => one.alias === alias).map(({ columns }) => columns);
    const column = candidates.flat().find((one) => one.name === name);
    return column ? column.environment : (this.around?.find(alias, name) ?? null);
  }

  /** The environment columns of the query's own relations. */
  ownColumns(): Set<EnvironmentColumn> {
    return new Set(this.relations.flatMap(environmentsOf));
  }

  /** Whether a query around this one reads tables of environments. */
  isInside(): boolean {
    return this.around !== null && (this.around.ownColumns().size > 0 || this.around.isInside());
  }
}

/** The environment columns of a relation. */
export function environmentsOf({ columns }: Returned): EnvironmentColumn[] {
  return columns.flatMap(({ environment }) => environment ?? []);
}
