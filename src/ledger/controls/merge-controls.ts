import type { LedgerControl } from './ledger-controls.ts';
import { ownerOf, withOwner } from './owner-of-rows.ts';

/** Controls over members that were merged, and the lots that were moved. */
export const MERGE_CONTROLS: readonly LedgerControl[] = [
  {
    id: 'merged-members-are-empty',
    title: 'No member that was merged into another one has points, purchases or an enrollment',
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
      'Every member that was merged into another one was so by one approved merge, and the other one was not merged',
    sql: `
      with approved as (
        select environment_id, source_member_id as member_id, count(*) as merges
        from member_merges
        where state = 'merged' and ($1::uuid is null or environment_id = $1)
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
      'Every lot that was moved has the transaction, the points and the dates of the one it was, and its owner',
    sql: `
      select l.id::text as subject, origin.granted as expected,
        case when (l.transaction_id, l.program_id, l.inactivity_days) is not distinct from
            (origin.transaction_id, origin.program_id, origin.inactivity_days)
          and l.activates_at is not distinct from origin.activates_at
          and ${ownerOf('l')} = ${ownerOf('origin')} and origin.origin_lot_id is null then l.granted end as found
      from lots l
      left join lots origin on origin.environment_id = l.environment_id and origin.id = l.origin_lot_id
      ${withOwner('l')}
      ${withOwner('origin')}
      where l.origin_lot_id is not null and ($1::uuid is null or l.environment_id = $1)`,
  },
  {
    id: 'transfers-add-up',
    title: 'As many points came into what each lot was moved to as were taken out of it',
    sql: `
      select concat_ws(' ', p.environment_id, coalesce(l.origin_lot_id, p.lot_id), p.created_at) as subject,
        coalesce(sum(p.amount) filter (where p.credit_account = 'program.transfer'), 0) as expected,
        coalesce(sum(p.amount) filter (where p.debit_account = 'program.transfer'), 0) as found
      from postings p
      left join lots l on l.environment_id = p.environment_id and l.member_id = p.member_id
        and l.program_id = p.program_id and l.id = p.lot_id
      where 'program.transfer' in (p.debit_account, p.credit_account) and ($1::uuid is null or p.environment_id = $1)
      group by p.environment_id, coalesce(l.origin_lot_id, p.lot_id), p.created_at`,
  },
  {
    id: 'transfers-are-merges',
    title: 'Points are transferred by merges alone, of members whose merge was approved',
    sql: `
      select t.id::text as subject, t.points as expected,
        case when t.event_type = 'member.merged' and exists (select from member_merges g
            where g.environment_id = t.environment_id and g.state = 'merged'
              and t.member_id in (g.source_member_id, g.target_member_id) and g.decided_at = t.created_at)
          then t.points end as found
      from transactions t
      where ($1::uuid is null or t.environment_id = $1) and (t.event_type = 'member.merged'
        or exists (select from postings p where p.environment_id = t.environment_id and p.transaction_id = t.id
          and 'program.transfer' in (p.debit_account, p.credit_account)))`,
  },
];
