import type { Statement } from '../db/statement.ts';
import { receiptSql, templateSql } from '../ledger/receipts/stored-receipt.ts';
import type { ErasedTable } from './erased-tables.ts';
import type { ErasedMember } from './forgotten.ts';

/** Rows of a table that one statement looks through. */
export const PAGE = 5_000;
/** Transactions of the member that are changed together. */
export const TRANSACTIONS = 200;

export const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Which of the next rows of a table are the member's, and the last of those next rows where more may follow.
 * @param after UUID
 */
export function pageOf(
  { name, owner }: Pick<ErasedTable, 'name' | 'owner'>,
  { environmentId, memberId }: ErasedMember,
  after: string,
): Statement {
  return {
    name: `erasure_page_of_${name}`,
    text: `select * from (
        select ${name}.id, ${owner.memberId} is not distinct from $3::uuid as is_own, ${name}.line = ${PAGE} as is_last
        from (
          select *, row_number() over (order by id) as line
          from (select * from ${name} where environment_id = $1::uuid and id > $2::uuid order by id limit ${PAGE}) next
        ) ${name}
        ${owner.join}
      ) looked_through
      where is_own or is_last
      order by id`,
    values: [environmentId, after, memberId],
  };
}

/**
 * Reads the columns that change, with what is needed for that, and locks the rows: commands that change them wait.
 * @param ids UUIDs
 */
export function lockRows(
  { name, columns, needs = [] }: ErasedTable,
  environmentId: string,
  ids: readonly string[],
): Statement {
  return {
    name: `erasure_lock_${name}`,
    text: `select ${['id', ...Object.keys(columns), ...needs].join(', ')} from ${name}
      where environment_id = $1::uuid and id = any($2::uuid[])
      order by id
      for no key update`,
    values: [environmentId, ids],
  };
}

/** Writes the changed columns of rows of a table. @param rows with `id` and all columns of the table's list */
export function updateRows(
  { name, columns }: ErasedTable,
  environmentId: string,
  rows: readonly object[],
): Statement {
  const types = Object.entries(columns);
  return {
    name: `erase_in_${name}`,
    text: `update ${name} t set ${types.map(([column]) => `${column} = changed.${column}`).join(', ')}
      from json_to_recordset($2::json) as changed(id uuid, ${types.map((each) => each.join(' ')).join(', ')})
      where t.environment_id = $1::uuid and t.id = changed.id`,
    values: [environmentId, JSON.stringify(rows)],
  };
}

/** A transaction of the member. */
export interface TransactionRow {
  id: string;
  /** As Postgres writes it. */
  at: string;
  program_id: string;
  event_type: string;
  source_reference: string | null;
  receipt: Record<string, unknown>;
}

/** The member's next transactions. @param after the time, as Postgres writes it, and the id of the last one */
export function nextTransactions(
  { environmentId, memberId }: ErasedMember,
  after: Pick<TransactionRow, 'at' | 'id'>,
): Statement {
  return {
    name: 'erasure_transactions',
    text: `select t.id, t.created_at::text as at, t.program_id, t.event_type, t.source_reference, ${receiptSql('t')} as receipt
      from (
        select * from transactions
        where environment_id = $1::uuid and member_id = $2::uuid and (created_at, id) > ($3::timestamptz, $4::uuid)
        order by created_at, id
        limit ${TRANSACTIONS}
      ) t
      ${templateSql('t')}
      order by t.created_at, t.id`,
    values: [environmentId, memberId, after.at, after.id],
  };
}

/**
 * Events whose transactions have the reference of an order, which may be another member's. Statements that look for
 * them by the reference say that they are no purchases, as the index does.
 */
export const OF_AN_ORDER: readonly string[] = ['referral.awarded', 'order.returned'];

/** Transactions of other members about orders of these references: referrals, and what was taken back of them. */
export function transactionsBeside(
  { environmentId, memberId }: ErasedMember,
  sourceReferences: readonly string[],
): Statement {
  return {
    name: 'erasure_transactions_beside',
    text: `select id, created_at::text as at, program_id, event_type, source_reference, receipt
      from transactions
      where environment_id = $1::uuid and source_reference = any($2::text[]) and member_id <> $3::uuid
        and event_type = any($4::text[]) and event_type <> 'purchase.completed'`,
    values: [environmentId, sourceReferences, memberId, OF_AN_ORDER],
  };
}

/**
 * The merges in which the member's account was the source, and that were undone: events of the other member name this
 * one.
 */
export function undoneMerges({ environmentId, memberId }: ErasedMember): Statement {
  return {
    name: 'erasure_undone_merges',
    text: `select id from member_merges
      where environment_id = $1::uuid and source_member_id = $2::uuid and unmerged_at is not null`,
    values: [environmentId, memberId],
  };
}

/** Transactions in which other members got points, or lost them, for purchases of this one. */
export function rewardsOfOthers({ environmentId, memberId }: ErasedMember): Statement {
  return {
    name: 'erasure_rewards_of_others',
    text: `select t.id
      from transactions p
      join transactions t on t.environment_id = $1::uuid and t.source_reference = p.source_reference
      where p.environment_id = $1::uuid and p.member_id = $2::uuid and p.event_type = 'purchase.completed'
        and t.member_id <> $2::uuid and t.event_type = any($3::text[]) and t.event_type <> 'purchase.completed'`,
    values: [environmentId, memberId, OF_AN_ORDER],
  };
}

/** An event about one of the transactions or merges that were asked for, or the last one of a page. */
export interface EventRow {
  id: string;
  data: object;
  is_found: boolean;
  is_last: boolean;
}

/**
 * The events about transactions and merges among the next events, and the last of those next ones where more may
 * follow.
 * @param about ids as events have them
 */
export function pageOfEvents(
  { environmentId }: ErasedMember,
  after: string,
  about: readonly string[],
): Statement {
  return {
    name: 'erasure_page_of_events_beside',
    text: `select * from (
        select id, data, coalesce(coalesce(data ->> 'transactionId', data ->> 'mergeId') = any($3::text[]), false) as is_found,
          row_number() over (order by id) = ${PAGE} as is_last
        from (select * from events where environment_id = $1::uuid and id > $2::uuid order by id limit ${PAGE}) next
      ) looked_through
      where is_found or is_last
      order by id`,
    values: [environmentId, after, about],
  };
}

export function updateReceipts(
  environmentId: string,
  rows: readonly { id: string; receipt: object }[],
): Statement {
  return {
    name: 'erase_in_transactions',
    text: `update transactions t set receipt = changed.receipt
      from json_to_recordset($2::json) as changed(id uuid, receipt json)
      where t.environment_id = $1::uuid and t.id = changed.id`,
    values: [environmentId, JSON.stringify(rows)],
  };
}

/** An order of the member, or a return of one. */
export interface OrderRow {
  source_reference: string;
  lines: unknown;
  returned_lines: Record<string, unknown> | null;
  /** References of its returns. */
  returns: string[];
}

/** Reads orders and locks them: a return that changes one waits. */
export function ordersOf(environmentId: string, sourceReferences: readonly string[]): Statement {
  return {
    name: 'erasure_orders',
    text: `select o.source_reference, o.lines, o.returned_lines,
        array(select r.return_reference from returns r
          where r.environment_id = $1::uuid and r.source_reference = o.source_reference) as returns
      from orders o
      where o.environment_id = $1::uuid and o.source_reference = any($2::text[])
      order by o.source_reference
      for update of o`,
    values: [environmentId, sourceReferences],
  };
}

/** Which of these orders are the member's. */
export function ownOrders(
  { environmentId, memberId }: ErasedMember,
  sourceReferences: readonly string[],
): Statement {
  return {
    name: 'erasure_own_orders',
    text: `select source_reference from orders
      where environment_id = $1::uuid and source_reference = any($2::text[]) and member_id = $3::uuid`,
    values: [environmentId, sourceReferences, memberId],
  };
}

export function updateOrderLines(
  environmentId: string,
  rows: readonly Pick<OrderRow, 'source_reference' | 'lines' | 'returned_lines'>[],
): Statement {
  return {
    name: 'erase_in_orders',
    text: `update orders o set lines = changed.lines, returned_lines = changed.returned_lines
      from json_to_recordset($2::json) as changed(source_reference text, lines json, returned_lines json)
      where o.environment_id = $1::uuid and o.source_reference = changed.source_reference`,
    values: [environmentId, JSON.stringify(rows)],
  };
}

/** What a reference was, and what it becomes. */
export interface Renamed {
  old: string;
  new: string;
}

/** Renames orders together with their returns, which refer to them. */
export function renameOrders(environmentId: string, renamed: readonly Renamed[]): Statement {
  return {
    name: 'erasure_rename_orders',
    text: `with renamed as (
        select * from json_to_recordset($2::json) as renamed(old text, new text)
      ), orders_renamed as (
        update orders o set source_reference = renamed.new from renamed
        where o.environment_id = $1::uuid and o.source_reference = renamed.old
      )
      update returns r set source_reference = renamed.new from renamed
      where r.environment_id = $1::uuid and r.source_reference = renamed.old`,
    values: [environmentId, JSON.stringify(renamed)],
  };
}

export function renameReturns(environmentId: string, renamed: readonly Renamed[]): Statement {
  return {
    name: 'erasure_rename_returns',
    text: `update returns r set return_reference = renamed.new
      from json_to_recordset($2::json) as renamed(old text, new text)
      where r.environment_id = $1::uuid and r.return_reference = renamed.old`,
    values: [environmentId, JSON.stringify(renamed)],
  };
}

/**
 * Renames settlements with partners and reversals of them. The other one of a pair is changed in the same statement,
 * even where it keeps its own name: foreign keys between the two are checked when the statement ends.
 */
export function renameSettlements(environmentId: string, renamed: readonly Renamed[]): Statement {
  return {
    name: 'erasure_rename_settlements',
    text: `with renamed as (
        select * from json_to_recordset($2::json) as renamed(old text, new text)
      ), pairs as (
        select s.settlement_reference as one, coalesce(s.reverses, s.reversed_by) as other
        from renamed
        join exchange_settlements s on s.environment_id = $1::uuid and s.settlement_reference = renamed.old
      )
      update exchange_settlements s set
        settlement_reference = coalesce(
          (select new from renamed where old = s.settlement_reference), s.settlement_reference),
        reverses = coalesce((select new from renamed where old = s.reverses), s.reverses),
        reversed_by = coalesce((select new from renamed where old = s.reversed_by), s.reversed_by)
      where s.environment_id = $1::uuid
        and s.settlement_reference in (select one from pairs union select other from pairs)`,
    values: [environmentId, JSON.stringify(renamed)],
  };
}

/**
 * Renames the references of transactions of the member, and of transactions of whomever about its purchases, which have
 * the reference of the purchase.
 * @param ids of transactions of the member, UUIDs
 * @param purchases references of the member's purchases
 */
export function renameTransactions(
  environmentId: string,
  renamed: readonly Renamed[],
  ids: readonly string[],
  purchases: readonly string[],
): Statement {
  return {
    name: 'erasure_rename_transactions',
    text: `update transactions t set source_reference = renamed.new
      from json_to_recordset($2::json) as renamed(old text, new text)
      where t.environment_id = $1::uuid and t.source_reference = renamed.old and t.id = any(array(
        select unnest($3::uuid[])
        union all
        select id from transactions
        where environment_id = $1::uuid and source_reference = any($4::text[]) and event_type = any($5::text[])
          and event_type <> 'purchase.completed'
      ))`,
    values: [environmentId, JSON.stringify(renamed), ids, purchases, OF_AN_ORDER],
  };
}

/** What receivers answered to deliveries about the member: they may have repeated what they got. */
export function forgetResponses(environmentId: string, deliveryIds: readonly string[]): Statement {
  return {
    name: 'erase_in_webhook_attempts',
    text: `update webhook_attempts set response_excerpt = null
      where environment_id = $1::uuid and delivery_id = any($2::uuid[]) and response_excerpt is not null`,
    values: [environmentId, deliveryIds],
  };
}

export function forgetReferralCodes({ environmentId, memberId }: ErasedMember): Statement {
  return {
    name: 'erase_in_program_profiles',
    text: `update program_profiles set referral_code = null
      where environment_id = $1::uuid and member_id = $2::uuid and referral_code is not null`,
    values: [environmentId, memberId],
  };
}

/** An account of a person that is to be erased. */
export interface AccountToErase {
  /** UUID. */
  id: string;
  /** The name that it has, or had before an erasure of it that was interrupted. */
  name: string;
  /** Whether it is the member, and no account that was merged into it. */
  is_member: boolean;
  /** Whether it is erased already, as a whole. */
  is_erased: boolean;
}

/**
 * The accounts of a person that has or had an account of this name which is not erased as a whole; the member first. An
 * interrupted erasure of the name comes before a member that has the name now: that may be somebody else.
 */
export function accountsToErase(environmentId: string, externalCustomerId: string): Statement {
  return {
    name: 'accounts_to_erase',
    text: `with begun as (
        select input ->> 'becomes' as present, input ->> 'externalCustomerId' as name
        from operations
        where environment_id = $1::uuid and type = 'erasure' and input ->> 'externalCustomerId' is not null
      ), person as (
        select id
        from (
          select coalesce(m.merged_into, m.id) as id, 1 as place
          from begun
          join members m on m.environment_id = $1::uuid and m.external_customer_id = begun.present
          where begun.name = $2::text
          union all
          select coalesce(merged_into, id), 2 from members
          where environment_id = $1::uuid and external_customer_id = $2::text and status <> 'erased'
        ) found
        order by place
        limit 1
      )
      select distinct account.id, coalesce(begun.name, account.external_customer_id) as name,
        account.merged_into is null as is_member, account.status = 'erased' and begun.name is null as is_erased
      from person
      join members account on account.environment_id = $1::uuid and person.id in (account.id, account.merged_into)
      left join begun on begun.present = account.external_customer_id
      order by is_member desc, account.id`,
    values: [environmentId, externalCustomerId],
  };
}
