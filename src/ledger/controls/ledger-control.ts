/**
 * One control of the ledger. Its statement returns one row for each compared item: `subject` names the item, `expected`
 * is computed from records that never change (postings, transactions), `found` is read from the tables that are kept up
 * to date beside them. Where one side has no such row, its column is null and the item differs. `$1` is the UUID of an
 * environment, or null for all.
 */
export interface LedgerControl {
  id: string;
  /** What is true when the control passes. */
  title: string;
  sql: string;
  sinceDay: SinceDay;
}

/** What a run looks at that begins after a closed day which was verified before. */
export type SinceDay =
  /** Only items that are newer: `sql` has a second parameter, the first instant that is looked at, or null for all. */
  | 'newer'
  /** Everything: it reads present states only, no history. */
  | 'whole'
  /** Everything that is newer, on top of sums of closed days: by this statement, with the same second parameter. */
  | { carried: string }
  /** Nothing, for this reason. */
  | { leftOut: string };

/** SQL: whether the instant in a column is looked at. @param column such as `p.created_at` */
export function newer(column: string): string {
  return `($2::timestamptz is null or ${column} >= $2)`;
}

/**
 * SQL: whether the transaction that a row names is looked at.
 * @param row alias of the row
 * @param transactionId its column with the id of the transaction, or an expression
 */
export function ofNewerTransaction(row: string, transactionId = `${row}.transaction_id`): string {
  return `($2::timestamptz is null or exists (select from transactions newer
          where newer.environment_id = ${row}.environment_id and newer.id = ${transactionId}
            and ($1::uuid is null or newer.environment_id = $1) and newer.created_at >= $2))`;
}

/** SQL: the first day that is looked at. */
export const FIRST_DAY = `($2::timestamptz at time zone 'UTC')::date`;

/** SQL: the points that were clawed back of the lots of each transaction. */
export const CLAWED_BACK = `
        select l.environment_id, l.transaction_id, sum(p.amount) as points
        from postings p
        join lots l on l.environment_id = p.environment_id and l.id = p.lot_id
        where p.credit_account = 'program.issuance' and ($1::uuid is null or p.environment_id = $1)
          and ${newer('p.created_at')}
        group by l.environment_id, l.transaction_id`;
