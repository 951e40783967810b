import { arrayLiteral } from '../db/array-literal.ts';
import { lookUp } from './look-up.ts';
import type { Statement } from './table.ts';

// Rows are found through `lateral (… limit 1)`: each look-up is planned by itself and so goes through the whole key,
// also on tables that have no statistics yet, where a join can come to walk the environment for every row wanted.
// test/ledger/plans-without-statistics.test.ts looks at every plan.

/** A profile as a command names it before the member's id is known. */
export interface ProfileName {
  programId: string;
  externalCustomerId: string;
}

/**
 * Says that a batch of the environment is under way, before its lock is looked at: `env lock` waits for those that
 * are, so that nothing is committed any more once it has answered.
 */
export function enterEnvironment(environmentId: string): Statement {
  return {
    name: 'enter_environment',
    text: 'select pg_advisory_xact_lock_shared(hashtextextended($1, 0))',
    values: [environmentId],
  };
}

/** Members by the ids that the merchant chose. */
export const loadMembers = lookUp({
  name: 'load_members',
  table: 'members',
  column: 'external_customer_id',
  type: 'text',
  columns: `id, external_customer_id, display_name, status, identity_status, consent_status, notice_version,
          consent_at, created_at, tags, lists`,
});

/**
 * Locks profiles in the order of their keys: those that are named, and every one of the members named with a null
 * program.
 */
export function lockProfiles(
  environmentId: string,
  names: readonly { programId: string | null; externalCustomerId: string }[],
): Statement {
  return {
    name: 'lock_profiles',
    text: `select p.member_id, p.program_id, p.enrolled, p.tier, p.qualification_points, p.qualification_since,
        p.qualification_days, p.requalify_at, p.available, p.pending, p.reserved, p.enrolled_at,
        p.unenrolled_at, p.next_due_at, p.last_activity_at, p.purchase_count, p.purchase_amount_minor,
        p.first_purchase_at, p.last_purchase_at, p.referral_code, p.referred_by, p.referral_count
      from (
        select distinct m.id as member_id, named.program_id
        from unnest($2::text[], $3::text[]) as wanted(program_id, external_customer_id)
        cross join lateral (
          select id from members
          where environment_id = $1::uuid and external_customer_id = wanted.external_customer_id
          limit 1
        ) m
        cross join lateral (
          select wanted.program_id where wanted.program_id is not null
          union all
          select program_id from program_profiles
          where wanted.program_id is null and environment_id = $1::uuid and member_id = m.id
        ) named
        order by 1, 2
      ) key
      cross join lateral (
        select * from program_profiles
        where environment_id = $1::uuid and member_id = key.member_id and program_id = key.program_id
        limit 1
        for update
      ) p`,
    values: [
      environmentId,
      arrayLiteral(names.map((name) => name.programId)),
      arrayLiteral(names.map((name) => name.externalCustomerId)),
    ],
  };
}

/** Orders by their references. The lock on the profile, which every change of an order takes first, guards them. */
export const loadOrders = lookUp({
  name: 'load_orders',
  table: 'orders',
  column: 'source_reference',
  type: 'text',
  columns: `source_reference, program_id, member_id, transaction_id, state, amount_minor, currency, points,
          returned_minor, clawed_back, lines, returned_lines`,
});

/**
 * The counters of every kind of period (UTC day, ISO week, month, year, lifetime) that holds the instant named, or
 * the present one. A moment before the present counts too, so that a batch on the edge of a period finds both.
 * The locks on the profiles guard these rows.
 */
export function loadLimitCounters(
  environmentId: string,
  names: readonly (ProfileName & { at: Date | null })[],
): Statement {
  return {
    name: 'load_limit_counters',
    text: `with present as materialized (
        select ${periodStarts(`
          clock_timestamp(),
          clock_timestamp() - interval '1 minute',
          clock_timestamp() + interval '1 minute'`)} as starts
      )
      select c.program_id, c.member_id, c.limit_id, c.period_start, c.points
      from unnest($2::text[], $3::text[], $4::timestamptz[]) as wanted(program_id, external_customer_id, at)
      cross join lateral (
        select id from members
        where environment_id = $1::uuid and external_customer_id = wanted.external_customer_id
        limit 1
      ) m
      cross join lateral (
        select case
            when wanted.at is null then (select starts from present)
            else ${periodStarts('wanted.at')}
          end as starts
        offset 0
      ) periods
      cross join lateral (
        select * from limit_counters
        where environment_id = $1::uuid and member_id = m.id and program_id = wanted.program_id
          and period_start = any(periods.starts)
        offset 0
      ) c`,
    values: [
      environmentId,
      arrayLiteral(names.map((name) => name.programId)),
      arrayLiteral(names.map((name) => name.externalCustomerId)),
      arrayLiteral(names.map((name) => name.at)),
    ],
  };
}

/** When the periods of every kind began that hold one of the instants: an array without repetition. */
function periodStarts(instants: string): string {
  return `array(
            select distinct case part
                when 'lifetime' then timestamptz 'epoch'
                else date_trunc(part, instant, 'UTC')
              end
            from unnest(array['day', 'week', 'month', 'year', 'lifetime']) as part,
              unnest(array[${instants}]) as instant
          )`;
}

/** What was answered before under the keys of a batch. Runs after the locks, so that it sees what they waited for. */
export function loadIdempotency(
  environmentId: string,
  keys: readonly { operation: string; key: string }[],
): Statement {
  return {
    name: 'load_idempotency',
    text: `select k.operation, k.key, k.fingerprint, coalesce(k.receipt, t.receipt) as receipt, k.transaction_id,
        k.created_at
      from unnest($2::text[], $3::text[]) as wanted(operation, key)
      cross join lateral (
        select * from idempotency_keys
        where environment_id = $1::uuid and operation = wanted.operation and key = wanted.key
        limit 1
      ) k
      left join lateral (
        select receipt from transactions
        where environment_id = $1::uuid and id = k.transaction_id
        limit 1
      ) t on true`,
    values: [
      environmentId,
      arrayLiteral(keys.map(({ operation }) => operation)),
      arrayLiteral(keys.map(({ key }) => key)),
    ],
  };
}

/**
 * The environment, and the time after every lock was had. Milliseconds: what JSON and the pure core count in.
 */
export function loadEnvironment(environmentId: string): Statement {
  return {
    name: 'load_environment',
    text: `select id, kind, locked, revision, date_trunc('milliseconds', clock_timestamp()) as now,
        exists (select from webhook_endpoints w where w.environment_id = e.id) as has_webhook_endpoints
      from environments e
      where id = $1::uuid`,
    values: [environmentId],
  };
}
