import { beforeAll } from '@jest/globals';
import { type AlterTableStmt, loadModule, type Node, parseSync, type RenameStmt } from 'libpg-query';
import { walk } from './expressions.ts';

beforeAll(() => loadModule());

/** The last migration that is older than the distribution of tables: later ones have to work on distributed tables. */
export const LAST_BEFORE_DISTRIBUTION = '20261123082000_deliveries_by_time';

/** Constraints of a column that Citus takes only as constraints of the table, with a name. */
const NAMED = new Set(['CONSTR_CHECK', 'CONSTR_FOREIGN', 'CONSTR_PRIMARY', 'CONSTR_UNIQUE']);

/**
 * Looks for changes of tables that Citus refuses where they are distributed already (docs/operate/distributed.md,
 * "Upgrades"). It knows what has been found with Citus 13.2. Tables that the migration itself makes are not distributed
 * yet.
 * @param sql of a migration
 * @returns what is wrong, one line for each problem
 * @throws SqlError for what Postgres cannot parse
 */
export function citusMigrationProblems(sql: string): string[] {
  const statements = (parseSync(sql).stmts ?? []).flatMap(({ stmt }) => stmt ?? []);
  const createdTables = statements.map((stmt) =>
    'CreateStmt' in stmt ? stmt.CreateStmt.relation?.relname : null,
  );
  return statements.flatMap((stmt) => {
    if ('AlterTableStmt' in stmt && !createdTables.includes(stmt.AlterTableStmt.relation?.relname)) {
      return alterProblems(stmt.AlterTableStmt);
    }
    if ('RenameStmt' in stmt && !createdTables.includes(stmt.RenameStmt.relation?.relname)) {
      return renameProblems(stmt.RenameStmt);
    }
    return [];
  });
}

function alterProblems({ relation, cmds = [] }: AlterTableStmt): string[] {
  const table = relation?.relname ?? '';
  const problems: string[] = [];
  for (const node of cmds) {
    if (!('AlterTableCmd' in node)) continue;
    const { subtype, def } = node.AlterTableCmd;
    if (subtype === 'AT_AddConstraint' && cmds.length > 1) {
      problems.push(`${table}: a constraint is added together with other changes: a statement of its own`);
    }
    if (subtype === 'AT_AddConstraint' && def && 'Constraint' in def && !def.Constraint.conname) {
      problems.push(
        `${table}: a constraint is added without a name: Citus gives it another one than Postgres`,
      );
    }
    if (subtype === 'AT_AddColumn' && hasConstraint(def)) {
      problems.push(`${table}: a column is added with a constraint: add constraint, with a name, afterwards`);
    }
  }
  return problems;
}

function hasConstraint(column: Node | undefined): boolean {
  let isFound = false;
  walk(column, (key, value) => {
    if (key === 'Constraint' && 'contype' in value) isFound ||= NAMED.has(String(value.contype));
    return true;
  });
  return isFound;
}

function renameProblems({ relation, renameType, subname = '' }: RenameStmt): string[] {
  if (renameType !== 'OBJECT_TABCONSTRAINT') return [];
  return [`${relation?.relname}: the constraint ${subname} is renamed: drop it, and add the other one`];
}
