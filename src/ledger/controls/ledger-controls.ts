import { FIRST_DAY, type LedgerControl, lookedAt, newer } from './ledger-control.ts';

// The changes of the three member accounts by postings: a credit raises a balance, a debit lowers it.
const MOVEMENTS = `
  select p.environment_id, p.program_id, p.member_id, p.lot_id, p.transaction_id, side.account, side.amount
  from postings p
  cross join lateral (values (p.credit_account, p.amount), (p.debit_account, -p.amount)) as side (account, amount)
  where side.account like 'member.%' and ($1::uuid is null or p.environment_id = $1)`;

// The three balances of each profile, one a row.
const BALANCES = `
  select p.environment_id, p.program_id, p.member_id, balance.account, balance.points
  from program_profiles p
  cross join lateral (values ('member.available', p.available), ('member.pending', p.pending),
    ('member.reserved', p.reserved)) as balance (account, points)
  where ($1::uuid is null or p.environment_id = $1)`;

/** SQL: the three amounts of each lot, one a row. @param lots those that are looked at */
const lotAmounts = (lots: string): string => `
  select l.environment_id, l.program_id, l.member_id, l.id as lot_id, amount.account, amount.points
  from ${lots} l
  cross join lateral (values ('member.available', l.available), ('member.pending', l.pending),
    ('member.reserved', l.reserved)) as amount (account, points)
  where ($1::uuid is null or l.environment_id = $1)`;

// Whether a posting, `p`, names a lot that is looked at, or none.
const OF_NEWER_LOT = `($2::timestamptz is null or p.created_at >= $2 and (p.lot_id is null or exists (
    select from lots granted
    where granted.environment_id = p.environment_id and granted.member_id = p.member_id
      and granted.program_id = p.program_id and granted.id = p.lot_id and granted.created_at >= $2)))`;

/** SQL: whether points of the profile of a row were moved lately. @param row its alias */
const hasMoved = (row: string): string => `exists (select from postings newer
            where newer.environment_id = ${row}.environment_id and newer.program_id = ${row}.program_id
              and newer.member_id = ${row}.member_id and ($1::uuid is null or newer.environment_id = $1)
              and newer.created_at >= $2)`;

// The last closed balances of each profile before the first day, one a row.
const CARRIED_BALANCES = `
  select p.environment_id, p.program_id, p.member_id, balance.account, balance.points
  from program_profiles p
  cross join lateral (
    select d.available, d.pending, d.reserved from member_days d
    where d.environment_id = p.environment_id and d.program_id = p.program_id and d.member_id = p.member_id
      and d.day < ${FIRST_DAY}
    order by d.day desc
    limit 1
  ) as closed
  cross join lateral (values ('member.available', closed.available), ('member.pending', closed.pending),
    ('member.reserved', closed.reserved)) as balance (account, points)
  where ($1::uuid is null or p.environment_id = $1)`;

/** Controls over postings, balances and lots. */
export const LEDGER_CONTROLS: readonly LedgerControl[] = [
  {
    id: 'debits-equal-credits',
    title: 'In each program, debits equal credits',
    sinceDay: 'newer',
    sql: `
      select environment_id || ' ' || program_id as subject,
        sum(entry.amount) filter (where entry.direction = 'debit') as expected,
        sum(entry.amount) filter (where entry.direction = 'credit') as found
      from postings
      cross join lateral (values ('debit', debit_account, amount), ('credit', credit_account, amount))
        as entry (direction, account, amount)
      where ($1::uuid is null or environment_id = $1) and ${newer('created_at')}
      group by environment_id, program_id`,
  },
  {
    id: 'roll-forward',
    title:
      "In each program, issued, redeemed, expired, adjusted and cleared points add up to the members' balances",
    sinceDay: {
      carried: `
      with moved as (
        select environment_id, program_id, sum(points) as points
        from (
          select p.environment_id, p.program_id, sum(side.amount) as points
          from postings p
          cross join lateral (values (p.debit_account, p.amount), (p.credit_account, -p.amount))
            as side (account, amount)
          where side.account like 'program.%' and p.created_at >= $2 and ($1::uuid is null or p.environment_id = $1)
          group by p.environment_id, p.program_id
          union all
          select d.environment_id, d.program_id, sum(side.amount)
          from ledger_days d
          cross join lateral (values (d.debit_account, d.amount), (d.credit_account, -d.amount))
            as side (account, amount)
          where side.account like 'program.%' and d.day < ${FIRST_DAY}
            and ($1::uuid is null or d.environment_id = $1)
          group by d.environment_id, d.program_id
        ) part
        group by environment_id, program_id
      ), held as (
        select environment_id, program_id, sum(available + pending + reserved) as points
        from program_profiles
        where $1::uuid is null or environment_id = $1
        group by environment_id, program_id
      )
      select environment_id || ' ' || program_id as subject, coalesce(moved.points, 0) as expected,
        coalesce(held.points, 0) as found
      from moved full join held using (environment_id, program_id)`,
    },
    sql: `
      with moved as (
        select p.environment_id, p.program_id, sum(side.amount) as points
        from postings p
        cross join lateral (values (p.debit_account, p.amount), (p.credit_account, -p.amount))
          as side (account, amount)
        where side.account like 'program.%' and ($1::uuid is null or p.environment_id = $1)
        group by p.environment_id, p.program_id
      ), held as (
        select environment_id, program_id, sum(available + pending + reserved) as points
        from program_profiles
        where $1::uuid is null or environment_id = $1
        group by environment_id, program_id
      )
      select environment_id || ' ' || program_id as subject, coalesce(moved.points, 0) as expected,
        coalesce(held.points, 0) as found
      from moved full join held using (environment_id, program_id)`,
  },
  {
    id: 'postings-of-transactions',
    title: "Every posting stands in its transaction's program and member",
    sinceDay: 'newer',
    sql: `
      select p.transaction_id || ' line ' || p.line as subject, p.amount as expected,
        case when t.program_id = p.program_id and t.member_id = p.member_id then p.amount end as found
      from postings p
      left join transactions t on t.environment_id = p.environment_id and t.id = p.transaction_id
        and ${newer('t.created_at')}
      where ($1::uuid is null or p.environment_id = $1) and ${newer('p.created_at')}`,
  },
  {
    id: 'points-of-transactions',
    title: "Every transaction's points equal its postings",
    sinceDay: 'newer',
    sql: `
      with moved as (
        select environment_id, transaction_id, sum(amount) as points
        from postings
        where ($1::uuid is null or environment_id = $1) and ${newer('created_at')}
        group by environment_id, transaction_id
      )
      select t.id::text as subject, coalesce(moved.points, 0) as expected, t.points as found
      from transactions t
      left join moved on moved.environment_id = t.environment_id and moved.transaction_id = t.id
      where ($1::uuid is null or t.environment_id = $1) and ${newer('t.created_at')}`,
  },
  {
    id: 'balances-equal-postings',
    title: "Every balance equals its account's postings",
    sinceDay: {
      carried: `
      with moved as (
        select environment_id, program_id, member_id, account, sum(points) as points
        from (
          select environment_id, program_id, member_id, account, amount as points
          from (${MOVEMENTS} and p.created_at >= $2) as movement
          union all
          select environment_id, program_id, member_id, account, points from (${CARRIED_BALANCES}) as closed
        ) part
        group by environment_id, program_id, member_id, account
      ), held as (${BALANCES})
      select environment_id || ' ' || program_id || ' ' || member_id || ' ' || account as subject,
        coalesce(moved.points, 0) as expected, held.points as found
      from moved full join held using (environment_id, program_id, member_id, account)`,
    },
    sql: `
      with moved as (
        select environment_id, program_id, member_id, account, sum(amount) as points
        from (${MOVEMENTS}) as movement
        group by environment_id, program_id, member_id, account
      ), held as (${BALANCES})
      select environment_id || ' ' || program_id || ' ' || member_id || ' ' || account as subject,
        coalesce(moved.points, 0) as expected, held.points as found
      from moved full join held using (environment_id, program_id, member_id, account)`,
  },
  {
    id: 'lots-equal-postings',
    title: "Every lot's amounts equal the postings that name it",
    sinceDay: 'newer',
    sql: `
      with moved as (
        select environment_id, program_id, member_id, lot_id, account, sum(amount) as points
        from (${MOVEMENTS} and ${OF_NEWER_LOT}) as movement
        group by environment_id, program_id, member_id, lot_id, account
      ), held as (${lotAmounts('lots')} and ${newer('l.created_at')})
      select coalesce(lot_id::text, 'no lot, member ' || member_id) || ' ' || account as subject,
        coalesce(moved.points, 0) as expected, held.points as found
      from moved full join held using (environment_id, program_id, member_id, lot_id, account)`,
  },
  {
    id: 'lots-equal-balances',
    title: "Every balance equals the amounts of the profile's lots",
    sinceDay: 'newer',
    sql: `
      with in_lots as (
        select environment_id, program_id, member_id, account, sum(points) as points
        from (${lotAmounts(lookedAt('lots', hasMoved))}) as amount
        group by environment_id, program_id, member_id, account
      ), held as (${BALANCES} and ($2::timestamptz is null or ${hasMoved('p')}))
      select environment_id || ' ' || program_id || ' ' || member_id || ' ' || account as subject,
        coalesce(in_lots.points, 0) as expected, held.points as found
      from in_lots full join held using (environment_id, program_id, member_id, account)`,
  },
  {
    id: 'grants-of-lots',
    title: 'Every lot was granted what its transaction posted to it',
    sinceDay: 'newer',
    sql: `
      with posted as (
        select environment_id, transaction_id, lot_id, sum(amount) as points
        from postings
        where credit_account like 'member.%' and debit_account like 'program.%'
          and ($1::uuid is null or environment_id = $1) and ${newer('created_at')}
        group by environment_id, transaction_id, lot_id
      )
      -- What a lot was granted that was moved is what the lot was that it was before (moved-lots-equal-origins).
      select l.id::text as subject,
        case when l.origin_lot_id is null then coalesce(posted.points, 0) else l.granted end as expected,
        l.granted as found
      from lots l
      left join posted on posted.environment_id = l.environment_id and posted.transaction_id = l.transaction_id
        and posted.lot_id = l.id
      where ($1::uuid is null or l.environment_id = $1) and ${newer('l.created_at')}`,
  },
  {
    id: 'unenrolled-without-points',
    title: 'No unenrolled profile holds points',
    sinceDay: 'whole',
    sql: `
      select environment_id || ' ' || program_id || ' ' || member_id as subject, 0 as expected,
        available + pending + reserved as found
      from program_profiles
      where not enrolled and ($1::uuid is null or environment_id = $1)`,
  },
];
