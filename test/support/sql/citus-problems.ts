import { beforeAll } from '@jest/globals';
import {
  type DeleteStmt,
  type FuncCall,
  type InsertStmt,
  loadModule,
  type Node,
  parseSync,
  type SelectStmt,
  type SubLink,
  type UpdateStmt,
} from 'libpg-query';
import {
  columnNameOf,
  comparedIn,
  conjunctionOf,
  parameterOf,
  tablesIn,
  textOf,
  walk,
} from './expressions.ts';
import type { TableColumns } from './relations.ts';

beforeAll(() => loadModule());

/** Functions whose result may differ from row to row. */
const VOLATILE = new Set(['clock_timestamp', 'gen_random_uuid', 'nextval', 'random', 'timeofday', 'uuidv7']);

/** Functions whose result depends on the session or the time of the statement. */
const STABLE = new Set([
  ...[
    'concat',
    'concat_ws',
    'date_trunc',
    'format',
    'now',
    'statement_timestamp',
    'to_char',
    'transaction_timestamp',
  ],
  ...['array_to_string', 'json_build_array', 'json_build_object', 'jsonb_build_array', 'jsonb_build_object'],
  ...['row_to_json', 'to_json', 'to_jsonb'],
]);

/** Functions with an effect on the node that runs them: sessions of the service are sessions of the coordinator. */
const OF_THE_NODE = /^(pg_notify|pg_(try_)?advisory_.*|set_config)$/;

export interface CitusOptions {
  /** By the name of the table. */
  tables: ReadonlyMap<string, TableColumns>;
  /** Whether the statement goes over all environments, and so over many shards. */
  overAll: boolean;
}

/**
 * Looks for what Citus cannot do with the tables distributed by their environments (docs/internals/citus.md, "What
 * Citus refuses"). It knows what has been found with Citus 13.2; whether Citus plans a statement shows `npm run
 * bench:citus`.
 * @returns what is wrong, one line for each problem
 * @throws SqlError for what Postgres cannot parse
 */
export function citusProblems(text: string, { tables, overAll }: CitusOptions): string[] {
  const problems = new Set<string>();
  for (const { stmt } of parseSync(text).stmts ?? []) {
    if (!stmt || tablesIn(stmt).every(({ relname = '' }) => !tables.get(relname)?.environment)) continue;
    for (const name of callsIn(stmt)) {
      if (OF_THE_NODE.test(name))
        problems.add(`${name} would run on a worker, for the statement reads tables`);
    }
    for (const problem of changeProblems(stmt, tables)) problems.add(problem);
    if (overAll) for (const problem of shardProblems(stmt)) problems.add(problem);
  }
  return [...problems];
}

/** What Citus refuses in statements that change rows. */
function changeProblems(statement: Node, tables: CitusOptions['tables']): string[] {
  const problems: string[] = [];
  walk(statement, (key, value) => {
    if (key === 'UpdateStmt' || key === 'DeleteStmt') {
      problems.push(...updateProblems(value as UpdateStmt | DeleteStmt, tables));
    }
    if (key === 'InsertStmt') problems.push(...insertProblems(value as InsertStmt));
    return true;
  });
  return problems;
}

function updateProblems(change: UpdateStmt | DeleteStmt, tables: CitusOptions['tables']): string[] {
  const { relation, whereClause, returningClause } = change;
  const set = 'targetList' in change ? change.targetList : undefined;
  const table = relation?.relname ?? '';
  const volatile = callsIn(change).filter((name) => VOLATILE.has(name));
  const problems = volatile.map((name) => `an update of ${table} calls ${name}, which is volatile`);
  for (const part of outsideQueries([set, whereClause], 'FuncCall')) {
    const name = nameOf(part as FuncCall);
    if (STABLE.has(name) && readsColumn(part)) {
      problems.push(`an update of ${table} calls ${name}, which is not immutable, with a column`);
    }
  }
  for (const key of ['CaseExpr', 'CoalesceExpr']) {
    if (partsOf([set, whereClause], key).some(isMutable)) {
      problems.push(`an update of ${table} has what is not immutable in CASE or COALESCE`);
    }
  }
  if (partsOf([set, whereClause], 'CaseExpr').some((one) => 'arg' in one)) {
    problems.push(
      `an update of ${table} has CASE with a value to compare, which Citus writes down wrongly: case when … =`,
    );
  }
  if (outsideQueries([set, whereClause], 'A_Expr').some(addsTimeToColumn)) {
    problems.push(`an update of ${table} adds an interval to a column`);
  }
  if (isMutable(returningClause)) problems.push(`an update of ${table} returns what is not immutable`);
  if (usesPlace(whereClause) && !isBound(change, tables)) {
    problems.push(
      `an update of ${table} goes by ctid, and not by the environment: places are those of one shard`,
    );
  }
  return problems;
}

function insertProblems({ relation, onConflictClause, withClause }: InsertStmt): string[] {
  const table = relation?.relname ?? '';
  const problems: string[] = [];
  if (isMutable([onConflictClause?.targetList, onConflictClause?.whereClause])) {
    problems.push(`an insert into ${table} does on a conflict what is not immutable`);
  }
  walk(withClause, (key, value) => {
    if (key !== 'UpdateStmt' && key !== 'DeleteStmt') return true;
    if (usesPlace((value as UpdateStmt).whereClause)) {
      problems.push(
        `an insert into ${table} follows an update by ctid, which Citus runs apart from what found the places`,
      );
    }
    return true;
  });
  return problems;
}

/** What Citus refuses where many shards are read. */
function shardProblems(statement: Node): string[] {
  const problems: string[] = [];
  walk(statement, (key, value) => {
    if (key === 'withClause' && 'recursive' in value && value.recursive) {
      problems.push('a recursive query over many shards');
    }
    if ('lockingClause' in value && value.lockingClause) problems.push('FOR UPDATE over many shards');
    if (key === 'SubLink' && returnsNothing(value)) {
      problems.push('a subquery without columns over many shards: Citus cannot keep its result');
    }
    if (isSelect(value) && value.limitOffset) problems.push('OFFSET in a query over many shards');
    return true;
  });
  return problems;
}

/** Whether a subquery has no columns and nothing of the query around it, so that its result is kept apart. */
function returnsNothing(link: object): boolean {
  const { subselect } = link as SubLink;
  if (!subselect || !('SelectStmt' in subselect)) return false;
  const { targetList, fromClause = [], whereClause } = subselect.SelectStmt;
  const own = tablesIn({ SelectStmt: { fromClause } }).map(
    ({ alias, relname }) => alias?.aliasname ?? relname,
  );
  const names = partsOf(whereClause, 'ColumnRef').map((column) => columnNameOf({ ColumnRef: column }) ?? []);
  const isCorrelated = names.some((name) => name.length > 1 && !own.includes(name[0]));
  return !targetList && !isCorrelated;
}

function isSelect(value: object): value is SelectStmt {
  return 'targetList' in value && 'op' in value;
}

/**
 * The names of the functions that a tree calls; what SQL writes as a keyword, such as `current_date`, counts as `now`.
 */
function callsIn(tree: unknown): string[] {
  const calls = partsOf(tree, 'FuncCall').map((call) => nameOf(call as FuncCall));
  return [...calls, ...partsOf(tree, 'SQLValueFunction').map(() => 'now')];
}

function nameOf({ funcname }: FuncCall): string {
  return textOf(funcname?.at(-1));
}

/**
 * The parts of expressions that are of one kind, without those inside of subqueries, which are evaluated on their own.
 */
function outsideQueries(expressions: unknown, kind: string): object[] {
  const inside = new Set(partsOf(expressions, 'SubLink').flatMap((link) => partsOf(link, kind)));
  return partsOf(expressions, kind).filter((part) => !inside.has(part));
}

/** The parts of a tree that are of one kind. */
function partsOf(tree: unknown, kind: string): object[] {
  const parts: object[] = [];
  walk({ tree }, (key, value) => {
    if (key === kind) parts.push(value);
    return true;
  });
  return parts;
}

function isMutable(tree: unknown): boolean {
  return (
    callsIn(tree).some((name) => VOLATILE.has(name) || STABLE.has(name)) ||
    partsOf(tree, 'A_Expr').some(addsTime)
  );
}

/**
 * Whether an expression adds an interval to something, or takes it away: of an instant that depends on the time zone.
 */
function addsTime(expression: object): boolean {
  const { name, lexpr, rexpr } = expression as { name?: Node[]; lexpr?: Node; rexpr?: Node };
  return ['+', '-'].includes(textOf(name?.[0])) && [lexpr, rexpr].some(isInterval);
}

function addsTimeToColumn(expression: object): boolean {
  return addsTime(expression) && readsColumn(expression);
}

function isInterval(node: Node | undefined): boolean {
  if (!node) return false;
  if ('TypeCast' in node) return textOf(node.TypeCast.typeName?.names?.at(-1)) === 'interval';
  if ('FuncCall' in node) return textOf(node.FuncCall.funcname?.at(-1)) === 'make_interval';
  if (!('A_Expr' in node) || textOf(node.A_Expr.name?.[0]) !== '*') return false;
  return [node.A_Expr.lexpr, node.A_Expr.rexpr].some(isInterval);
}

function readsColumn(tree: unknown): boolean {
  return partsOf(tree, 'ColumnRef').length > 0;
}

function usesPlace(condition: Node | undefined): boolean {
  return partsOf(condition, 'ColumnRef').some(
    (column) => columnNameOf({ ColumnRef: column })?.at(-1) === 'ctid',
  );
}

/** Whether an update compares the environment of its table with a parameter. */
function isBound(
  { relation, whereClause }: UpdateStmt | DeleteStmt,
  tables: CitusOptions['tables'],
): boolean {
  const environment = tables.get(relation?.relname ?? '')?.environment;
  const alias = relation?.alias?.aliasname ?? relation?.relname;
  return conjunctionOf(whereClause)
    .flatMap(comparedIn)
    .some((sides) => {
      const name = sides.map(columnNameOf).find((found) => found !== null);
      const isOwn = name?.at(-1) === environment && (name?.length === 1 || name?.[0] === alias);
      return isOwn && sides.some((side) => parameterOf(side) !== null);
    });
}
