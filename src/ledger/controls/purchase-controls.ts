import { CLAWED_BACK, type LedgerControl, lookedAt, newer, ORDERS_LOOKED_AT } from './ledger-control.ts';
import { ownerOf, withOwner } from './owner-of-rows.ts';

// The points that are due back of each order whose lines have points and of which something went back: those of the
// units that went back, of each line in its order; and of the rest the share of the returns by amount.
const DUE_BY_LINE = `
  select environment_id, source_reference,
    case
      when state = 'returned' then points
      when returned_minor = worth then of_lines
      else of_lines + div(2 * (points - of_lines) * (returned_minor - worth) + amount_minor - worth,
        2 * (amount_minor - worth))
    end as due
  from (
    select o.environment_id, o.source_reference, o.state, o.points, o.amount_minor, o.returned_minor,
      sum(div(2 * line.points * line.goes + line.quantity, 2 * line.quantity)) as of_lines,
      div(2 * o.amount_minor * sum(line.price * line.goes) + sum(line.price * line.quantity),
        2 * sum(line.price * line.quantity)) as worth
    from orders o
    cross join lateral (
      select points, quantity,
        case when bool_or(price > 0) over () then price else 1 end as price,
        greatest(least(quantity, coalesce((o.returned_lines ->> reference)::numeric, 0) - coalesce(before, 0)), 0)
          as goes
      from (
        select reference, coalesce(quantity, 1) as quantity, coalesce(price, 0) as price, points,
          sum(coalesce(quantity, 1)) over (partition by reference order by place
            rows between unbounded preceding and 1 preceding) as before
        from rows from (json_to_recordset(o.lines)
          as ("lineReference" text, quantity numeric, "unitPriceMinor" numeric, points numeric)
        ) with ordinality as item (reference, quantity, price, points, place)
      ) item
    ) line
    where o.state <> 'active' and o.lines #> '{0,points}' is not null and ($1::uuid is null or o.environment_id = $1)
    group by o.environment_id, o.source_reference, o.state, o.points, o.amount_minor, o.returned_minor
  ) returned`;

// The points that each purchase counts against its member's limit. The version that it was evaluated under says whether
// there is a limit, and for which kind of period; the instant of the evaluation gives the period, on the UTC calendar.
const LIMITED_PURCHASES = `
  with versions as materialized (
    select environment_id, program_id, version, document -> 'memberLimit' ->> 'period' as period
    from program_versions
    where $1::uuid is null or environment_id = $1
  )
  select t.environment_id, t.program_id, t.member_id, 'member_limit.' || v.period as limit_id, t.points,
    case v.period when 'lifetime' then timestamptz 'epoch'
      else date_trunc(v.period, coalesce(said."evaluationAt", t.created_at), 'UTC') end as period_start
  from transactions t
  cross join lateral json_to_record(t.receipt) as said("evaluationAt" timestamptz, "configurationVersion" integer)
  join versions v on v.environment_id = t.environment_id and v.program_id = t.program_id
    and v.version = said."configurationVersion" and v.period is not null
  where t.event_type = 'purchase.completed' and ($1::uuid is null or t.environment_id = $1)`;

/** SQL: whether something of the order of a row went back lately. @param row its alias */
const hasNewerReturn = (row: string): string => `exists (select from returns newer
            where newer.environment_id = ${row}.environment_id and newer.source_reference = ${row}.source_reference
              and ($1::uuid is null or newer.environment_id = $1) and newer.created_at >= $2)`;

/** Controls over purchases, their returns, receipts, keys and limits: compared with transactions and postings. */
export const PURCHASE_CONTROLS: readonly LedgerControl[] = [
  {
    id: 'orders-equal-transactions',
    title:
      'Every purchase has its one order, with its points, member and program, and was acknowledged for its amount',
    sinceDay: 'newer',
    sql: `
      select coalesce(o.source_reference, t.source_reference, t.id::text) as subject, t.points as expected,
        case when t.source_reference = o.source_reference and t.member_id = o.member_id
          and t.program_id = o.program_id and coalesce(t.amount_minor, o.amount_minor::text) = o.amount_minor::text
          then o.points end as found
      from (select *, coalesce(receipt ->> 'amountMinor', receipt #>> '{evidence,amountMinor}') as amount_minor
        from transactions
        where event_type = 'purchase.completed' and ($1::uuid is null or environment_id = $1)
          and ${newer('created_at')}) as t
      full join ${ORDERS_LOOKED_AT} as o
        on o.environment_id = t.environment_id and o.transaction_id = t.id`,
  },
  {
    id: 'returns-equal-transactions',
    title: 'Every return has its one transaction, of the order and with the points that it took back',
    sinceDay: 'newer',
    sql: `
      select coalesce(r.return_reference, t.id::text) as subject, t.points as expected,
        case when t.source_reference = r.source_reference then r.points_clawed_back end as found
      from (select * from transactions
        where event_type = 'order.returned' and receipt -> 'referral' is null
          and ($1::uuid is null or environment_id = $1) and ${newer('created_at')}) as t
      full join (select * from returns
        where ($1::uuid is null or environment_id = $1) and ${newer('created_at')}) as r
        on r.environment_id = t.environment_id and r.transaction_id = t.id`,
  },
  {
    id: 'returned-value-of-orders',
    title: 'Every order has gone back by what its returns say, and its state says so',
    sinceDay: 'newer',
    sql: `
      with gone as (
        select environment_id, source_reference, sum(return_amount_minor) as value
        from ${lookedAt('returns', hasNewerReturn)} r
        group by environment_id, source_reference
      )
      select o.source_reference as subject, coalesce(gone.value, 0) as expected,
        case when (o.state = 'active') = (gone.value is null)
          and (o.amount_minor = 0 or (o.state = 'returned') = (o.returned_minor = o.amount_minor))
          then o.returned_minor end as found
      from ${lookedAt('orders', hasNewerReturn)} o
      left join gone on gone.environment_id = o.environment_id and gone.source_reference = o.source_reference`,
  },
  {
    id: 'clawed-back-equal-postings',
    title: "Every order was clawed back by what was posted from its purchase's lots",
    sinceDay: 'newer',
    sql: `
      with taken as (${CLAWED_BACK})
      select o.source_reference as subject, coalesce(taken.points, 0) as expected, o.clawed_back as found
      from ${ORDERS_LOOKED_AT} o
      left join taken on taken.environment_id = o.environment_id and taken.transaction_id = o.transaction_id`,
  },
  {
    id: 'claims-equal-dues',
    title: "What of an order's points was clawed back or is claimed is its returned value's share",
    sinceDay: {
      leftOut: 'what is due of an order follows from its returns of all days, and claims have no day',
    },
    sql: `
      with claims as (
        select l.environment_id, l.transaction_id, sum(l.claimed) as points
        from lots l
        join transactions t on t.environment_id = l.environment_id and t.id = l.transaction_id
        where l.claimed > 0 and t.event_type <> 'referral.awarded' and ($1::uuid is null or l.environment_id = $1)
        group by l.environment_id, l.transaction_id
      )
      select coalesce(o.source_reference, claims.transaction_id::text) as subject,
        case
          when by_line.due is not null then by_line.due
          -- Until such orders had their points taken back, none were: an order returned before then has them still.
          when o.amount_minor = 0 then
            case when o.state = 'returned' and o.clawed_back + coalesce(claims.points, 0) > 0 then o.points else 0 end
          else div(2 * o.points::numeric * o.returned_minor + o.amount_minor, 2 * o.amount_minor::numeric)
          end as expected,
        coalesce(o.clawed_back, 0) + coalesce(claims.points, 0) as found
      from (select * from orders where $1::uuid is null or environment_id = $1) as o
      full join claims on claims.environment_id = o.environment_id and claims.transaction_id = o.transaction_id
      left join (${DUE_BY_LINE}) by_line on by_line.environment_id = o.environment_id
        and by_line.source_reference = o.source_reference`,
  },
  {
    id: 'receipts-of-returns',
    title: 'Every return was acknowledged with the points that were posted, under one key or more',
    sinceDay: 'newer',
    sql: `
      with acknowledged as (
        select distinct environment_id, transaction_id
        from idempotency_keys
        where transaction_id is not null and ($1::uuid is null or environment_id = $1) and ${newer('created_at')}
      )
      select t.id::text as subject, t.points as expected,
        case when k.transaction_id is not null
          then (t.receipt -> 'return' ->> 'pointsClawedBack')::numeric end as found
      from transactions t
      left join acknowledged k on k.environment_id = t.environment_id and k.transaction_id = t.id
      where t.event_type = 'order.returned' and t.receipt -> 'referral' is null
        and ($1::uuid is null or t.environment_id = $1) and ${newer('t.created_at')}`,
  },
  {
    id: 'receipts-equal-transactions',
    title: 'Every purchase was acknowledged with the points that were posted',
    sinceDay: 'newer',
    sql: `
      -- A receipt has a template only where it says the points of its transaction (templates-of-receipts).
      select id::text as subject, points as expected,
        case when receipt ->> 'template' is not null then points
          when json_typeof(receipt -> 'award' -> 'points') = 'number' then (receipt -> 'award' ->> 'points')::numeric end as found
      from transactions
      where event_type = 'purchase.completed' and ($1::uuid is null or environment_id = $1)
        and ${newer('created_at')}`,
  },
  {
    id: 'keys-of-transactions',
    title: 'Every purchase has exactly one idempotency key',
    sinceDay: 'newer',
    sql: `
      select t.id::text as subject, 1 as expected, count(k.key) as found
      from transactions t
      left join idempotency_keys k on k.environment_id = t.environment_id and k.transaction_id = t.id
        and ${newer('k.created_at')}
      where t.event_type = 'purchase.completed' and ($1::uuid is null or t.environment_id = $1)
        and ${newer('t.created_at')}
      group by t.environment_id, t.id`,
  },
  {
    id: 'receipts-of-keys',
    title: 'Every idempotency key leads to one stored receipt',
    sinceDay: 'newer',
    sql: `
      -- A newer key may lead to an older transaction: of a return that was sent again under another key. These few are looked up.
      select k.operation || ' ' || k.key as subject, 1 as expected,
        (k.receipt is not null)::integer + case
          when t.id is not null then (t.receipt is not null)::integer
          when k.transaction_id is null then 0
          else (select count(*) from transactions older where older.environment_id = k.environment_id
            and older.id = k.transaction_id and older.receipt is not null)
          end as found
      from idempotency_keys k
      left join transactions t on t.environment_id = k.environment_id and t.id = k.transaction_id
        and ${newer('t.created_at')}
      where ($1::uuid is null or k.environment_id = $1) and ${newer('k.created_at')}`,
  },
  {
    id: 'limit-counters-equal-purchases',
    title: "Every member limit's counter equals the points of the purchases that count against it",
    sinceDay: { leftOut: 'a counter is the sum of the purchases of its whole period' },
    sql: `
      with counted as (
        select c.environment_id, c.program_id, ${ownerOf('c')} as member_id, c.limit_id, c.period_start,
          sum(c.points) as points
        from (${LIMITED_PURCHASES}) as c
        ${withOwner('c')}
        group by c.environment_id, c.program_id, ${ownerOf('c')}, c.limit_id, c.period_start
      ), held as (
        select environment_id, program_id, member_id, limit_id, period_start, points
        from limit_counters
        where starts_with(limit_id, 'member_limit') and ($1::uuid is null or environment_id = $1)
      )
      -- A merge, or its undoing, leaves counters of 0.
      select concat_ws(' ', environment_id, program_id, member_id, limit_id, period_start) as subject,
        coalesce(counted.points, 0) as expected, coalesce(held.points, 0) as found
      from counted full join held using (environment_id, program_id, member_id, limit_id, period_start)`,
  },
];
