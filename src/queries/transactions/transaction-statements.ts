import type { Statement } from '../../db/statement.ts';
import type { Position } from '../shared/cursors.ts';

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

const COLUMNS = `t.id, t.program_id, m.external_customer_id, t.event_type, t.source_reference, t.state, t.points,
    t.occurred_at, t.created_at, t.created_at::text as created_at_text, t.reversal_of, t.reversed_by,
    case when t.event_type = 'purchase.completed' then t.receipt end as receipt`;

/** One transaction with its member's own id. */
export function findTransaction(environmentId: string, id: string): Statement {
  return {
    name: 'find_transaction',
    text: `select ${COLUMNS}
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
 */
export function listTransactions(
  environmentId: string,
  criteria: TransactionCriteria,
  after: Position | null,
  limit: number,
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
    name: `list_transactions_${shape}`,
    text: `select ${COLUMNS}
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

function memberBy(parameter: string): string {
  return `select id from members where environment_id = $1::uuid and external_customer_id = ${parameter}`;
}

function programExists(parameter: string): string {
  return `exists (select from programs where environment_id = $1::uuid and id = ${parameter})`;
}
