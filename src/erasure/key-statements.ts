import type { Mutation } from '../contract/generated/types.ts';
import type { Statement } from '../db/statement.ts';
import { toTypeId } from '../ids.ts';
import { PAGE, type Renamed } from './erasure-statements.ts';
import type { ErasedMember } from './forgotten.ts';

/** Their receipts have references, and no member. */
export const EXCHANGES: readonly string[] = ['settleExchange', 'reverseExchange'];

/** Their receipts name both accounts by their ids, and have sentences that were typed about both. */
const MERGES: readonly string[] = [
  'requestMemberMerge',
  'approveMemberMerge',
  'rejectMemberMerge',
  'requestMemberUnmerge',
  'approveMemberUnmerge',
  'rejectMemberUnmerge',
] satisfies (keyof Mutation)[];

/** A key that may be of a command about the member. */
export interface KeyRow {
  operation: string;
  key: string;
  receipt: Record<string, unknown> | null;
  /**
   * Whether the receipt has the member's id as that of its member, and is from before the erasure; or is of a merge of
   * it.
   */
  names_member: boolean;
  /** Whether a transaction of the member holds the receipt, or a consent record of the member is of the same time. */
  of_member: boolean;
  is_last: boolean;
}

/** The times at which the member's consent was recorded: the receipt of an unenrollment names no member. */
export function consentTimes({ environmentId, memberId }: ErasedMember): Statement {
  return {
    name: 'erasure_consent_times',
    text: `select at from consent_records where environment_id = $1::uuid and member_id = $2::uuid`,
    values: [environmentId, memberId],
  };
}

/**
 * SQL: when the member got its new id. No command overlaps that moment, so that a key is older where it is this
 * member's, and younger where it is of somebody who has registered with the old id since. It says that the event is
 * about no transaction, as the index does: every page of keys asks for it, and the trail has more rows than any page.
 * @param member the parameter with the id as audit events have it
 */
const erasedAt = (member: string): string => `(
          select min(at) from audit_events
          where environment_id = $1::uuid and target_id = ${member}::text and action = 'member.erased'
            and target_type <> 'transaction'
        )`;

/**
 * The keys among the next ones that may be the member's, and the last of those next ones where more may follow.
 * @param after operation and key
 * @param consentedAt as `consentTimes` finds them
 */
export function pageOfKeys(
  { environmentId, memberId, externalCustomerId }: ErasedMember,
  after: Pick<KeyRow, 'operation' | 'key'>,
  consentedAt: readonly Date[],
): Statement {
  return {
    name: 'erasure_page_of_keys',
    text: `select * from (
        select page.operation, page.key, page.receipt,
          (strpos(page.receipt::text, $6::text) > 0 and page.created_at < ${erasedAt('$10')})
            or (page.operation = any($11::text[]) and strpos(page.receipt::text, $10::text) > 0) as names_member,
          t.id is not null or (page.operation in ('unenrollMember', 'unenrollCustomer') and page.created_at = any($7::timestamptz[]))
            as of_member,
          strpos(page.key, $5::text) > 0
            or (page.operation = any($8::text[]) and strpos(page.receipt::text, $9::text) > 0) as is_spelt_so,
          page.line = ${PAGE} as is_last
        from (
          select *, row_number() over (order by operation, key) as line
          from (
            select * from idempotency_keys
            where environment_id = $1::uuid and (operation, key) > ($2::text, $3::text)
            order by operation, key
            limit ${PAGE}
          ) next
        ) page
        left join transactions t on t.environment_id = $1::uuid and t.id = page.transaction_id
          and t.member_id = $4::uuid and strpos(page.key, $5::text) > 0
      ) looked_through
      where names_member or is_spelt_so or is_last
      order by operation, key`,
    values: [
      environmentId,
      after.operation,
      after.key,
      memberId,
      externalCustomerId,
      `"externalCustomerId":${JSON.stringify(externalCustomerId)}`,
      consentedAt,
      EXCHANGES,
      JSON.stringify(externalCustomerId).slice(1, -1),
      toTypeId('mem', memberId),
      MERGES,
    ],
  };
}

/** Which of these custom events, claims of choices and transactions are the member's. @param ids UUIDs */
export function ownOf({ environmentId, memberId }: ErasedMember, ids: readonly string[]): Statement {
  return {
    name: 'erasure_own_of',
    text: `select id from custom_events
        where environment_id = $1::uuid and id = any($2::uuid[]) and member_id = $3::uuid
      union all
      select id from choice_claims
        where environment_id = $1::uuid and id = any($2::uuid[]) and member_id = $3::uuid
      union all
      select id from transactions
        where environment_id = $1::uuid and id = any($2::uuid[]) and member_id = $3::uuid`,
    values: [environmentId, ids, memberId],
  };
}

/** A key with what it becomes. */
export interface ChangedKey {
  operation: string;
  key: string;
  new_key: string;
  receipt: object | null;
}

export function updateKeys(environmentId: string, rows: readonly ChangedKey[]): Statement {
  return {
    name: 'erase_in_idempotency_keys',
    text: `update idempotency_keys k set key = changed.new_key, receipt = changed.receipt
      from json_to_recordset($2::json) as changed(operation text, key text, new_key text, receipt json)
      where k.environment_id = $1::uuid and k.operation = changed.operation and k.key = changed.key`,
    values: [environmentId, JSON.stringify(rows)],
  };
}

/** Renames a key that was made from the member's id. */
export function renameKey(
  { environmentId, memberId }: ErasedMember,
  operation: string,
  { old, new: key }: Renamed,
): Statement {
  return {
    name: 'erasure_rename_key',
    text: `update idempotency_keys set key = $4::text
      where environment_id = $1::uuid and operation = $2::text and key = $3::text
        and created_at < ${erasedAt('$5')}`,
    values: [environmentId, operation, old, key, toTypeId('mem', memberId)],
  };
}
