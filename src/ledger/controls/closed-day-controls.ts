import { movedSql } from '../closed-days/roll-up.ts';
import { FIRST_DAY, type LedgerControl, newer } from './ledger-control.ts';

// The postings of closed days.
const CLOSED_POSTINGS = `
  select p.*, (p.created_at at time zone 'UTC')::date as day
  from postings p
  join ledger_rollups r on r.environment_id = p.environment_id
    and p.created_at < (r.closed_through + 1)::timestamp at time zone 'UTC'
  where ($1::uuid is null or (p.environment_id = $1 and r.environment_id = $1))`;

// Balances at the ends of days as postings say (posted), and as they are kept.
const COMPARE_BALANCES = `
      select concat_ws(' ', environment_id, program_id, member_id, day) as subject,
        posted.available + posted.pending + posted.reserved as expected,
        case when posted.available is null or (posted.available, posted.pending, posted.reserved,
            posted.available_moved, posted.pending_moved, posted.reserved_moved)
          = (kept.available, kept.pending, kept.reserved, kept.available_moved, kept.pending_moved,
            kept.reserved_moved)
          then kept.available + kept.pending + kept.reserved end as found
      from posted full join kept using (environment_id, program_id, member_id, day)`;

/** Controls over closed days: compared with the postings that they were rolled up from. */
export const ROLL_UP_CONTROLS: readonly LedgerControl[] = [
  {
    id: 'closed-days-equal-postings',
    title: 'Every closed day of a program holds what its postings moved',
    sinceDay: 'newer',
    sql: `
      with posted as (
        select p.environment_id, p.program_id, p.day, p.debit_account, p.credit_account, t.event_type,
          sum(p.amount) as amount, count(*) as postings, count(*) filter (where p.line = 1) as transactions
        from (${CLOSED_POSTINGS} and ${newer('p.created_at')}) as p
        left join transactions t on t.environment_id = p.environment_id and t.id = p.transaction_id
          and ${newer('t.created_at')}
        group by p.environment_id, p.program_id, p.day, p.debit_account, p.credit_account, t.event_type
      ), kept as (
        select * from ledger_days
        where ($1::uuid is null or environment_id = $1) and ($2::timestamptz is null or day >= ${FIRST_DAY})
      )
      select concat_ws(' ', environment_id, program_id, day, debit_account, credit_account, event_type) as subject,
        posted.amount as expected,
        case when posted.postings = kept.postings and posted.transactions = kept.transactions
          or posted.amount is null then kept.amount end as found
      from posted
      full join kept using (environment_id, program_id, day, debit_account, credit_account, event_type)`,
  },
  {
    id: 'closed-balances-equal-postings',
    title: 'Every balance at the end of a closed day equals the postings until then',
    sinceDay: {
      carried: `
      with moved as (
        select p.environment_id, p.program_id, p.member_id, p.day, sum(${movedSql('available')}) as available,
          sum(${movedSql('pending')}) as pending, sum(${movedSql('reserved')}) as reserved
        from (${CLOSED_POSTINGS} and p.created_at >= $2) as p
        where p.debit_account like 'member.%' or p.credit_account like 'member.%'
        group by p.environment_id, p.program_id, p.member_id, p.day
      ), carried as (
        select member.*, closed.available, closed.pending, closed.reserved
        from (select distinct environment_id, program_id, member_id from moved) member
        cross join lateral (
          select d.available, d.pending, d.reserved from member_days d
          where d.environment_id = member.environment_id and d.program_id = member.program_id
            and ($1::uuid is null or d.environment_id = $1) and d.member_id = member.member_id and d.day < ${FIRST_DAY}
          order by d.day desc
          limit 1
        ) closed
      ), posted as (
        select m.environment_id, m.program_id, m.member_id, m.day, m.available as available_moved,
          m.pending as pending_moved, m.reserved as reserved_moved,
          coalesce(c.available, 0) + sum(m.available) over until_then as available,
          coalesce(c.pending, 0) + sum(m.pending) over until_then as pending,
          coalesce(c.reserved, 0) + sum(m.reserved) over until_then as reserved
        from moved m
        left join carried c on c.environment_id = m.environment_id and c.program_id = m.program_id
          and c.member_id = m.member_id
        window until_then as (partition by m.environment_id, m.program_id, m.member_id order by m.day)
      ), kept as (
        select * from member_days where day >= ${FIRST_DAY} and ($1::uuid is null or environment_id = $1)
      )
      ${COMPARE_BALANCES}`,
    },
    sql: `
      with moved as (
        select p.environment_id, p.program_id, p.member_id, p.day, sum(${movedSql('available')}) as available,
          sum(${movedSql('pending')}) as pending, sum(${movedSql('reserved')}) as reserved
        from (${CLOSED_POSTINGS}) as p
        where p.debit_account like 'member.%' or p.credit_account like 'member.%'
        group by p.environment_id, p.program_id, p.member_id, p.day
      ), posted as (
        select environment_id, program_id, member_id, day, available as available_moved,
          pending as pending_moved, reserved as reserved_moved, sum(available) over until_then as available,
          sum(pending) over until_then as pending, sum(reserved) over until_then as reserved
        from moved
        window until_then as (partition by environment_id, program_id, member_id order by day)
      ), kept as (
        select * from member_days where $1::uuid is null or environment_id = $1
      )
      ${COMPARE_BALANCES}`,
  },
];
