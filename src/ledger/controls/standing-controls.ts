import type { LedgerControl } from './ledger-control.ts';
import { PLACES_OF_RULES } from './receipt-places.ts';
import { TOOK_PLACE, typeIdSql } from './said-by-trail.ts';

// The tiers of every version of each program, with the place of the lowest one, 1.
const TIERS = `
        select distinct v.environment_id, v.program_id, tier.value ->> 'id' as id, tier.place,
          (tier.value ->> 'threshold')::numeric as threshold
        from program_versions v
        cross join lateral json_array_elements(v.document -> 'tiers') with ordinality as tier (value, place)
        where $1::uuid is null or v.environment_id = $1`;

/** Controls over the tiers of members, and over the qualification points that these rest on. */
export const STANDING_CONTROLS: readonly LedgerControl[] = [
  {
    id: 'tiers-were-reached',
    title:
      'Every member is in the lowest tier, one that its qualification points ' +
      'reach, or one that it came to by the audit trail',
    sinceDay: { leftOut: 'a tier may have come with an enrollment of any day' },
    sql: `
      with tiers as (${TIERS}), claimed as (
        select p.environment_id, p.program_id, p.member_id, p.tier, ${typeIdSql('mem', 'p.member_id')} as named
        from program_profiles p
        where p.enrolled and ($1::uuid is null or p.environment_id = $1) and not exists (
          select from tiers t
          where t.environment_id = p.environment_id and t.program_id = p.program_id and t.id = p.tier
            and (t.place = 1 or t.threshold <= p.qualification_points))
        offset 0
      )
      select concat_ws(' ', c.environment_id, c.program_id, c.member_id) as subject, 1 as expected,
        case when coalesce(
          (select said.changes ->> 'to' = c.tier from audit_events said
            where said.environment_id = c.environment_id and said.target_id = c.named and said.target_type <> 'transaction'
              and said.action = 'tier.changed' and said.changes ->> 'programId' = c.program_id
            order by said.at desc, said.id desc limit 1),
          -- It brought the tier along, or took it over with the account of another member.
          exists (select from idempotency_keys k
            where k.environment_id = c.environment_id and k.operation = 'enrollMember'
              and k.receipt #>> '{member,id}' = c.named and k.receipt #>> '{program,programId}' = c.program_id
              and k.receipt #>> '{member,tier}' = c.tier),
          false)
          or exists (select from member_merges g
            where g.environment_id = c.environment_id and g.target_member_id = c.member_id and ${TOOK_PLACE})
          then 1 end as found
      from claimed c`,
  },
  {
    id: 'qualification-was-earned',
    title:
      'No member has more qualification points than its purchases can have earned and its tier brought along',
    sinceDay: { leftOut: 'qualification points count the purchases of all days' },
    sql: `
      with programs as (
        select v.environment_id, v.program_id, max(json_array_length(v.document #> '{earn,rules}')) as rules,
          min((tier #>> '{multiplier,numerator}')::numeric / (tier #>> '{multiplier,denominator}')::numeric) as multiplier,
          count(distinct v.document #>> '{qualification,window}') as windows,
          -- A member limit takes points from an award that count for the tier all the same, and so does a multiplier of 0.
          bool_or(v.document -> 'memberLimit' is not null
            or (tier #>> '{multiplier,numerator}')::numeric = 0) as by_receipt
        from program_versions v
        cross join lateral json_array_elements(v.document -> 'tiers') as tier
        where $1::uuid is null or v.environment_id = $1
        group by v.environment_id, v.program_id
      ), counted as (
        select p.environment_id, p.program_id, p.member_id, p.qualification_points as points, g.rules, g.multiplier, g.by_receipt,
          case when g.windows > 1 then null
            when p.qualification_days is not null then (select min(day)::timestamp at time zone 'UTC'
              from json_object_keys(p.qualification_days) as day)
            else p.qualification_since end as since
        from program_profiles p
        join programs g on g.environment_id = p.environment_id and g.program_id = p.program_id
        where p.qualification_points > 0 and ($1::uuid is null or p.environment_id = $1)
      ), earned as (
        select c.environment_id, c.program_id, c.member_id, sum(case
            when not c.by_receipt then (t.points + c.rules) / c.multiplier
            when t.receipt ->> 'template' is null then (
              select sum((decision ->> 'points')::numeric) filter (where json_typeof(decision -> 'points') = 'number')
              from json_array_elements(t.receipt -> 'ruleDecisions') as decision
              where decision ->> 'kind' = 'earn_rule')
            else t.points * s.of_transaction + (
              select coalesce(sum((t.receipt -> 'values' ->> nth)::numeric)
                filter (where json_typeof(t.receipt -> 'values' -> nth) = 'number'), 0)
              from unnest(s.values_at::integer[]) as nth)
          end) as points
        from counted c
        join transactions t on t.environment_id = c.environment_id and t.program_id = c.program_id
          and t.member_id = c.member_id and t.event_type = 'purchase.completed'
          and (c.since is null or t.created_at >= c.since)
        left join (${PLACES_OF_RULES}) s on c.by_receipt and s.environment_id = t.environment_id
          and s.id = t.receipt ->> 'template'
        group by c.environment_id, c.program_id, c.member_id
      ), beyond as (
        select c.*, coalesce(e.points, 0) as most
        from counted c
        left join earned e using (environment_id, program_id, member_id)
      )
      select concat_ws(' ', b.environment_id, b.program_id, b.member_id) as subject, b.points as expected,
        case when b.points <= b.most then b.points
          -- It came with a tier, or with the account of another member.
          when exists (select from member_merges g
            where g.environment_id = b.environment_id and b.member_id in (g.target_member_id, g.source_member_id)
              and ${TOOK_PLACE}) then b.points
          when b.points <= b.most + (
            select max((tier ->> 'threshold')::numeric)
            from idempotency_keys k
            join program_versions v on v.environment_id = b.environment_id and v.program_id = b.program_id
            cross join lateral json_array_elements(v.document -> 'tiers') as tier
            where k.environment_id = b.environment_id and k.operation = 'enrollMember'
              and k.receipt #>> '{member,id}' = ${typeIdSql('mem', 'b.member_id')}
              and k.receipt #>> '{program,programId}' = b.program_id and tier ->> 'id' = k.receipt #>> '{member,tier}'
          ) then b.points
        end as found
      from beyond b`,
  },
];
