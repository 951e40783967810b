import type { LedgerControl } from './ledger-controls.ts';

/** Controls over adjustments and reversals: compared with transactions and postings. */
export const ADJUSTMENT_CONTROLS: readonly LedgerControl[] = [
  {
    id: 'adjustments-equal-postings',
    title:
      'Every adjustment moved its points once, and back once where it was reversed, and nothing else was adjusted',
    sql: `
      with moved as (
        select environment_id, transaction_id, program_id, member_id,
          sum(case when debit_account = 'program.adjustment' then amount else -amount end) as points
        from postings
        where 'program.adjustment' in (debit_account, credit_account)
          and ($1::uuid is null or environment_id = $1)
        group by environment_id, transaction_id, program_id, member_id
        -- What a reversed credit repays to other lots adds up to nothing.
        having sum(case when debit_account = 'program.adjustment' then amount else -amount end) <> 0
      ), decided as (
        select environment_id, transaction_id, program_id, member_id,
          case direction when 'credit' then points else -points end as points
        from adjustments
        where transaction_id is not null and ($1::uuid is null or environment_id = $1)
        union all
        select environment_id, reversal_transaction_id, program_id, member_id,
          case direction when 'credit' then -points else points end
        from adjustments
        where reversal_transaction_id is not null and ($1::uuid is null or environment_id = $1)
      )
      select transaction_id || ' ' || program_id || ' ' || member_id as subject,
        moved.points as expected, decided.points as found
      from moved full join decided using (environment_id, transaction_id, program_id, member_id)`,
  },
  {
    id: 'lent-points-equal-postings',
    title:
      'Every lot has lent, or owes, what reversals of credits and repayments posted to it, and keeps nothing that it owes',
    sql: `
      with standing as (
        select environment_id, moved.transaction_id
        from adjustments
        cross join lateral (values (transaction_id), (reversal_transaction_id)) as moved (transaction_id)
        where (direction = 'debit' or state = 'posted') and moved.transaction_id is not null
          and ($1::uuid is null or environment_id = $1)
      ), posted as (
        select p.environment_id, p.lot_id,
          sum(case when p.credit_account = 'program.adjustment' then p.amount else -p.amount end) as points
        from postings p
        left join standing s on s.environment_id = p.environment_id and s.transaction_id = p.transaction_id
        where 'program.adjustment' in (p.debit_account, p.credit_account) and s.transaction_id is null
          and ($1::uuid is null or p.environment_id = $1)
        group by p.environment_id, p.lot_id
      ), lent as (
        select environment_id, id as lot_id, case when lent > 0 or pending + available = 0 then lent end as points
        from lots
        where lent <> 0 and ($1::uuid is null or environment_id = $1)
      )
      select lot_id::text as subject, coalesce(posted.points, 0) as expected,
        case when lent.lot_id is null then 0 else lent.points end as found
      from posted full join lent using (environment_id, lot_id)`,
  },
  {
    id: 'reversals-are-mutual',
    title: 'Every transaction that reverses another one is named by it, and the other way round',
    sql: `
      with reversing as (
        select environment_id, reversal_of as reversed_id, id as reversing_id, 1 as links
        from transactions
        where reversal_of is not null and ($1::uuid is null or environment_id = $1)
      ), reversed as (
        select environment_id, id as reversed_id, reversed_by as reversing_id, 1 as links
        from transactions
        where state = 'reversed' and ($1::uuid is null or environment_id = $1)
      )
      select coalesce(reversed_id::text, '') || ' ' || coalesce(reversing_id::text, '') as subject,
        reversing.links as expected, reversed.links as found
      from reversing full join reversed using (environment_id, reversed_id, reversing_id)`,
  },
];
