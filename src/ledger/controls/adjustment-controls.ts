import type { LedgerControl } from './ledger-controls.ts';

/** Controls over adjustments and reversals: compared with transactions and postings. */
export const ADJUSTMENT_CONTROLS: readonly LedgerControl[] = [
  {
    id: 'adjustments-equal-postings',
    title:
      'Every adjustment moved its points once, and back once where it was reversed, and nothing else did',
    sql: `
      with moved as (
        select environment_id, transaction_id, program_id, member_id,
          sum(case when debit_account = 'program.adjustment' then amount else -amount end) as points
        from postings
        where 'program.adjustment' in (debit_account, credit_account)
          and ($1::uuid is null or environment_id = $1)
        group by environment_id, transaction_id, program_id, member_id
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
