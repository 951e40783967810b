import type { LedgerControl } from './ledger-controls.ts';
import { ownerOf, withOwner } from './owner-of-rows.ts';

/** Controls over quotes, reservations and stocks: compared with the postings of redemptions. */
export const REDEMPTION_CONTROLS: readonly LedgerControl[] = [
  {
    id: 'holds-equal-reserved',
    title: 'Every reserved balance equals the points of its open reservations',
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
    sql: `
      with posted as (
        select environment_id, transaction_id, sum(amount) as points
        from postings
        where credit_account = 'member.reserved' and ($1::uuid is null or environment_id = $1)
        group by environment_id, transaction_id
      ), held as (
        select environment_id, reserve_transaction_id as transaction_id, id, points
        from redemption_reservations
        where $1::uuid is null or environment_id = $1
      )
      select coalesce(held.id::text, 'transaction ' || transaction_id) as subject, posted.points as expected,
        held.points as found
      from posted full join held using (environment_id, transaction_id)`,
  },
  {
    id: 'holds-end-once',
    title: 'Every hold that ended gave up what it held, lot by lot, and no other one did',
    sql: `
      with given_up as (
        select environment_id, transaction_id, lot_id, sum(amount) as points
        from postings
        where debit_account = 'member.reserved' and ($1::uuid is null or environment_id = $1)
        group by environment_id, transaction_id, lot_id
      ), held as (
        select r.environment_id, coalesce(r.commit_transaction_id, r.transaction_id) as transaction_id, p.lot_id, r.id,
          sum(p.amount) as points
        from redemption_reservations r
        join postings p on p.environment_id = r.environment_id and p.transaction_id = r.reserve_transaction_id
          and p.credit_account = 'member.reserved'
        where r.state <> 'reserved' and ($1::uuid is null or r.environment_id = $1)
        group by r.environment_id, r.id, p.lot_id
      )
      select coalesce(held.id::text, 'transaction ' || transaction_id) || ' ' || lot_id as subject,
        given_up.points as expected, held.points as found
      from given_up full join held using (environment_id, transaction_id, lot_id)`,
  },
  {
    id: 'redemptions-equal-postings',
    title: "What each member's postings spent equals the points of its committed reservations",
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
        select r.environment_id, r.program_id, ${ownerOf('r')} as member_id, sum(r.points) as points
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
    id: 'reserved-quotes-equal-reservations',
    title: 'Every reserved quote has its one reservation, of its points',
    sql: `
      with quoted as (
        select environment_id, id, points
        from redemption_quotes
        where state = 'reserved' and ($1::uuid is null or environment_id = $1)
      ), held as (
        select environment_id, quote_id as id, points
        from redemption_reservations
        where $1::uuid is null or environment_id = $1
      )
      select id::text as subject, quoted.points as expected, held.points as found
      from quoted full join held using (environment_id, id)`,
  },
  {
    id: 'stocks-equal-reservations',
    title: 'As many of each limited reward are taken as are held or redeemed',
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
