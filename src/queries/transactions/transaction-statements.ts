import { arrayLiteral } from '../../db/array-literal.ts';
import type { Statement } from '../../db/statement.ts';
import { postings } from '../../ledger/tables/postings.ts';

/** Which transactions are listed: those that satisfy all that is not null. */
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

/** A row of the list: what it is ordered by. */
export interface RowPosition {
  /** Created at, as Postgres writes it, to the microsecond. */
  at: string;
  /** UUID. */
  id: string;
}

const COLUMNS = `t.id, t.program_id, m.external_customer_id, t.event_type, t.source_reference, t.state, t.points,
    t.occurred_at, t.created_at, t.created_at::text as created_at_text, t.reversal_of, t.reversed_by`;

/** Longest receipt that comes with its row: those of 200 rows are 1 MiB at most. */
const LIGHT_RECEIPT_BYTES = 5_242;

const NO_RECEIPT = 'null::json as receipt, 0 as receipt_bytes';
const RECEIPT = `case when t.event_type = 'purchase.completed' then t.receipt end as receipt, 0 as receipt_bytes`;
const LIGHT_RECEIPT = `case when t.event_type = 'purchase.completed'
      and octet_length(t.receipt::text) <= ${LIGHT_RECEIPT_BYTES} then t.receipt end as receipt,
    case when t.event_type = 'purchase.completed' then octet_length(t.receipt::text) else 0 end as receipt_bytes`;

const POSTING_COLUMNS = postings.select('p');

/** One transaction with its member's own id. @param receipts whether to read what a purchase was answered with */
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
 * A page of transactions, newest first, and one more where there is one. Each combination of criteria is a statement of
 * its own, so that the planner sees which index leads straight to the page:
 * `transactions_by_reference`, `_by_member`, `_reversed`, `_by_event_type`, `_by_program` or `_by_time`.
 * @param after the last row of the page before
 * @param receipts whether to read what purchases were answered with. Of a heavy one only its size is read: which of
 *   those fit into the page is not known yet (`receiptsOf`)
 */
export function listTransactions(
  environmentId: string,
  criteria: TransactionCriteria,
  after: RowPosition | null,
  limit: number,
  receipts = true,
): Statement {
  const values: unknown[] = [environmentId, limit + 1];
  // The second one is what index transactions_by_time asks for.
  const conditions = ['environment_id = $1::uuid', "created_at > '-infinity'"];
  // A letter for each condition: Postgres tells names apart by their first 63 characters.
  let shape = '';
  const add = (letter: string, condition: (parameter: string) => string, ...given: unknown[]): void => {
    shape += letter;
    values.push(...given);
    conditions.push(condition(`$${values.length}`));
  };
  const { sourceReference, programId, externalCustomerId, eventType, state, from, to } = criteria;
  let source = 'transactions';
  if (sourceReference !== null) {
    // Nothing else is as narrow, whatever a plan for any values makes of a window beside it.
    add('r', (n) => `source_reference = ${n}`, sourceReference);
    source = `(select * from transactions where ${conditions.join(' and ')} offset 0) found`;
  }
  if (externalCustomerId !== null) {
    add('m', (n) => `member_id = (${memberBy(n)})`, externalCustomerId);
  }
  // Looked up first: what no program has is not sought in all of them.
  if (programId !== null) add('p', (n) => `program_id = ${n} and ${programExists(n)}`, programId);
  // A literal proves the predicate of a partial index, a parameter does not: a member's own are the fewer.
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
    name: `list_${receipts ? '' : 'bare_'}transactions_${shape}`,
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

/** What transactions were answered with, by their ids. */
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

/**
 * The first postings of transactions, in the order of the ids and of their lines.
 * @param ofEach most postings of one transaction
 * @param inAll most postings of all of them
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
 * Postings of one transaction, in the order of their lines. A transaction without any has a row without a line; one
 * that the environment does not have has none.
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

function programExists(parameter: string): string {
  return `exists (select from programs where environment_id = $1::uuid and id = ${parameter})`;
}
