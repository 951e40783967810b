import { arrayLiteral } from '../../db/array-literal.ts';
import { type Statement, UNPREPARED } from '../../db/statement.ts';
import { postings } from '../../ledger/tables/postings.ts';

/** Which transactions are listed: those that match every criterion that is not null. */
export interface TransactionCriteria {
  sourceReference: string | null;
  programId: string | null;
  externalCustomerId: string | null;
  eventType: string | null;
  state: 'committed' | 'reversed' | null;
  /** Created at or after. */
  from: Date | null;
  /** Created before. */
  to: Date | null;
}

/** The position of a row in the list: the columns that the list is ordered by. */
export interface RowPosition {
  /** The time of creation as Postgres writes it, to the microsecond. */
  at: string;
  /** UUID. */
  id: string;
}

const COLUMNS = `t.id, t.program_id, t.member_id, m.external_customer_id, t.event_type, t.source_reference, t.state, t.points,
    t.occurred_at, t.created_at, t.created_at::text as created_at_text, t.reversal_of, t.reversed_by`;

/** The longest receipt that is read with its row. 200 such receipts are 1 MiB at most. */
const LIGHT_RECEIPT_BYTES = 5_242;

const NO_RECEIPT = 'null::json as receipt, 0 as receipt_bytes';
const RECEIPT = `case when t.event_type = 'purchase.completed' then t.receipt end as receipt, 0 as receipt_bytes`;
const LIGHT_RECEIPT = `case when t.event_type = 'purchase.completed'
      and octet_length(t.receipt::text) <= ${LIGHT_RECEIPT_BYTES} then t.receipt end as receipt,
    case when t.event_type = 'purchase.completed' then octet_length(t.receipt::text) else 0 end as receipt_bytes`;

/**
 * The most criteria, the cursor included, of a list whose statement is prepared. A session keeps every prepared
 * statement with its plan, about 100 KiB of Postgres' memory: all combinations would take 70 MB for each connection.
 */
const MOST_PREPARED_CRITERIA = 2;

const POSTING_COLUMNS = postings.select('p');

/**
 * Reads one transaction with the member's externalCustomerId. @param receipts whether to read the receipt of a purchase
 */
export function findTransaction(environmentId: string, id: string, receipts: boolean): Statement {
  return {
    name: receipts ? 'find_transaction' : 'find_bare_transaction',
    text: `select ${COLUMNS}, ${receipts ? RECEIPT : NO_RECEIPT}
      from transactions t
      join members m on m.environment_id = $1::uuid and m.id = t.member_id
      where t.environment_id = $1::uuid and t.id = $2::uuid`,
    values: [environmentId, id],
  };
}

/**
 * Reads a page of transactions, newest first, and one more where there is one. Each combination of criteria is a
 * statement of its own, so that the planner can choose the index that leads straight to the page:
 * `transactions_by_reference`, `_by_member`, `_reversed`, `_by_event_type`, `_by_program` or `_by_time`.
 * @param after the last row of the previous page
 * @param receipts whether to read the receipts of purchases. Of a large receipt only its size is read, because it may
 *   not fit into the page; `receiptsOf` reads it later
 */
export function listTransactions(
  environmentId: string,
  criteria: TransactionCriteria,
  after: RowPosition | null,
  limit: number,
  receipts = true,
): Statement {
  const values: unknown[] = [environmentId, limit + 1];
  // The second condition is the predicate of the partial index transactions_by_time.
  const conditions = ['environment_id = $1::uuid', "created_at > '-infinity'"];
  // The statement's name has one letter for each condition, because Postgres compares only the first 63 characters.
  let shape = '';
  const add = (letter: string, condition: (parameter: string) => string, ...newValues: unknown[]): void => {
    shape += letter;
    values.push(...newValues);
    conditions.push(condition(`$${values.length}`));
  };
  const { sourceReference, programId, externalCustomerId, eventType, state, from, to } = criteria;
  let source = 'transactions';
  if (sourceReference !== null) {
    add('r', (n) => `source_reference = ${n}`, sourceReference);
    source = ofReference(conditions.join(' and '), `$${values.length}`);
  }
  if (externalCustomerId !== null) {
    add('m', (n) => `member_id = (${memberBy(n)})`, externalCustomerId);
  }
  // Whether the program exists is checked first, so that an unknown one does not search all transactions.
  if (programId !== null) add('p', (n) => `program_id = ${n} and ${programExists(n)}`, programId);
  // Only a literal, and not a parameter, lets the planner use a partial index. Under a reference or a member there are
  // few rows, so no such index is needed.
  const open = sourceReference === null && externalCustomerId === null;
  if (eventType !== null && (!open || eventType === 'purchase.completed')) {
    add('e', (n) => `event_type = ${n}`, eventType);
  } else if (eventType !== null) {
    add('i', (n) => `event_type = ${n} and event_type <> 'purchase.completed'`, eventType);
  }
  if (state !== null && open) add(state === 'committed' ? 'c' : 'v', () => `state = '${state}'`);
  else if (state !== null) add('s', (n) => `state = ${n}`, state);
  if (from) add('f', (n) => `created_at >= ${n}::timestamptz`, from.toISOString());
  if (to) add('t', (n) => `created_at < ${n}::timestamptz`, to.toISOString());
  if (after) {
    const [at, id] = [values.length + 1, values.length + 2];
    add('a', () => `(created_at, id) < ($${at}::timestamptz, $${id}::uuid)`, after.at, after.id);
  }
  return {
    name:
      shape.length <= MOST_PREPARED_CRITERIA
        ? `list_${receipts ? '' : 'bare_'}transactions_${shape}`
        : UNPREPARED,
    text: `select ${COLUMNS}, ${receipts ? LIGHT_RECEIPT : NO_RECEIPT}
      from (
        select * from ${source}
        where ${conditions.join(' and ')}
        order by created_at desc, id desc
        limit $2::integer
      ) t
      cross join lateral (
        select external_customer_id from members
        where environment_id = $1::uuid and id = t.member_id
        limit 1
      ) m
      order by t.created_at desc, t.id desc`,
    values,
  };
}

/** Reads the receipts of transactions, by their ids. */
export function receiptsOf(environmentId: string, transactionIds: readonly string[]): Statement {
  return {
    name: 'receipts_of',
    text: `select t.id, t.receipt
      from unnest($2::uuid[]) as wanted(id)
      cross join lateral (
        select id, receipt from transactions
        where environment_id = $1::uuid and id = wanted.id
        limit 1
      ) t`,
    values: [environmentId, arrayLiteral(transactionIds)],
  };
}

/** Reads what receipts have in common, by the ids of templates. */
export function receiptTemplates(environmentId: string, ids: readonly string[]): Statement {
  return {
    name: 'receipt_templates',
    text: `select t.id, t.template
      from unnest($2::text[]) as wanted(id)
      cross join lateral (
        select id, template from receipt_templates
        where environment_id = $1::uuid and id = wanted.id
        limit 1
      ) t`,
    values: [environmentId, arrayLiteral(ids)],
  };
}

/**
 * Reads the first postings of transactions, in the order of the given ids and of their lines.
 * @param ofEach the highest number of postings of one transaction
 * @param inAll the highest number of postings in all
 */
export function firstPostings(
  environmentId: string,
  transactionIds: readonly string[],
  ofEach: number,
  inAll: number,
): Statement {
  return {
    name: 'first_postings',
    text: `select ${POSTING_COLUMNS}
      from unnest($2::uuid[]) with ordinality as wanted(id, place)
      cross join lateral (
        select * from postings
        where environment_id = $1::uuid and transaction_id = wanted.id
        order by line
        limit $3::integer
      ) p
      order by wanted.place, p.line
      limit $4::integer`,
    values: [environmentId, arrayLiteral(transactionIds), ofEach, inAll],
  };
}

/**
 * Reads postings of one transaction, in the order of their lines. For a transaction without such postings there is one
 * row without a line; for a transaction that the environment does not have there is no row.
 * @param from the first line
 */
export function postingsFrom(environmentId: string, id: string, from: number, limit: number): Statement {
  return {
    name: 'postings_from',
    text: `select ${POSTING_COLUMNS}
      from transactions t
      left join lateral (
        select * from postings
        where environment_id = $1::uuid and transaction_id = t.id and line >= $3::integer
        order by line
        limit $4::integer
      ) p on true
      where t.environment_id = $1::uuid and t.id = $2::uuid
      order by p.line`,
    values: [environmentId, id, from, limit],
  };
}

function memberBy(parameter: string): string {
  return `select id from members where environment_id = $1::uuid and external_customer_id = ${parameter}`;
}

/**
 * SQL: the transactions with a reference, the fewest rows that a criterion selects. A purchase is found by its order,
 * and the others by their index, which has no purchases. `offset 0` keeps a generic plan from using a window's index
 * instead.
 */
function ofReference(conditions: string, parameter: string): string {
  return `(
          select * from transactions where ${conditions} and event_type <> 'purchase.completed'
          union all
          select * from transactions where ${conditions} and event_type = 'purchase.completed' and id = (
            select transaction_id from orders where environment_id = $1::uuid and source_reference = ${parameter}
          )
          offset 0
        ) found`;
}

function programExists(parameter: string): string {
  return `exists (select from programs where environment_id = $1::uuid and id = ${parameter})`;
}
