import type { Node, RangeVar, SubLink } from 'libpg-query';

/** The conditions that a row has to meet all: the parts of AND, or the one condition. */
export function conjunctionOf(condition: Node | undefined): Node[] {
  if (!condition) return [];
  if ('BoolExpr' in condition && condition.BoolExpr.boolop === 'AND_EXPR') {
    return (condition.BoolExpr.args ?? []).flatMap(conjunctionOf);
  }
  return [condition];
}

/** The condition that holds where a parameter is given: X of `$1 is null or X`. Null for any other condition. */
export function conditionOnGiven(condition: Node): Node | null {
  if (!('BoolExpr' in condition) || condition.BoolExpr.boolop !== 'OR_EXPR') return null;
  const [absent, otherwise, ...more] = condition.BoolExpr.args ?? [];
  if (!absent || !otherwise || more.length > 0 || !('NullTest' in absent)) return null;
  const { arg, nulltesttype } = absent.NullTest;
  return nulltesttype === 'IS_NULL' && parameterOf(arg) !== null ? otherwise : null;
}

/** The pairs of expressions that an equality compares: one pair, or those of two rows. Empty for other conditions. */
export function comparedIn(condition: Node): [Node, Node][] {
  if (!('A_Expr' in condition) || condition.A_Expr.kind !== 'AEXPR_OP') return [];
  const { name, lexpr, rexpr } = condition.A_Expr;
  if (!lexpr || !rexpr || textOf(name?.[0]) !== '=') return [];
  const [left, right] = [itemsOf(lexpr), itemsOf(rexpr)];
  return left.length === right.length ? left.map((item, index) => [item, right[index] as Node]) : [];
}

/** The items of a row, or the expression itself. */
export function itemsOf(expression: Node): Node[] {
  return 'RowExpr' in expression ? (expression.RowExpr.args ?? []) : [expression];
}

/** The number of a parameter, with or without casts; null for any other expression. */
export function parameterOf(expression: Node | undefined): number | null {
  if (!expression) return null;
  if ('TypeCast' in expression) return parameterOf(expression.TypeCast.arg);
  return 'ParamRef' in expression ? (expression.ParamRef.number ?? null) : null;
}

/** The parts of a column's name, `*` included; null for any other expression. */
export function columnNameOf(expression: Node | undefined): string[] | null {
  if (!expression) return null;
  if ('TypeCast' in expression) return columnNameOf(expression.TypeCast.arg);
  if (!('ColumnRef' in expression)) return null;
  return (expression.ColumnRef.fields ?? []).map((field) => ('A_Star' in field ? '*' : textOf(field)));
}

/** The text of a name. */
export function textOf(node: Node | undefined): string {
  return node && 'String' in node ? (node.String.sval ?? '') : '';
}

/** The subqueries of expressions, without those that are inside these subqueries. */
export function subqueriesIn(expressions: unknown): SubLink[] {
  const links: SubLink[] = [];
  walk(expressions, (key, value) => {
    if (key !== 'SubLink') return true;
    links.push(value as SubLink);
    // What is compared with the subquery belongs to the query around it.
    links.push(...subqueriesIn((value as SubLink).testexpr));
    return false;
  });
  return links;
}

/** Every table that is named anywhere in a statement. */
export function tablesIn(statement: Node): RangeVar[] {
  const tables: RangeVar[] = [];
  walk(statement, (_key, value) => {
    if ('relname' in value) tables.push(value as RangeVar);
    return true;
  });
  return tables;
}

/**
 * Calls back for every object in a tree, with the key that it is under.
 * @param enter returns whether to go on inside
 */
export function walk(tree: unknown, enter: (key: string, value: object) => boolean, key = ''): void {
  if (typeof tree !== 'object' || tree === null) return;
  if (Array.isArray(tree)) for (const item of tree) walk(item, enter, key);
  else if (enter(key, tree)) for (const [name, value] of Object.entries(tree)) walk(value, enter, name);
}
