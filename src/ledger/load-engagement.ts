import { arrayLiteral } from '../db/array-literal.ts';
import { lookUp } from './look-up.ts';
import type { Statement } from './table.ts';

// The locks on the profiles guard these rows, but for the shared counters, which are locked themselves.

/** Locks shared counters in the order of their keys: after the profiles and stocks, before anything is written. */
export function lockSharedCounters(
  environmentId: string,
  counters: readonly { programId: string; counterId: string }[],
): Statement {
  return {
    name: 'lock_shared_counters',
    text: `select c.program_id, c.counter_id, c.taken
      from (
        select distinct program_id, counter_id from unnest($2::text[], $3::text[]) as wanted(program_id, counter_id)
        order by 1, 2
      ) key
      cross join lateral (
        select * from shared_counters
        where environment_id = $1::uuid and program_id = key.program_id and counter_id = key.counter_id
        limit 1
        for update
      ) c`,
    values: [
      environmentId,
      arrayLiteral(counters.map((counter) => counter.programId)),
      arrayLiteral(counters.map((counter) => counter.counterId)),
    ],
  };
}

export const loadCustomEvents = lookUp({
  name: 'load_custom_events',
  table: 'custom_events',
  column: 'source_reference',
  type: 'text',
});

export const loadChoiceClaims = lookUp({
  name: 'load_choice_claims',
  table: 'choice_claims',
  column: 'source_reference',
  type: 'text',
});

/**
 * The progress of members: of the lifetime, and in windows that events of the last 400 days may count in, of which the
 * longest is of 366 days.
 */
export function loadChallengeProgress(
  environmentId: string,
  externalCustomerIds: readonly string[],
): Statement {
  return {
    name: 'load_challenge_progress',
    text: `select c.*
      from unnest($2::text[]) as wanted(external_customer_id)
      cross join lateral (${MEMBER}) m
      cross join lateral (
        select * from challenge_progress
        where environment_id = $1::uuid and member_id = m.id
          and (window_start = timestamptz 'epoch' or window_start > clock_timestamp() - interval '800 days')
        offset 0
      ) c`,
    values: [environmentId, arrayLiteral(externalCustomerIds)],
  };
}

// All of a member's, so that the state cannot lead to another index than the member's.
const GRANTS = `
  select * from choice_grants where environment_id = $1::uuid and member_id = m.id offset 0`;

/** The open grants of members, and whatever has become of those by tiers: a tier grants once. */
export function loadChoiceGrants(environmentId: string, externalCustomerIds: readonly string[]): Statement {
  return {
    name: 'load_choice_grants',
    text: `select g.*
      from unnest($2::text[]) as wanted(external_customer_id)
      cross join lateral (${MEMBER}) m
      cross join lateral (${GRANTS}) g
      where g.state = 'open' or starts_with(g.granted_by, 'tier:')`,
    values: [environmentId, arrayLiteral(externalCustomerIds)],
  };
}

/** What was claimed of the open grants of members. */
export function loadClaimsOfGrants(environmentId: string, externalCustomerIds: readonly string[]): Statement {
  return {
    name: 'load_claims_of_grants',
    text: `select c.*
      from unnest($2::text[]) as wanted(external_customer_id)
      cross join lateral (${MEMBER}) m
      cross join lateral (${GRANTS}) g
      cross join lateral (
        select * from choice_claims
        where environment_id = $1::uuid and grant_id = g.id
        offset 0
      ) c
      where g.state = 'open'`,
    values: [environmentId, arrayLiteral(externalCustomerIds)],
  };
}

const MEMBER = `
  select id from members
  where environment_id = $1::uuid and external_customer_id = wanted.external_customer_id
  limit 1`;
