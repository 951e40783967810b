import { type LedgerControl, newer, ofNewerTransaction } from './ledger-control.ts';
import { ownerOf, withOwner } from './owner-of-rows.ts';

/** Controls over adjustments, opening balances, the exchange with partners and reversals: compared with postings. */
export const ADJUSTMENT_CONTROLS: readonly LedgerControl[] = [
  {
    id: 'adjustments-equal-postings',
    title:
      'Every adjustment moved its points once, and back once where it was reversed, and nothing else was adjusted',
    sinceDay: 'newer',
    sql: `
      with moved as (
        select p.environment_id, p.transaction_id, p.program_id, ${ownerOf('p')} as member_id,
          sum(case when p.debit_account = 'program.adjustment' then p.amount else -p.amount end) as points
        from postings p
        ${withOwner('p')}
        where 'program.adjustment' in (p.debit_account, p.credit_account)
          and ($1::uuid is null or p.environment_id = $1) and ${newer('p.created_at')}
        group by p.environment_id, p.transaction_id, p.program_id, ${ownerOf('p')}
        -- What a reversed credit repays to other lots adds up to nothing.
        having sum(case when p.debit_account = 'program.adjustment' then p.amount else -p.amount end) <> 0
      ), decided as (
        select a.environment_id, a.transaction_id, a.program_id, ${ownerOf('a')} as member_id,
          case a.direction when 'credit' then a.points else -a.points end as points
        from adjustments a
        ${withOwner('a')}
        where a.transaction_id is not null and ($1::uuid is null or a.environment_id = $1)
          and ${ofNewerTransaction('a')}
        union all
        select a.environment_id, a.reversal_transaction_id, a.program_id, ${ownerOf('a')},
          case a.direction when 'credit' then -a.points else a.points end
        from adjustments a
        ${withOwner('a')}
        where a.reversal_transaction_id is not null and ($1::uuid is null or a.environment_id = $1)
          and ${ofNewerTransaction('a', 'a.reversal_transaction_id')}
      )
      select transaction_id || ' ' || program_id || ' ' || member_id as subject,
        moved.points as expected, decided.points as found
      from moved full join decided using (environment_id, transaction_id, program_id, member_id)`,
  },
  {
    id: 'lent-points-equal-postings',
    title:
      'Every lot has lent, or owes, what reversals of credits and ' +
      'repayments posted to it, and keeps nothing that it owes',
    sinceDay: { leftOut: 'what a lot has lent is the sum of its postings of all days' },
    sql: `
      with standing as (
        select environment_id, moved.transaction_id
        from adjustments
        cross join lateral (values (transaction_id), (reversal_transaction_id)) as moved (transaction_id)
        where (direction = 'debit' or state = 'posted') and moved.transaction_id is not null
          and ($1::uuid is null or environment_id = $1)
        union all
        select environment_id, transaction_id
        from exchange_settlements
        where (direction = 'out' or (reverses is null and reversed_by is null))
          and ($1::uuid is null or environment_id = $1)
      ), posted as (
        select p.environment_id, coalesce(l.origin_lot_id, p.lot_id) as lot_id,
          sum(case when p.credit_account in ('program.adjustment', 'program.clearing') then p.amount
            else -p.amount end) as points
        from postings p
        left join standing s on s.environment_id = p.environment_id and s.transaction_id = p.transaction_id
        left join lots l on l.environment_id = p.environment_id and l.id = p.lot_id and l.origin_lot_id is not null
        where (p.debit_account in ('program.adjustment', 'program.clearing')
            or p.credit_account in ('program.adjustment', 'program.clearing')) and s.transaction_id is null
          and ($1::uuid is null or p.environment_id = $1)
        group by p.environment_id, coalesce(l.origin_lot_id, p.lot_id)
      ), lent as (
        select environment_id, coalesce(origin_lot_id, id) as lot_id,
          case when lent > 0 or pending + available = 0 then lent end as points
        from lots
        where lent <> 0 and ($1::uuid is null or environment_id = $1)
      )
      select lot_id::text as subject, coalesce(posted.points, 0) as expected,
        case when lent.lot_id is null then 0 else lent.points end as found
      from posted full join lent using (environment_id, lot_id)`,
  },
  {
    id: 'openings-equal-postings',
    title:
      'Every credit that no adjustment asked for is an opening balance, acknowledged once with its points',
    sinceDay: 'newer',
    sql: `
      with acknowledged as (
        select environment_id, transaction_id, count(*) as keys
        from idempotency_keys
        where operation = 'openBalance' and ($1::uuid is null or environment_id = $1)
          and ${newer('created_at')}
        group by environment_id, transaction_id
      ), adjusted as (
        select environment_id, transaction_id
        from adjustments
        where transaction_id is not null and ($1::uuid is null or environment_id = $1)
      )
      select coalesce(t.id, k.transaction_id)::text as subject, t.points as expected,
        case when k.keys = 1 then (t.receipt -> 'balance' ->> 'points')::numeric end as found
      from (select t.* from transactions t
        left join adjusted a on a.environment_id = t.environment_id and a.transaction_id = t.id
        where t.event_type = 'adjustment.posted' and a.transaction_id is null
          and ($1::uuid is null or t.environment_id = $1) and ${newer('t.created_at')}) as t
      full join acknowledged k on k.environment_id = t.environment_id and k.transaction_id = t.id`,
  },
  {
    id: 'exchanges-equal-postings',
    title:
      'Every settlement with a partner, and every reversal of one, moved its points, and nothing else was exchanged',
    sinceDay: 'newer',
    sql: `
      with moved as (
        select p.environment_id, p.transaction_id, p.program_id, ${ownerOf('p')} as member_id,
          sum(case when p.debit_account = 'program.clearing' then p.amount else -p.amount end) as points
        from postings p
        ${withOwner('p')}
        where 'program.clearing' in (p.debit_account, p.credit_account)
          and ($1::uuid is null or p.environment_id = $1) and ${newer('p.created_at')}
        group by p.environment_id, p.transaction_id, p.program_id, ${ownerOf('p')}
      ), settled as (
        select s.environment_id, s.transaction_id, s.program_id, ${ownerOf('s')} as member_id,
          case when (s.direction = 'in') = (s.reverses is null) then s.points else -s.points end as points
        from exchange_settlements s
        ${withOwner('s')}
        where ($1::uuid is null or s.environment_id = $1) and ${newer('s.created_at')}
      )
      select transaction_id || ' ' || program_id || ' ' || member_id as subject,
        moved.points as expected, settled.points as found
      from moved full join settled using (environment_id, transaction_id, program_id, member_id)`,
  },
  {
    id: 'exchanges-are-reversed-once',
    title: 'Every reversal of a settlement with a partner is named by it, and undoes it as it was made',
    sinceDay: 'whole',
    sql: `
      select coalesce(r.settlement_reference, '') || ' ' || coalesce(s.settlement_reference, '') as subject,
        r.points as expected,
        case when r.points is null or (r.direction, r.partner_id, r.program_id, ${ownerOf('r')})
          = (s.direction, s.partner_id, s.program_id, ${ownerOf('s')}) then s.points end as found
      from (select * from exchange_settlements
        where reverses is not null and ($1::uuid is null or environment_id = $1)) as r
      full join (select * from exchange_settlements
        where reversed_by is not null and ($1::uuid is null or environment_id = $1)) as s
        on s.environment_id = r.environment_id and s.settlement_reference = r.reverses
          and s.reversed_by = r.settlement_reference
      ${withOwner('r')}
      ${withOwner('s')}`,
  },
  {
    id: 'reversals-are-mutual',
    title:
      'Every transaction that reverses another one is named by it, and the ' +
      'other way round; of parts of a redemption the last',
    sinceDay: 'newer',
    sql: `
      with reversing as (
        select t.environment_id, t.reversal_of as reversed_id, t.id as reversing_id, 1 as links
        from transactions t
        -- Of the parts in which a redemption is reversed, the last one has reversed it.
        left join redemption_reservations r on t.event_type = 'redemption.reversed'
          and r.environment_id = t.environment_id and r.commit_transaction_id = t.reversal_of
        where t.reversal_of is not null and ($1::uuid is null or t.environment_id = $1)
          and ${newer('t.created_at')}
          and (r.id is null or (r.state = 'reversed' and r.transaction_id = t.id))
      ), reversed as (
        select environment_id, id as reversed_id, reversed_by as reversing_id, 1 as links
        from transactions t
        where state = 'reversed' and ($1::uuid is null or environment_id = $1)
          and ${ofNewerTransaction('t', 't.reversed_by')}
      )
      select coalesce(reversed_id::text, '') || ' ' || coalesce(reversing_id::text, '') as subject,
        reversing.links as expected, reversed.links as found
      from reversing full join reversed using (environment_id, reversed_id, reversing_id)`,
  },
];
