import { beforeAll } from '@jest/globals';
import {
  type InsertStmt,
  type JoinExpr,
  loadModule,
  type Node,
  parseSync,
  type SelectStmt,
  type WithClause,
} from 'libpg-query';
import { connected, type Equality } from './equalities.ts';
import { comparedIn, conditionOnGiven, conjunctionOf, itemsOf, subqueriesIn, textOf } from './expressions.ts';
import { RelationReader, renamed, type TableColumns } from './relations.ts';
import {
  type Column,
  type EnvironmentColumn,
  environmentsOf,
  type Relation,
  type Returned,
  Scope,
} from './scope.ts';

/**
 * What a statement has to do.
 * - `bound`: it limits each table to the environment that a parameter gives.
 * - `optional`: the same, but `$1 is null or environment_id = $1` counts as a limit.
 * - `apart`: it goes over all environments, and combines no rows of two of them. Tables that are joined are equal in
 *   their environments, and rows are grouped by them.
 */
export type Demand = 'bound' | 'optional' | 'apart';

export interface CheckOptions {
  /** By the name of the table. */
  tables: ReadonlyMap<string, TableColumns>;
  demand?: Demand;
  /** The numbers of the parameters that are the environment. Default: `$1`. */
  environmentNumbers?: readonly number[];
}

beforeAll(() => loadModule());

/**
 * Checks a statement with Postgres' own parser. A table is bound to an environment where the statement compares its
 * environment with the parameter, or with a column that is itself bound, in a condition that every row has to meet: in
 * WHERE, in the condition of a join (of an outer join: only for the side that may be missing), in `using`, in a
 * comparison of rows, or in a row that is IN a subquery.
 * @returns what is wrong, one line for each problem; empty where the statement does what is demanded
 * @throws SqlError for what Postgres cannot parse
 */
export function bindingProblems(text: string, options: CheckOptions): string[] {
  const problems = new Set<string>();
  for (const { stmt } of parseSync(text).stmts ?? []) {
    if (!stmt) continue;
    const check = new Check(options);
    check.statement(stmt, new Scope(null), 'report');
    check.tablesLeftOut(stmt);
    for (const problem of check.problems) problems.add(problem);
  }
  return [...problems];
}

/** A subquery in FROM. */
interface Derived {
  query: Node;
  /** The scope around it. */
  around: Scope;
  columns: readonly Column[];
}

/** One SELECT, UPDATE or DELETE while it is checked. */
interface Block {
  scope: Scope;
  equalities: Equality[];
  derived: Derived[];
  /** The conditions of joins. */
  conditions: Node[];
}

/** The parts of a SELECT, UPDATE or DELETE. */
interface Parts {
  from: readonly Node[];
  where: Node | undefined;
  withClause: WithClause | undefined;
  outputs: readonly Node[];
  groups?: readonly Node[] | undefined;
  others: readonly unknown[];
}

/** Whether problems are noted: they are not while conditions further out may still bind columns. */
type Mode = 'report' | 'silent';

class Check {
  readonly problems: string[] = [];
  readonly #demand: Demand;
  readonly #reader: RelationReader;

  constructor({ tables, demand = 'bound', environmentNumbers = [1] }: CheckOptions) {
    this.#demand = demand;
    this.#reader = new RelationReader(tables, demand === 'apart' ? [] : environmentNumbers);
  }

  /** @param correlated whether it is evaluated for each row of the query around it */
  statement(node: Node, around: Scope, mode: Mode, correlated = false): Returned {
    if ('SelectStmt' in node) return this.#select(node.SelectStmt, around, mode, correlated);
    if ('InsertStmt' in node) return this.#insert(node.InsertStmt, around, mode);
    if ('UpdateStmt' in node) {
      const {
        relation,
        fromClause = [],
        whereClause,
        withClause,
        returningClause,
        targetList,
      } = node.UpdateStmt;
      const from = [...(relation ? [{ RangeVar: relation }] : []), ...fromClause];
      const environment = relation && this.#reader.tableOf(relation)?.environment;
      if (
        environment &&
        targetList?.some((item) => 'ResTarget' in item && item.ResTarget.name === environment)
      ) {
        this.problems.push(`${relation.relname} gets another ${environment}`);
      }
      const parts = {
        from,
        where: whereClause,
        withClause,
        outputs: returningClause?.exprs ?? [],
        others: [targetList],
      };
      return this.#block(parts, around, mode, correlated);
    }
    if ('DeleteStmt' in node) {
      const { relation, usingClause = [], whereClause, withClause, returningClause } = node.DeleteStmt;
      const from = [...(relation ? [{ RangeVar: relation }] : []), ...usingClause];
      const parts = {
        from,
        where: whereClause,
        withClause,
        outputs: returningClause?.exprs ?? [],
        others: [],
      };
      return this.#block(parts, around, mode, correlated);
    }
    return { columns: [], ofEnvironment: false };
  }

  /** Notes the tables that the check has not come upon, because it does not know this kind of statement. */
  tablesLeftOut(statement: Node): void {
    for (const name of this.#reader.leftOut(statement)) {
      this.problems.push(`${name} is in a part of the statement that the check does not know`);
    }
  }

  #select(select: SelectStmt, around: Scope, mode: Mode, correlated: boolean): Returned {
    const { larg, rarg, valuesLists, withClause } = select;
    if (larg && rarg) {
      const scope = this.#with(withClause, around, mode);
      const left = this.#select(larg, scope, mode, correlated);
      const right = this.#select(rarg, scope, mode, correlated);
      return {
        columns: left.columns.map(({ name, environment }, index) => {
          const other = right.columns[index]?.environment;
          return {
            name,
            environment: environment && other ? { bound: environment.bound && other.bound } : null,
          };
        }),
        ofEnvironment: left.ofEnvironment || right.ofEnvironment,
      };
    }
    if (valuesLists) return this.#values(valuesLists, around, mode);
    const { fromClause, whereClause, targetList, groupClause, havingClause, sortClause, windowClause } =
      select;
    return this.#block(
      {
        from: fromClause ?? [],
        where: whereClause,
        withClause,
        outputs: targetList ?? [],
        groups: groupClause,
        others: [havingClause, sortClause, windowClause],
      },
      around,
      mode,
      correlated,
    );
  }

  #values(lists: readonly Node[], around: Scope, mode: Mode): Returned {
    const rows = lists.map((row) => ('List' in row ? (row.List.items ?? []) : []));
    this.#subqueries(rows, around, mode);
    const columns = (rows[0] ?? []).map((_item, index): Column => {
      const given = rows.every((row) => this.#reader.resolve(row[index], around)?.bound);
      return { name: `column${index + 1}`, environment: given ? { bound: true } : null };
    });
    return { columns, ofEnvironment: false };
  }

  #insert(insert: InsertStmt, around: Scope, mode: Mode): Returned {
    const { relation: table, cols = [], selectStmt, returningClause, onConflictClause, withClause } = insert;
    if (!table) return { columns: [], ofEnvironment: false };
    const scope = this.#with(withClause, around, mode);
    const source = selectStmt ? this.statement(selectStmt, scope, mode) : null;
    const relation = this.#reader.table(table);
    const environment = this.#reader.tableOf(table)?.environment ?? null;
    const place = cols.findIndex((item) => 'ResTarget' in item && item.ResTarget.name === environment);
    const written = source?.columns[place]?.environment;
    const isRight = this.#demand === 'apart' ? written : written?.bound;
    if (environment !== null && !isRight && mode === 'report') {
      this.problems.push(`${table.relname} gets rows whose ${environment} is not the given one`);
    }
    for (const column of environmentsOf(relation)) column.bound = true;
    const inner = new Scope(scope);
    inner.relations.push(relation);
    this.#subqueries([returningClause, onConflictClause], inner, mode);
    return {
      columns: this.#reader.outputs(returningClause?.exprs ?? [], inner),
      ofEnvironment: relation.ofEnvironment,
    };
  }

  #block(parts: Parts, around: Scope, mode: Mode, correlated: boolean): Returned {
    const { from, where, outputs, groups = [], others } = parts;
    const scope = new Scope(this.#with(parts.withClause, around, mode));
    const block: Block = { scope, equalities: [], derived: [], conditions: [] };
    for (const item of from) this.#from(item, block);
    this.#equalities(where, block, scope.ownColumns());
    this.#propagate(block);
    if (mode === 'report') {
      if (this.#demand === 'apart') this.#reportMixed(block, groups, correlated);
      else this.#reportUnbound(scope);
      for (const { query, around: outer } of block.derived)
        this.statement(query, outer, mode, outer === scope);
    }
    this.#subqueries([outputs, where, groups, others, block.conditions], scope, mode);
    const ofEnvironment = scope.relations.some((relation) => relation.ofEnvironment);
    return { columns: this.#reader.outputs(outputs, scope), ofEnvironment };
  }

  /** A scope with the common table expressions of a query. */
  #with(clause: WithClause | undefined, around: Scope, mode: Mode): Scope {
    if (!clause) return around;
    const scope = new Scope(around);
    for (const node of clause.ctes ?? []) {
      if (!('CommonTableExpr' in node)) continue;
      const { ctename = '', ctequery, aliascolnames } = node.CommonTableExpr;
      if (!ctequery) continue;
      const first = 'SelectStmt' in ctequery ? ctequery.SelectStmt.larg : undefined;
      // The second part of a recursive query reads what the first part returns.
      if (clause.recursive && first) {
        scope.define(ctename, renamed(this.#select(first, scope, 'silent', false), aliascolnames));
      }
      scope.define(ctename, renamed(this.statement(ctequery, scope, mode), aliascolnames));
    }
    return scope;
  }

  /** Adds an item of FROM to the block. @returns its environment columns */
  #from(item: Node, block: Block): EnvironmentColumn[] {
    if ('JoinExpr' in item) return this.#join(item.JoinExpr, block);
    const relation = this.#relation(item, block);
    block.scope.relations.push(relation);
    return environmentsOf(relation);
  }

  #relation(item: Node, block: Block): Relation {
    if ('RangeVar' in item) return this.#reader.table(item.RangeVar, block.scope);
    if ('RangeFunction' in item) return this.#reader.function(item.RangeFunction, block.scope);
    if (!('RangeSubselect' in item) || !item.RangeSubselect.subquery) {
      return { alias: '', table: null, columns: [], ofEnvironment: false };
    }
    const { subquery: query, alias, lateral } = item.RangeSubselect;
    const around = lateral || !block.scope.around ? block.scope : block.scope.around;
    const { columns, ofEnvironment } = renamed(
      this.statement(query, around, 'silent', lateral),
      alias?.colnames,
    );
    block.derived.push({ query, around, columns });
    const relation: Relation = { alias: alias?.aliasname ?? '', table: null, columns, ofEnvironment };
    if (lateral && this.#demand === 'apart') this.#tieToRow(relation, block);
    return relation;
  }

  /**
   * Takes a lateral subquery as joined with the row that it is evaluated for: the subquery itself is checked for that.
   */
  #tieToRow(relation: Relation, { scope, equalities }: Block): void {
    const [ownColumn] = scope.ownColumns();
    const [environment] = environmentsOf(relation);
    if (!environment) relation.ofEnvironment = false;
    else if (ownColumn) equalities.push({ sides: [ownColumn, environment], limits: new Set() });
  }

  #join(
    { larg, rarg, jointype, quals, usingClause = [], isNatural }: JoinExpr,
    block: Block,
  ): EnvironmentColumn[] {
    const { scope } = block;
    const before = scope.relations.length;
    const left = larg ? this.#from(larg, block) : [];
    const between = scope.relations.length;
    const right = rarg ? this.#from(rarg, block) : [];
    if (isNatural) this.problems.push('a natural join does not say what it compares');
    const all = [...left, ...right];
    const limited = { JOIN_INNER: all, JOIN_LEFT: right, JOIN_RIGHT: left }[jointype as string] ?? [];
    const limits = new Set(limited);
    for (const name of usingClause.map(textOf)) {
      const sides = [scope.relations.slice(before, between), scope.relations.slice(between)].map(
        (relations) =>
          relations.flatMap(({ columns }) => columns).find((column) => column.name === name)?.environment,
      );
      const [a, b] = sides;
      if (!a || !b) continue;
      block.equalities.push({ sides: [a, b], limits });
      scope.merged.push({ name, environment: a });
    }
    this.#equalities(quals, block, limits);
    if (quals) block.conditions.push(quals);
    return all;
  }

  /** Adds the equalities that a condition contains. @param limits the columns of the rows that it can leave out */
  #equalities(condition: Node | undefined, block: Block, limits: ReadonlySet<EnvironmentColumn>): void {
    for (const part of conjunctionOf(condition)) {
      const otherwise = this.#demand === 'optional' ? conditionOnGiven(part) : null;
      if (otherwise) this.#equalities(otherwise, block, limits);
      for (const [left, right] of comparedIn(part)) {
        const sides = [left, right].map((side) => this.#reader.resolve(side, block.scope));
        if (sides[0] && sides[1]) block.equalities.push({ sides: [sides[0], sides[1]], limits });
      }
      if (!('SubLink' in part) || part.SubLink.subLinkType !== 'ANY_SUBLINK') continue;
      const { testexpr, subselect } = part.SubLink;
      if (!testexpr || !subselect) continue;
      const { columns } = this.statement(subselect, block.scope, 'silent', true);
      itemsOf(testexpr).forEach((item, index) => {
        const [target, source] = [this.#reader.resolve(item, block.scope), columns[index]?.environment];
        if (target && source) block.equalities.push({ sides: [target, source], limits });
      });
    }
  }

  /** Binds what the equalities bind, until nothing changes. Lateral subqueries see what is bound beside them. */
  #propagate({ equalities, derived }: Block): void {
    for (let changed = true; changed; ) {
      changed = false;
      const bind = (column: EnvironmentColumn): void => {
        column.bound = true;
        changed = true;
      };
      for (const { sides, limits } of equalities) {
        const [a, b] = sides;
        if (a.bound && !b.bound && limits.has(b)) bind(b);
        if (b.bound && !a.bound && limits.has(a)) bind(a);
      }
      for (const { query, around, columns } of derived) {
        const again = this.statement(query, around, 'silent', true).columns;
        columns.forEach(({ environment }, index) => {
          if (environment && !environment.bound && again[index]?.environment?.bound) bind(environment);
        });
      }
    }
  }

  #reportUnbound({ relations }: Scope): void {
    for (const { table, alias, columns } of relations) {
      for (const { name, environment } of table === null ? [] : columns) {
        if (environment && !environment.bound)
          this.problems.push(`${alias}.${name} of ${table} is not bound`);
      }
    }
  }

  #reportMixed({ scope, equalities }: Block, groups: readonly Node[], correlated: boolean): void {
    const joined = scope.relations.filter(({ ofEnvironment }) => ofEnvironment);
    const names = joined.map(({ alias }) => alias).join(', ');
    const sets = connected(joined.map(environmentsOf), equalities);
    if (sets.length > 1) this.problems.push(`${names} are not joined by their environments`);
    const ownColumns = scope.ownColumns();
    if (
      correlated &&
      ownColumns.size > 0 &&
      scope.isInside() &&
      sets.every((set) => [...set].every((one) => ownColumns.has(one)))
    ) {
      this.problems.push(`${names} are not of the environment of the row around them`);
    }
    const isGrouped = groups.some((group) => this.#reader.resolve(group, scope));
    if (groups.length > 0 && ownColumns.size > 0 && !isGrouped) {
      this.problems.push(`${names} are not grouped by their environment`);
    }
  }

  /** Checks the subqueries in expressions. */
  #subqueries(expressions: unknown, scope: Scope, mode: Mode): void {
    for (const { subselect } of subqueriesIn(expressions)) {
      if (subselect) this.statement(subselect, scope, mode, true);
    }
  }
}
