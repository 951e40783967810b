import type { Statement } from '../ledger/table.ts';
import type { Position } from './cursors.ts';

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
 * `transactions_by_reference`, `_by_member`, `_reversed`, `_by_event_type`, or `_by_time`.
 * @param after the last row of the page before
 */
export function listTransactions(
  environmentId: string,
  criteria: TransactionCriteria,
  after: Position | null,
  limit: number,
): Statement {
  const values: unknown[] = [environmentId, limit + 1];
  const conditions = ['environment_id = $1::uuid'];
  const shape: string[] = [];
  const add = (name: string, condition: (parameter: string) => string, ...given: unknown[]): void => {
    shape.push(name);
    values.push(...given);
    conditions.push(condition(`$${values.length}`));
  };
  const { sourceReference, programId, externalCustomerId, eventType, state, from, to } = criteria;
  if (sourceReference !== null) add('reference', (n) => `source_reference = ${n}`, sourceReference);
  if (externalCustomerId !== null) {
    add('member', (n) => `member_id = (${memberBy(n)})`, externalCustomerId);
  }
  // Looked up first: what no program has is not sought in all of them.
  if (programId !== null) add('program', (n) => `program_id = ${n} and ${programExists(n)}`, programId);
  if (eventType === 'purchase.completed') add('purchases', () => `event_type = 'purchase.completed'`);
  else if (eventType !== null) {
    // Said of the partial index, whose predicate no parameter could prove.
    add('event', (n) => `event_type = ${n} and event_type <> 'purchase.completed'`, eventType);
  }
  if (state !== null) add(state, () => `state = '${state}'`);
  if (from) add('from', (n) => `created_at >= ${n}::timestamptz`, from.toISOString());
  if (to) add('to', (n) => `created_at < ${n}::timestamptz`, to.toISOString());
  if (after) {
    const [at, id] = [values.length + 1, values.length + 2];
    add('after', () => `(created_at, id) < ($${at}::timestamptz, $${id}::uuid)`, after.at, after.id);
  }
  return {
    name: ['list_transactions', ...shape].join('_'),
    text: `select ${COLUMNS}
      from (
        select * from transactions
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
