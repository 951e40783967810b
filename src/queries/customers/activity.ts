import { createHash } from 'node:crypto';
import type { CustomerActivity, TransactionType } from '../../contract/generated/types.ts';
import type { Statement } from '../../db/statement.ts';
import { toTypeId } from '../../ids.ts';
import type { EventType } from '../../ledger/tables/transactions.ts';
import { isRefusal, type Refusal } from '../../refusal.ts';
import type { Position } from '../shared/cursors.ts';
import type { ListAccess, Listed, PageRequest } from '../shared/listed.ts';

/** Whose activity, and of which program; null for all programs. */
export interface ActivityFilter {
  externalCustomerId: string;
  programId: string | null;
}

/** A transaction with what it did to the available points. */
export interface ActivityRow {
  id: string;
  program_id: string;
  event_type: EventType;
  created_at: Date;
  /** The time of creation, to the microsecond. */
  created_at_text: string;
  points: number;
}

/** What happened, to a customer. */
const WORDS: Readonly<Record<EventType, readonly [TransactionType, string]>> = {
  'purchase.completed': ['purchase', 'Points for a purchase'],
  'order.returned': ['return', 'Points taken back for a return'],
  'challenge.awarded': ['challenge', 'Points for a challenge'],
  'referral.awarded': ['referral', 'Points for a referral'],
  'points.activated': ['points', 'Pending points became available'],
  'points.expired': ['points', 'Points expired'],
  'redemption.reserved': ['redemption', 'Points held for a reward'],
  'redemption.committed': ['redemption', 'Points spent on a reward'],
  'redemption.released': ['redemption', 'Held points given back'],
  'redemption.expired': ['redemption', 'Held points given back'],
  'redemption.reversed': ['redemption', 'Points of a reward given back'],
  'adjustment.posted': ['adjustment', 'Correction'],
  'adjustment.reversed': ['adjustment', 'Correction taken back'],
  'exchange.settled': ['exchange', 'Points exchanged with a partner'],
  'exchange.reversed': ['exchange', 'Exchange of points taken back'],
  'member.merged': ['points', 'Points of another account of yours'],
  'member.unmerged': ['points', 'Points of two accounts that were parted'],
};

/**
 * Lists what changed a customer's available points, newest first. Transactions that leave them as they are, such as a
 * purchase whose points are pending yet, are left out, so a page may have fewer than `limit` although more follows.
 * @returns refusal: `invalid_cursor`
 */
export async function listOfActivity(
  { connections, cursors, environmentId }: ListAccess,
  filter: ActivityFilter,
  { limit, cursor }: PageRequest,
): Promise<Listed<CustomerActivity> | Refusal> {
  const identity = { environmentId, list: 'customerActivity', filter };
  const after = await cursors.read(identity, cursor);
  if (after && isRefusal(after)) return after;
  const { rows } = await connections.query<ActivityRow>(listActivity(environmentId, filter, after, limit));
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const hasMore = rows.length > limit;
  return {
    data: shown.filter(({ points }) => points !== 0).map(entryOf),
    page: {
      nextCursor: last && hasMore ? await cursors.write(identity, [last.created_at_text, last.id]) : null,
      hasMore,
    },
  };
}

/**
 * Reads a page of a member's transactions with what each did to the available points, and one more where there is one.
 */
export function listActivity(
  environmentId: string,
  { externalCustomerId, programId }: ActivityFilter,
  after: Position | null,
  limit: number,
): Statement {
  const values: unknown[] = [environmentId, externalCustomerId, limit + 1];
  let conditions = '';
  if (programId !== null) conditions += ` and program_id = $${values.push(programId)}`;
  if (after) {
    conditions += ` and (created_at, id) < ($${values.push(after[0])}::timestamptz, $${values.push(after[1])}::uuid)`;
  }
  return {
    name: `list_activity${programId === null ? '' : '_of_program'}${after ? '_after' : ''}`,
    text: activityOf({
      member: `(
            select coalesce(merged_into, id) from members
            where environment_id = $1::uuid and external_customer_id = $2
          )${conditions}`,
      limit: '$3::integer',
    }),
    values,
  };
}

/**
 * A statement that reads a member's newest transactions as rows of `ActivityRow`. Its first parameter is the
 * environment.
 * @param member SQL that gives the UUID of the member; further conditions may follow it
 * @param limit SQL of the most rows
 */
export function activityOf({ member, limit }: { member: string; limit: string }): string {
  return `select t.id, t.program_id, t.event_type, t.created_at, t.created_at::text as created_at_text,
        p.points::bigint
      from (
        select id, program_id, event_type, created_at from transactions
        where environment_id = $1::uuid
          and member_id = ${member}
        order by created_at desc, id desc
        limit ${limit}
      ) t
      cross join lateral (
        select coalesce(sum(case
            when credit_account = 'member.available' then amount
            when debit_account = 'member.available' then -amount
          end), 0) as points
        from postings
        where environment_id = $1::uuid and transaction_id = t.id
      ) p
      order by t.created_at desc, t.id desc`;
}

/** What a transaction did, as every surface for customers shows it. */
export type ActivityChange = Pick<CustomerActivity, 'type' | 'points' | 'postedAt'>;

/** What a customer is shown of a transaction that changed its available points; the others are left out. */
export function changeOf({
  event_type,
  points,
  created_at,
}: Pick<ActivityRow, 'event_type' | 'points' | 'created_at'>): ActivityChange {
  return { type: WORDS[event_type][0], points, postedAt: created_at.toISOString() };
}

function entryOf(row: ActivityRow): CustomerActivity {
  const { id, program_id: programId, event_type } = row;
  return { id: activityId(id), ...changeOf(row), programId, description: WORDS[event_type][1] };
}

/** An id that is always the same for a transaction, and does not tell the transaction's. */
function activityId(transactionId: string): string {
  const hex = createHash('sha256').update(transactionId).digest('hex');
  const uuid = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  return toTypeId('act', uuid);
}
