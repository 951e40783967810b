import {
  CLAWED_BACK,
  hasNewerTransaction,
  type LedgerControl,
  lookedAt,
  newer,
  ORDERS_LOOKED_AT,
} from './ledger-control.ts';
import { ownerOf, withOwner } from './owner-of-rows.ts';

/**
 * SQL: the purchases of programs that ever had a campaign with caps, or a coupon with limits. Only their receipts are
 * taken apart, which costs most of the time of such a control.
 */
const purchasesOf = (list: 'campaigns' | 'coupons', bounds: 'caps' | 'limits'): string => `
    select * from transactions t
    where t.event_type = 'purchase.completed' and ($1::uuid is null or t.environment_id = $1) and exists (
      select from program_versions v
      cross join lateral json_array_elements(v.document -> '${list}') as bounded
      where v.environment_id = t.environment_id and v.program_id = t.program_id
        and bounded -> '${bounds}' is not null
    )
    offset 0`;

// The points that purchases took from the caps of campaigns: those that the receipt says a campaign gave, where the
// version that the purchase was evaluated under caps that campaign.
const CAPPED_POINTS = `
  select t.environment_id, t.program_id, t.member_id, 'campaign:' || given."campaignId" as counter_id, given.points,
    cap.total, cap.member, cap.period, coalesce(said."evaluationAt", t.created_at) as at
  from (${purchasesOf('campaigns', 'caps')}) t
  cross join lateral json_to_record(t.receipt)
    as said("evaluationAt" timestamptz, "configurationVersion" integer, campaigns json)
  cross join lateral json_to_recordset(said.campaigns) as given("campaignId" text, points numeric)
  join (
    select v.environment_id, v.program_id, v.version, campaign ->> 'id' as campaign_id,
      campaign #>> '{caps,totalPoints}' is not null as total,
      campaign #>> '{caps,memberPoints}' is not null as member,
      campaign #>> '{caps,memberPeriod,period}' as period
    from program_versions v
    cross join lateral json_array_elements(v.document -> 'campaigns') as campaign
    where campaign -> 'caps' is not null and ($1::uuid is null or v.environment_id = $1)
  ) cap on cap.environment_id = t.environment_id and cap.program_id = t.program_id
    and cap.version = said."configurationVersion" and cap.campaign_id = given."campaignId"`;

// The campaigns that were compared and gave none, as templates say: taken out once for each template, not for each
// purchase.
const WITHHELD_BY_TEMPLATE = `
  select s.environment_id, s.id, decision.id as campaign_id, decision.matched
  from receipt_templates s
  cross join lateral json_to_recordset(s.template -> 'ruleDecisions') as decision(kind text, id text, matched boolean)
  where decision.kind = 'campaign_holdout' and ($1::uuid is null or s.environment_id = $1)
  offset 0`;

/**
 * SQL: what the receipts of purchases, `t`, say of campaigns.
 * @param campaignsSql a join of `campaignsSql`: a campaign, whether it was withheld, its points
 */
const ofCampaigns = (campaignsSql: string): string => `
  select t.environment_id, t.program_id, said.campaign_id, t.member_id, t.id as transaction_id, said.held_out,
    said.points, t.points as earned_points,
    coalesce(t.receipt ->> 'amountMinor', t.receipt #>> '{evidence,amountMinor}')::bigint as amount_minor
  from transactions t
  ${campaignsSql}
  where t.event_type = 'purchase.completed'
    and ($1::uuid is null or t.environment_id = $1) and ${newer('t.created_at')}`;

/** SQL: whether the receipt of a purchase, `t`, has no points of a campaign. */
const gaveNothing = (campaignId: string): string => `not exists (
      select from json_to_recordset(t.receipt -> 'campaigns') as given("campaignId" text)
      where given."campaignId" = ${campaignId}
    )`;

// What the receipts of purchases, and the templates that many of them share, say of campaigns: the points that they
// gave, and which ones were compared and gave none.
const CAMPAIGN_AWARDS = `
  ${ofCampaigns(`cross join lateral (
    select given."campaignId" as campaign_id, false as held_out, given.points
    from json_to_recordset(t.receipt -> 'campaigns') as given("campaignId" text, points bigint)
  ) said`)} and t.receipt -> 'campaigns' is not null
  union all
  ${ofCampaigns(`join (select environment_id, id, campaign_id, matched as held_out, 0 as points from (${WITHHELD_BY_TEMPLATE}) w) said
    on said.environment_id = t.environment_id and said.id = t.receipt ->> 'template'`)} and ${gaveNothing('said.campaign_id')}
  union all
  ${ofCampaigns(`cross join lateral (
    select decision.id as campaign_id, decision.matched as held_out, 0 as points
    from json_to_recordset(t.receipt -> 'ruleDecisions') as decision(kind text, id text, matched boolean)
    where decision.kind = 'campaign_holdout' and ${gaveNothing('decision.id')}
  ) said`)} and t.receipt -> 'template' is null`;

// Purchases that redeemed a coupon, where the version that the purchase was evaluated under limits its use.
const LIMITED_USES = `
  select t.environment_id, t.program_id, t.member_id, 'coupon:' || used.code as counter_id, use.total, use.member
  from (${purchasesOf('coupons', 'limits')}) t
  cross join lateral json_to_record(t.receipt)
    as said("configurationVersion" integer, coupon json, evidence json, "poolCode" json)
  -- Of a code of a pool, the pool counts.
  cross join lateral (
    select coalesce(said."poolCode" ->> 'poolId', said.evidence #>> '{poolCode,poolId}', said.coupon ->> 'code') as code
  ) used
  join (
    select v.environment_id, v.program_id, v.version, coupon ->> 'code' as code,
      coupon #>> '{limits,total}' is not null as total,
      coupon #>> '{limits,perMember}' is not null as member
    from program_versions v
    cross join lateral json_array_elements(v.document -> 'coupons') as coupon
    where coupon -> 'limits' is not null and ($1::uuid is null or v.environment_id = $1)
  ) use on use.environment_id = t.environment_id and use.program_id = t.program_id
    and use.version = said."configurationVersion" and use.code = used.code
  where said.coupon ->> 'redeemed' = 'true'`;

/** Controls over campaigns, coupons, referrals and members' history: counters compared with what receipts say. */
export const EARNING_CONTROLS: readonly LedgerControl[] = [
  {
    id: 'shared-counters-equal-purchases',
    title: 'Every counter that members share, of a campaign or a coupon, equals what purchases took from it',
    sinceDay: { leftOut: 'a counter is the sum of the purchases of all days' },
    sql: `
      with taken as (
        select environment_id, program_id, counter_id, sum(amount) as amount
        from (
          select environment_id, program_id, counter_id, points as amount from (${CAPPED_POINTS}) p where total
          union all
          select environment_id, program_id, counter_id, 1 from (${LIMITED_USES}) u where total
        ) each
        group by environment_id, program_id, counter_id
      ), held as (
        select environment_id, program_id, counter_id, taken as amount
        from shared_counters
        where (starts_with(counter_id, 'campaign:') or starts_with(counter_id, 'coupon:'))
          and ($1::uuid is null or environment_id = $1)
      )
      select concat_ws(' ', environment_id, program_id, counter_id) as subject, taken.amount as expected,
        held.amount as found
      from taken full join held using (environment_id, program_id, counter_id)`,
  },
  {
    id: 'campaign-awards-equal-purchases',
    title:
      'Every purchase is recorded with the points that campaigns gave, and with the campaigns that were withheld',
    sinceDay: 'newer',
    sql: `
      select concat_ws(' ', environment_id, program_id, campaign_id, transaction_id) as subject, said.points as expected,
        case when (said.held_out, said.earned_points, said.amount_minor)
          = (held.held_out, held.earned_points, held.amount_minor) then held.points end as found
      from (${CAMPAIGN_AWARDS}) said
      full join ${lookedAt('campaign_awards', hasNewerTransaction)} held
        using (environment_id, program_id, campaign_id, member_id, transaction_id)`,
  },
  {
    id: 'member-counters-equal-purchases',
    title: "Every member's counter of a campaign or a coupon equals what the member's purchases took from it",
    sinceDay: { leftOut: 'a counter is the sum of the purchases of all days' },
    sql: `
      with capped as materialized (${CAPPED_POINTS}), taken as (
        select c.environment_id, c.program_id, ${ownerOf('c')} as member_id, c.limit_id, c.period_start,
          sum(c.amount) as amount
        from (
          select environment_id, program_id, member_id, counter_id as limit_id,
            timestamptz 'epoch' as period_start, points as amount
          from capped where member
          union all
          select environment_id, program_id, member_id, counter_id || '.' || period,
            date_trunc(period, at, 'UTC'), points
          from capped where period is not null
          union all
          select environment_id, program_id, member_id, counter_id, timestamptz 'epoch', 1
          from (${LIMITED_USES}) u where member
        ) c
        ${withOwner('c')}
        group by c.environment_id, c.program_id, ${ownerOf('c')}, c.limit_id, c.period_start
      ), held as (
        select environment_id, program_id, member_id, limit_id, period_start, points as amount
        from limit_counters
        where not starts_with(limit_id, 'member_limit') and ($1::uuid is null or environment_id = $1)
      )
      -- A merge, or its undoing, leaves counters of 0.
      select concat_ws(' ', environment_id, program_id, member_id, limit_id, period_start) as subject,
        coalesce(taken.amount, 0) as expected, coalesce(held.amount, 0) as found
      from taken full join held using (environment_id, program_id, member_id, limit_id, period_start)`,
  },
  {
    id: 'coupon-uses-equal-redemptions',
    title: 'Every code of a pool has been used as often as purchases have redeemed it',
    sinceDay: { leftOut: 'a code counts its redemptions of all days' },
    sql: `
      with redeemed as (
        select environment_id, program_id, code_hash, count(*) as uses
        from coupon_redemptions
        where $1::uuid is null or environment_id = $1
        group by environment_id, program_id, code_hash
      ), held as (
        select environment_id, program_id, code_hash, uses
        from coupon_codes
        where uses > 0 and ($1::uuid is null or environment_id = $1)
      )
      select concat_ws(' ', environment_id, program_id, code_hash) as subject, coalesce(redeemed.uses, 0) as expected,
        coalesce(held.uses, 0) as found
      from redeemed full join held using (environment_id, program_id, code_hash)`,
  },
  {
    id: 'coupon-redemptions-equal-purchases',
    title: 'Every purchase that redeemed a code of a pool is recorded with it, and only such purchases are',
    sinceDay: 'newer',
    sql: `
      with said as (
        select environment_id, id as transaction_id, program_id, member_id,
          coalesce(receipt -> 'poolCode', receipt #> '{evidence,poolCode}') ->> 'poolId' as pool_id
        from transactions
        where event_type = 'purchase.completed'
          and coalesce(receipt -> 'poolCode', receipt #> '{evidence,poolCode}') is not null
          and receipt #>> '{coupon,redeemed}' = 'true' and ($1::uuid is null or environment_id = $1)
          and ${newer('created_at')}
      ), held as (
        select r.environment_id, r.transaction_id, r.program_id, r.member_id, c.pool_id
        from ${lookedAt('coupon_redemptions', hasNewerTransaction)} r
        join coupon_codes c on c.environment_id = r.environment_id and c.program_id = r.program_id
          and c.code_hash = r.code_hash
      )
      select concat_ws(' ', environment_id, transaction_id) as subject,
        (said.program_id is not null)::integer as expected,
        (held.program_id is not null and (said.program_id is null
          or (said.program_id, said.member_id, said.pool_id) = (held.program_id, held.member_id, held.pool_id)))::integer
          as found
      from said full join held using (environment_id, transaction_id)`,
  },
  {
    id: 'lines-add-up-to-awards',
    title: 'Whatever the lines of a purchase were acknowledged with adds up to its award',
    sinceDay: 'newer',
    sql: `
      select t.id::text as subject, t.points as expected,
        (select coalesce(sum(line.points), 0) from json_to_recordset(t.receipt -> 'lines') as line (points numeric)) as found
      from transactions t
      where t.event_type = 'purchase.completed' and t.receipt -> 'lines' is not null
        and ($1::uuid is null or t.environment_id = $1) and ${newer('t.created_at')}`,
  },
  {
    id: 'order-lines-equal-receipts',
    title: 'Every line of an order keeps the points that it was acknowledged with',
    sinceDay: 'newer',
    sql: `
      with kept as (
        select o.environment_id, o.transaction_id, line.place - 1 as index, line.points
        from ${ORDERS_LOOKED_AT} o
        cross join lateral rows from (json_to_recordset(o.lines) as (points numeric))
          with ordinality as line (points, place)
        where o.lines #> '{0,points}' is not null
      ), said as (
        select t.environment_id, t.id as transaction_id, line.index, line.points
        from transactions t
        cross join lateral json_to_recordset(t.receipt -> 'lines') as line (index bigint, points numeric)
        where t.event_type = 'purchase.completed' and t.receipt -> 'lines' is not null and line.index is not null
          and ($1::uuid is null or t.environment_id = $1) and ${newer('t.created_at')}
      )
      select concat_ws(' ', environment_id, transaction_id, index) as subject, said.points as expected,
        kept.points as found
      from said full join kept using (environment_id, transaction_id, index)`,
  },
  {
    id: 'referrals-equal-purchases',
    title: 'Every referral was acknowledged with the points that were posted to both members',
    sinceDay: 'newer',
    sql: `
      with posted as (
        select environment_id, program_id, source_reference, sum(points) as points
        from transactions
        where event_type = 'referral.awarded' and ($1::uuid is null or environment_id = $1)
          and ${newer('created_at')}
        group by environment_id, program_id, source_reference
      ), said as (
        select environment_id, program_id, source_reference, (receipt #>> '{referral,referrerPoints}')::numeric
          + (receipt #>> '{referral,refereePoints}')::numeric as points
        from transactions
        where event_type = 'purchase.completed' and receipt #>> '{referral,code}' is not null
          and ($1::uuid is null or environment_id = $1) and ${newer('created_at')}
      )
      select concat_ws(' ', environment_id, program_id, source_reference) as subject,
        coalesce(posted.points, 0) as expected, said.points as found
      from posted full join said using (environment_id, program_id, source_reference)`,
  },
  {
    id: 'referral-counts-equal-referees',
    title: 'Every member was rewarded for as many referrals as there are members who were referred by it',
    sinceDay: 'whole',
    sql: `
      with referred as (
        select p.environment_id, p.program_id, ${ownerOf('p')} as member_id, count(*) as members
        from (select environment_id, program_id, referred_by as member_id from program_profiles
          where referred_by is not null and ($1::uuid is null or environment_id = $1)) p
        ${withOwner('p')}
        group by p.environment_id, p.program_id, ${ownerOf('p')}
      )
      select concat_ws(' ', environment_id, program_id, member_id) as subject,
        coalesce(referred.members, 0) as expected, p.referral_count as found
      from (select environment_id, program_id, member_id, referral_count from program_profiles
        where $1::uuid is null or environment_id = $1) p
      full join referred using (environment_id, program_id, member_id)`,
  },
  {
    id: 'returned-referrals-add-up',
    title: "What of a referral's points was clawed back or is claimed is its order's returned value's share",
    sinceDay: 'newer',
    sql: `
      with taken as (${CLAWED_BACK}), claims as (
        select environment_id, transaction_id, sum(claimed) as points
        from lots
        where claimed > 0 and ($1::uuid is null or environment_id = $1) and ${newer('created_at')}
        group by environment_id, transaction_id
      ), kept as (
        -- Returns of the time when no return took referral points back: their receipts do not speak of the referral.
        select r.environment_id, r.source_reference, sum(r.return_amount_minor) as value
        from returns r
        join transactions t on t.environment_id = r.environment_id and t.id = r.transaction_id
        where t.receipt #> '{return,referral}' is null and ($1::uuid is null or r.environment_id = $1)
          and ${newer('r.created_at')}
        group by r.environment_id, r.source_reference
      )
      select t.id::text as subject,
        case
          when t.receipt #>> '{referral,onReturn}' = 'keep' then 0
          -- As for the order's own points (claims-equal-dues).
          when o.amount_minor = 0 then
            case when o.state = 'returned' and coalesce(taken.points, 0) + coalesce(claims.points, 0) > 0
              then t.points else 0 end
          else div(2 * t.points::numeric * o.returned_minor + o.amount_minor, 2 * o.amount_minor::numeric)
            - div(2 * t.points * coalesce(kept.value, 0) + o.amount_minor, 2 * o.amount_minor::numeric)
          end as expected,
        coalesce(taken.points, 0) + coalesce(claims.points, 0) as found
      from transactions t
      left join orders o on o.environment_id = t.environment_id and o.source_reference = t.source_reference
      left join taken on taken.environment_id = t.environment_id and taken.transaction_id = t.id
      left join claims on claims.environment_id = t.environment_id and claims.transaction_id = t.id
      left join kept on kept.environment_id = t.environment_id and kept.source_reference = t.source_reference
      where t.event_type = 'referral.awarded' and ($1::uuid is null or t.environment_id = $1)
        and ${newer('t.created_at')}`,
  },
  {
    id: 'referral-clawbacks-equal-receipts',
    title: 'Every return was acknowledged with the referral points that it took back from both members',
    sinceDay: 'newer',
    sql: `
      with posted as (
        select environment_id, receipt #>> '{referral,returnReference}' as return_reference, sum(points) as points
        from transactions
        where event_type = 'order.returned' and receipt -> 'referral' is not null
          and ($1::uuid is null or environment_id = $1) and ${newer('created_at')}
        group by environment_id, receipt #>> '{referral,returnReference}'
      ), said as (
        select r.environment_id, r.return_reference,
          (t.receipt #>> '{return,referral,referrerPointsClawedBack}')::numeric
            + (t.receipt #>> '{return,referral,refereePointsClawedBack}')::numeric as points
        from returns r
        join transactions t on t.environment_id = r.environment_id and t.id = r.transaction_id
        where t.receipt #>> '{return,referral}' is not null and ($1::uuid is null or r.environment_id = $1)
          and ${newer('r.created_at')}
      )
      select concat_ws(' ', environment_id, return_reference) as subject,
        coalesce(posted.points, 0) as expected, said.points as found
      from posted full join said using (environment_id, return_reference)`,
  },
  {
    id: 'history-equals-orders',
    title: "Every profile's purchases, and what they came to less what went back, equal its orders",
    sinceDay: { leftOut: 'a profile counts its orders of all days' },
    sql: `
      with bought as (
        select o.environment_id, o.program_id, ${ownerOf('o')} as member_id, count(*) as purchases,
          sum(o.amount_minor - o.returned_minor) as amount
        from orders o
        ${withOwner('o')}
        where $1::uuid is null or o.environment_id = $1
        group by o.environment_id, o.program_id, ${ownerOf('o')}
      )
      select concat_ws(' ', environment_id, program_id, member_id) as subject,
        coalesce(bought.amount, 0) as expected,
        case when p.purchase_count = coalesce(bought.purchases, 0) then p.purchase_amount_minor end as found
      from (select environment_id, program_id, member_id, purchase_count, purchase_amount_minor
        from program_profiles where $1::uuid is null or environment_id = $1) p
      full join bought using (environment_id, program_id, member_id)`,
  },
];
