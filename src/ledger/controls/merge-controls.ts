import { type LedgerControl, newer } from './ledger-control.ts';
import { originOf, ownerOf, withLot, withOwner } from './owner-of-rows.ts';

/** Controls over members that were merged, and the lots that were moved. */
export const MERGE_CONTROLS: readonly LedgerControl[] = [
  {
    id: 'merged-members-are-empty',
    title: 'No member that was merged into another one has points, purchases or an enrollment',
    sinceDay: 'whole',
    sql: `
      select p.environment_id || ' ' || p.program_id || ' ' || p.member_id as subject, 0 as expected,
        p.available + p.pending + p.reserved + p.purchase_count + p.referral_count + p.qualification_points
          + p.enrolled::integer as found
      from program_profiles p
      join members m on m.environment_id = p.environment_id and m.id = p.member_id and m.merged_into is not null
      where $1::uuid is null or p.environment_id = $1`,
  },
  {
    id: 'merges-equal-members',
    title:
      'Every member that is merged into another one is so by one approved merge ' +
      'that was not undone, and the other one is not merged',
    sinceDay: 'whole',
    sql: `
      with approved as (
        select environment_id, source_member_id as member_id, count(*) as merges
        from member_merges
        where state in ('merged', 'unmerge_requested') and ($1::uuid is null or environment_id = $1)
        group by environment_id, source_member_id
      ), merged as (
        select m.environment_id, m.id as member_id, case when target.merged_into is null then 1 end as merges
        from members m
        left join members target on target.environment_id = m.environment_id and target.id = m.merged_into
        where m.merged_into is not null and ($1::uuid is null or m.environment_id = $1)
      )
      select environment_id || ' ' || member_id as subject, approved.merges as expected, merged.merges as found
      from approved full join merged using (environment_id, member_id)`,
  },
  {
    id: 'moved-lots-equal-origins',
    title:
      'Every lot that was moved has the transaction, the points and the dates of ' +
      'the one it was, and its owner while it holds anything',
    sinceDay: 'whole',
    sql: `
      select l.id::text as subject, origin.granted as expected,
        case when (l.transaction_id, l.program_id, l.inactivity_days) is not distinct from
            (origin.transaction_id, origin.program_id, origin.inactivity_days)
          and l.activates_at is not distinct from origin.activates_at
          and origin.origin_lot_id is null
          -- Of a merge that was undone the target keeps an empty lot.
          and (${ownerOf('l')} = ${ownerOf('origin')}
            or (l.pending, l.available, l.reserved, l.claimed, l.lent) = (0, 0, 0, 0, 0)) then l.granted end as found
      from lots l
      left join lots origin on origin.environment_id = l.environment_id and origin.id = l.origin_lot_id
      ${withOwner('l')}
      ${withOwner('origin')}
      where l.origin_lot_id is not null and ($1::uuid is null or l.environment_id = $1)`,
  },
  {
    id: 'transfers-add-up',
    title: 'As many points came into what each lot was moved to as were taken out of it',
    sinceDay: 'newer',
    sql: `
      select concat_ws(' ', p.environment_id, ${originOf('p')}, p.created_at) as subject,
        coalesce(sum(p.amount) filter (where p.credit_account = 'program.transfer'), 0) as expected,
        coalesce(sum(p.amount) filter (where p.debit_account = 'program.transfer'), 0) as found
      from postings p
      ${withLot('p')}
      where 'program.transfer' in (p.debit_account, p.credit_account) and ($1::uuid is null or p.environment_id = $1)
        and ${newer('p.created_at')}
      group by p.environment_id, ${originOf('p')}, p.created_at`,
  },
  {
    id: 'transfers-are-merges',
    title:
      'Points are transferred by merges alone, and by their undoing, at the time at which that was approved',
    sinceDay: 'newer',
    sql: `
      select t.id::text as subject, t.points as expected,
        case when exists (select from member_merges g
            where g.environment_id = t.environment_id and t.member_id in (g.source_member_id, g.target_member_id)
              and (
                t.event_type = 'member.merged' and g.decided_at = t.created_at
                  and g.state in ('merged', 'unmerge_requested', 'unmerged')
                or t.event_type = 'member.unmerged' and g.unmerged_at = t.created_at and g.state = 'unmerged'
              ))
          then t.points end as found
      from transactions t
      where ($1::uuid is null or t.environment_id = $1) and ${newer('t.created_at')}
        and (t.event_type in ('member.merged', 'member.unmerged')
        or exists (select from postings p where p.environment_id = t.environment_id and p.transaction_id = t.id
          and 'program.transfer' in (p.debit_account, p.credit_account) and ${newer('p.created_at')}))`,
  },
  {
    id: 'given-back-equals-moved',
    title: 'Where a merge was undone, each lot was given back with as many points as had been moved',
    sinceDay: 'whole',
    sql: `
      with moved as (
        select g.environment_id, g.id as merge_id, ${originOf('p')} as lot_id,
          sum(p.amount) filter (where p.credit_account = 'program.transfer' and p.created_at = g.decided_at) as went,
          sum(p.amount) filter (where p.debit_account = 'program.transfer' and p.created_at = g.unmerged_at) as came
        from member_merges g
        join transactions t on t.environment_id = g.environment_id and t.member_id = g.source_member_id
          and t.event_type in ('member.merged', 'member.unmerged') and t.created_at in (g.decided_at, g.unmerged_at)
        join postings p on p.environment_id = t.environment_id and p.transaction_id = t.id
        ${withLot('p')}
        where g.state = 'unmerged' and ($1::uuid is null or g.environment_id = $1)
        group by g.environment_id, g.id, ${originOf('p')}
      )
      select concat_ws(' ', environment_id, merge_id, lot_id) as subject, coalesce(went, 0) as expected,
        coalesce(came, 0) as found
      from moved`,
  },
];
