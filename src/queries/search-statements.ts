import { arrayLiteral } from '../db/array-literal.ts';
import { type Statement, UNPREPARED } from '../db/statement.ts';
import type { IdPrefix } from '../ids.ts';

/** What was found, as the database has it. */
export interface FoundRow {
  /** UUID; of a code the program's id. */
  id: string;
  label: string;
  /** The member that it belongs to by now: another one where that was merged. UUID. */
  member_id: string | null;
  external_customer_id: string | null;
}

/** The present member of the rows `found`, which have a `member_id`. */
const PRESENT_MEMBER = `left join lateral (
        select coalesce(merged_into, id) as id from members
        where environment_id = $1::uuid and id = found.member_id
        limit 1
      ) present on true
      left join lateral (
        select id, external_customer_id from members where environment_id = $1::uuid and id = present.id limit 1
      ) m on true`;

const found = (
  rows: string,
): string => `select found.id, found.label, m.id as member_id, m.external_customer_id
      from (${rows}) found
      ${PRESENT_MEMBER}
      order by found.label`;

/** Each reads, in the order of an index, at most `$4` rows from a text on and before another one. */
const BEGINNING_WITH = {
  member: found(`select id, external_customer_id as label, id as member_id from members
        where environment_id = $1::uuid and external_customer_id >= $2 and external_customer_id < $3
        order by external_customer_id
        limit $4::integer`),
  order: found(`select transaction_id as id, source_reference as label, member_id from orders
        where environment_id = $1::uuid and source_reference >= $2 and source_reference < $3
        order by source_reference
        limit $4::integer`),
} as const;

/** What is found by the beginning of what a merchant calls it. */
export type Named = keyof typeof BEGINNING_WITH;

/** Finds what is called by a text, or by one that begins with it: the text itself comes first. */
export function findNamed(
  environmentId: string,
  named: Named,
  { from, before, limit }: { from: string; before: string; limit: number },
): Statement {
  return { name: UNPREPARED, text: BEGINNING_WITH[named], values: [environmentId, from, before, limit] };
}

const byId = (table: string, label: string, { member = 'member_id', and = '' } = {}): string =>
  found(`select id, ${label} as label, ${member} as member_id from ${table}
        where environment_id = $1::uuid and id = $2::uuid${and}`);

const OF_NOBODY = 'null::uuid';

/** What is found by its id, by the prefix of the id. */
const BY_ID = {
  mem: byId('members', 'external_customer_id', { member: 'id' }),
  txn: byId('transactions', 'event_type'),
  rsv: byId('redemption_reservations', 'reward_id'),
  adj: byId('adjustments', "direction || ' ' || points"),
  mrg: byId('member_merges', 'state', { member: 'target_member_id' }),
  op: byId('operations', 'type', { member: OF_NOBODY }),
  we: byId('webhook_endpoints', 'url', { member: OF_NOBODY, and: ' and deleted_at is null' }),
  msg: byId('webhook_deliveries', 'event_type', { member: OF_NOBODY }),
} as const satisfies Partial<Record<IdPrefix, string>>;

/** The prefixes of the ids that are found. */
export type FoundPrefix = keyof typeof BY_ID;

/** Finds a record by its id. @param id UUID */
export function findById(environmentId: string, prefix: FoundPrefix, id: string): Statement {
  return { name: UNPREPARED, text: BY_ID[prefix], values: [environmentId, id] };
}

/** Finds who has a referral code. @param code in its canonical spelling */
export function findReferralCode(
  environmentId: string,
  programIds: readonly string[],
  code: string,
): Statement {
  return {
    name: UNPREPARED,
    text: `select wanted.program_id as id, p.referral_code as label, m.id as member_id, m.external_customer_id
      from unnest($2::text[]) as wanted(program_id)
      cross join lateral (
        select member_id, referral_code from program_profiles
        where environment_id = $1::uuid and program_id = wanted.program_id and referral_code = $3
        limit 1
      ) p
      cross join lateral (
        select id, external_customer_id from members where environment_id = $1::uuid and id = p.member_id limit 1
      ) m
      order by wanted.program_id`,
    values: [environmentId, arrayLiteral(programIds), code],
  };
}
