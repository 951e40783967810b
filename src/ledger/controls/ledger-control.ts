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
 * SQL: the rows of a table that are looked at: all, or those that are newer, and of the environment of the run. The two
 * cases are two queries, of which one has nothing to do. After an OR Postgres would read every row to ask whether it is
 * newer, instead of looking the newer ones up.
 * @param isNewer SQL of whether a row is newer, given its alias
 * @param joinNewer SQL of a join that narrows down which rows may be newer, given the alias
 */
export function lookedAt(
  table: string,
  isNewer: (row: string) => string,
  joinNewer: (row: string) => string = () => '',
): string {
  return `(select every.* from ${table} every
          where $2::timestamptz is null and ($1::uuid is null or every.environment_id = $1)
          union all
          select late.* from ${table} late ${joinNewer('late')}
          where $2::timestamptz is not null and ($1::uuid is null or late.environment_id = $1) and ${isNewer('late')})`;
}

/**
 * SQL: whether the transaction that a row names is newer.
 * @param row alias of the row
 * @param transactionId its column with the id of the transaction, or an expression
 */
export function hasNewerTransaction(row: string, transactionId = `${row}.transaction_id`): string {
  return `exists (select from transactions newer
          where newer.environment_id = ${row}.environment_id and newer.id = ${transactionId}
            and ($1::uuid is null or newer.environment_id = $1) and newer.created_at >= $2)`;
}

/**
 * SQL: whether the transaction that a row of a small table names is looked at. Its parameters are those of
 * `hasNewerTransaction`.
 */
export function ofNewerTransaction(row: string, transactionId?: string): string {
  return `($2::timestamptz is null or ${hasNewerTransaction(row, transactionId)})`;
}

/**
 * SQL: the orders whose transactions are looked at. Ids are given in the order of time, nearly, so that no order of
 * before the least id of the newer transactions has to be read: the index orders_by_transaction knows which ids the
 * blocks of the table have.
 */
export const ORDERS_LOOKED_AT = lookedAt(
  'orders',
  hasNewerTransaction,
  (row) => `join (
            select first.environment_id, min(first.id::text collate "C")::uuid as id
            from transactions first
            where ($1::uuid is null or first.environment_id = $1) and first.created_at >= $2
            group by first.environment_id
          ) first on first.environment_id = ${row}.environment_id and ${row}.transaction_id >= first.id`,
);

/** SQL: the first day that is looked at. */
export const FIRST_DAY = `($2::timestamptz at time zone 'UTC')::date`;

/** SQL: the points that were clawed back of the lots of each transaction. */
export const CLAWED_BACK = `
        select l.environment_id, l.transaction_id, sum(p.amount) as points
        from postings p
        join lots l on l.environment_id = p.environment_id and l.member_id = p.member_id
          and l.program_id = p.program_id and l.id = p.lot_id
        where p.credit_account = 'program.issuance' and ($1::uuid is null or p.environment_id = $1)
          and ${newer('p.created_at')}
        group by l.environment_id, l.transaction_id`;
