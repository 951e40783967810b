import { type LedgerControl, newer, ofNewerTransaction } from './ledger-control.ts';
import { originOf, ownerOf, withLot, withOwner } from './owner-of-rows.ts';

/** Controls over quotes, reservations and stocks: compared with the postings of redemptions. */
export const REDEMPTION_CONTROLS: readonly LedgerControl[] = [
  {
    id: 'holds-equal-reserved',
    title: 'Every reserved balance equals the points of its open reservations',
    sinceDay: 'whole',
    sql: `
      with open as (
        select environment_id, program_id, member_id, sum(points) as points
        from redemption_reservations
        where state = 'reserved' and ($1::uuid is null or environment_id = $1)
        group by environment_id, program_id, member_id
      ), kept as (
        select environment_id, program_id, member_id, reserved
        from program_profiles
        where $1::uuid is null or environment_id = $1
      )
      select environment_id || ' ' || program_id || ' ' || member_id as subject,
        coalesce(open.points, 0) as expected, kept.reserved as found
      from open full join kept using (environment_id, program_id, member_id)`,
  },
  {
    id: 'reservations-equal-postings',
    title: 'Every reservation held the points that its transaction posted',
    sinceDay: 'newer',
    sql: `
      with posted as (
        select environment_id, transaction_id, sum(amount) as points
        from postings
        where credit_account = 'member.reserved' and ($1::uuid is null or environment_id = $1)
          and ${newer('created_at')}
        group by environment_id, transaction_id
      ), held as (
        select environment_id, reserve_transaction_id as transaction_id, id, points
        from redemption_reservations
        where ($1::uuid is null or environment_id = $1) and ${newer('reserved_at')}
      )
      select coalesce(held.id::text, 'transaction ' || transaction_id) as subject, posted.points as expected,
        held.points as found
      from posted full join held using (environment_id, transaction_id)`,
  },
  {
    id: 'holds-end-once',
    title: 'Every hold that ended gave up what it held, lot by lot, and no other one did',
    sinceDay: 'newer',
    sql: `
      with given_up as (
        select environment_id, transaction_id, lot_id, sum(amount) as points
        from postings
        where debit_account = 'member.reserved' and ($1::uuid is null or environment_id = $1)
          and ${newer('created_at')}
        group by environment_id, transaction_id, lot_id
      ), held as (
        select r.environment_id, coalesce(r.commit_transaction_id, r.transaction_id) as transaction_id, p.lot_id, r.id,
          sum(p.amount) as points
        from redemption_reservations r
        join postings p on p.environment_id = r.environment_id and p.transaction_id = r.reserve_transaction_id
          and p.credit_account = 'member.reserved'
        where r.state <> 'reserved' and ($1::uuid is null or r.environment_id = $1)
          and ${ofNewerTransaction('r', 'coalesce(r.commit_transaction_id, r.transaction_id)')}
        group by r.environment_id, r.id, r.commit_transaction_id, r.transaction_id, p.lot_id
      )
      select coalesce(held.id::text, 'transaction ' || transaction_id) || ' ' || lot_id as subject,
        given_up.points as expected, held.points as found
      from given_up full join held using (environment_id, transaction_id, lot_id)`,
  },
  {
    id: 'redemptions-equal-postings',
    title:
      "What each member's postings spent equals the points of its committed reservations, less what was reversed",
    sinceDay: { leftOut: 'what a member has spent is the sum of its postings of all days' },
    sql: `
      with spent as (
        select p.environment_id, p.program_id, ${ownerOf('p')} as member_id,
          sum(case when p.credit_account = 'program.redemption' then p.amount else -p.amount end) as points
        from postings p
        ${withOwner('p')}
        where 'program.redemption' in (p.debit_account, p.credit_account)
          and ($1::uuid is null or p.environment_id = $1)
        group by p.environment_id, p.program_id, ${ownerOf('p')}
      ), committed as (
        select r.environment_id, r.program_id, ${ownerOf('r')} as member_id,
          sum(case when r.reversed_minor = 0 then r.points else r.points - r.reversed_points end) as points
        from redemption_reservations r
        ${withOwner('r')}
        where r.state = 'committed' and ($1::uuid is null or r.environment_id = $1)
        group by r.environment_id, r.program_id, ${ownerOf('r')}
      )
      select environment_id || ' ' || program_id || ' ' || member_id as subject,
        coalesce(spent.points, 0) as expected, coalesce(committed.points, 0) as found
      from spent full join committed using (environment_id, program_id, member_id)`,
  },
  {
    id: 'reversals-restore-lots',
    title:
      'Reversals gave each lot back what was spent of it, the lots that were spent last before the others',
    sinceDay: 'newer',
    sql: `
      -- A lot that a merge has moved goes on as another one: both count as the lot that it was to begin with.
      with given_back as (
        select t.environment_id, t.reversal_of as commit_transaction_id, ${originOf('p')} as lot_id, sum(p.amount) as points
        from transactions t
        join postings p on p.environment_id = t.environment_id and p.transaction_id = t.id
          and p.debit_account = 'program.redemption'
        ${withLot('p')}
        where t.event_type = 'redemption.reversed' and ($1::uuid is null or t.environment_id = $1)
          and ${ofNewerTransaction('t', 't.reversal_of')}
        group by t.environment_id, t.reversal_of, ${originOf('p')}
      ), due as (
        select r.environment_id, r.commit_transaction_id, ${originOf('p')} as lot_id, r.id,
          sum(least(p.amount, r.reversed_points - p.later)) as points
        from redemption_reservations r
        cross join lateral (
          select *, sum(amount) over (order by line desc) - amount as later
          from postings
          where environment_id = r.environment_id and transaction_id = r.reserve_transaction_id
            and credit_account = 'member.reserved'
        ) p
        ${withLot('p')}
        where r.reversed_points > p.later and ($1::uuid is null or r.environment_id = $1)
          and ${ofNewerTransaction('r', 'r.commit_transaction_id')}
        group by r.environment_id, r.commit_transaction_id, ${originOf('p')}, r.id
      )
      select coalesce(due.id::text, 'transaction ' || commit_transaction_id) || ' ' || lot_id as subject,
        given_back.points as expected, due.points as found
      from given_back full join due using (environment_id, commit_transaction_id, lot_id)`,
  },
  {
    id: 'reversed-parts-add-up',
    title: 'As many points of each redemption came back as the reversed part of its discount is worth',
    sinceDay: 'newer',
    sql: `
      select id::text as subject,
        case when discount_minor is null then case when state = 'reversed' then points else 0 end
          else div(2 * points::numeric * reversed_minor + discount_minor, 2 * discount_minor) end as expected,
        case when reversed_minor = 0 and discount_minor is null
          or (state = 'reversed') = (reversed_minor = discount_minor) then reversed_points end as found
      from (
        select *, (terms #>> '{discount,amountMinor}')::numeric as discount_minor
        from redemption_reservations
        where commit_transaction_id is not null and ($1::uuid is null or environment_id = $1)
          and ${newer('reserved_at')}
      ) as r`,
  },
  {
    id: 'discounts-equal-points',
    title: 'Every discount is worth the points that pay for it, in the quote and in the reservation',
    sinceDay: 'newer',
    sql: `
      select kind || ' ' || id as subject,
        points * (discount ->> 'unitMinor')::numeric as expected,
        (discount ->> 'amountMinor')::numeric * (discount ->> 'pointsPerUnit')::numeric as found
      from (
        select 'quote' as kind, id, points, terms -> 'discount' as discount
        from redemption_quotes
        where terms -> 'discount' is not null and ($1::uuid is null or environment_id = $1)
          and ${newer('created_at')}
        union all
        select 'reservation', id, points, terms -> 'discount'
        from redemption_reservations
        where terms -> 'discount' is not null and ($1::uuid is null or environment_id = $1)
          and ${newer('reserved_at')}
      ) as paid`,
  },
  {
    id: 'reserved-quotes-equal-reservations',
    title: 'Every reserved quote has its one reservation, of its points',
    sinceDay: 'newer',
    sql: `
      with quoted as (
        select environment_id, id, points
        from redemption_quotes
        where state = 'reserved' and ($1::uuid is null or environment_id = $1) and ${newer('created_at')}
      ), held as (
        select r.environment_id, r.quote_id as id, r.points
        from redemption_reservations r
        where ($1::uuid is null or r.environment_id = $1) and ($2::timestamptz is null or exists (
          select from redemption_quotes newer
          where newer.environment_id = r.environment_id and newer.id = r.quote_id and newer.created_at >= $2))
      )
      select id::text as subject, quoted.points as expected, held.points as found
      from quoted full join held using (environment_id, id)`,
  },
  {
    id: 'stocks-equal-reservations',
    title: 'As many of each limited reward are taken as are held or redeemed',
    sinceDay: { leftOut: 'a stock counts the reservations of all days' },
    sql: `
      with held as (
        select environment_id, program_id, reward_id, count(*) as taken
        from redemption_reservations
        where state in ('reserved', 'committed') and terms ->> 'inventory' is not null
          and ($1::uuid is null or environment_id = $1)
        group by environment_id, program_id, reward_id
      ), kept as (
        select environment_id, program_id, reward_id, taken
        from reward_stocks
        where $1::uuid is null or environment_id = $1
      )
      select environment_id || ' ' || program_id || ' ' || reward_id as subject,
        coalesce(held.taken, 0) as expected, kept.taken as found
      from held full join kept using (environment_id, program_id, reward_id)`,
  },
];
