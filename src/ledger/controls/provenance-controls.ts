import { timeOf } from '../../db/environment-time.ts';
import { type LedgerControl, newer } from './ledger-control.ts';
import { ONCE, TOOK_PLACE, timesSaid, typeIdSql } from './said-by-trail.ts';

/**
 * The accounts between which each kind of transaction moves points: debited, and credited.
 * Giving points back pays a return's claim on the lot first, so that they go to `program.issuance`.
 */
const MOVES: Readonly<Record<string, readonly (readonly [debit: string, credit: string])[]>> = {
  'purchase.completed': issued(),
  'referral.awarded': issued(),
  'challenge.awarded': issued(),
  'order.returned': [
    ['member.available', 'program.issuance'],
    ['member.pending', 'program.issuance'],
  ],
  'exchange.settled': [
    ['program.clearing', 'member.available'],
    ['member.available', 'program.clearing'],
  ],
  'exchange.reversed': [['member.available', 'program.clearing'], ...givenBack('program.clearing')],
  'adjustment.posted': [
    ['program.adjustment', 'member.available'],
    ['member.available', 'program.adjustment'],
    // An opening balance.
    ['program.issuance', 'member.available'],
  ],
  'adjustment.reversed': [['member.available', 'program.adjustment'], ...givenBack('program.adjustment')],
  'redemption.reserved': [['member.available', 'member.reserved']],
  'redemption.committed': [['member.reserved', 'program.redemption']],
  'redemption.released': givenBack('member.reserved'),
  'redemption.expired': givenBack('member.reserved'),
  'redemption.reversed': givenBack('program.redemption'),
  'points.activated': [['member.pending', 'member.available']],
  'points.expired': [
    ['member.available', 'program.expiry'],
    ['member.pending', 'program.expiry'],
  ],
  'member.merged': transferred(),
  'member.unmerged': transferred(),
};

function issued(): [string, string][] {
  return [
    ['program.issuance', 'member.available'],
    ['program.issuance', 'member.pending'],
  ];
}

function givenBack(from: string): [string, string][] {
  return [
    [from, 'member.available'],
    [from, 'program.issuance'],
  ];
}

function transferred(): [string, string][] {
  return ['member.available', 'member.pending'].flatMap((account): [string, string][] => [
    [account, 'program.transfer'],
    ['program.transfer', account],
  ]);
}

/** SQL: the moves as rows of three texts. */
const MOVE_ROWS = Object.entries(MOVES)
  .flatMap(([type, moves]) => moves.map(([debit, credit]) => `('${type}', '${debit}', '${credit}')`))
  .join(', ');

// When points lapse, by each version of each program.
const POLICIES = `
        select v.environment_id, v.program_id, v.version,
          coalesce(v.document #>> '{expiration,policy}', 'never') as policy,
          (v.document #>> '{expiration,days}')::integer as days,
          v.document #>> '{expiration,period}' as period,
          coalesce((v.document #>> '{expiration,offsetDays}')::integer, 0) as offset_days,
          count(*) over (partition by v.environment_id, v.program_id) as versions,
          count(*) over (partition by v.environment_id, v.program_id, (v.document -> 'expiration')::text) as alike
        from program_versions v
        where $1::uuid is null or v.environment_id = $1`;

// The expiry of points of a policy, `v`, that count from an instant, `l.counts_from`.
const EXPIRY = `case v.policy
              when 'never' then null
              when 'end_of_period' then (date_trunc(v.period, l.counts_from at time zone 'UTC')
                + case v.period when 'month' then interval '1 month' when 'quarter' then interval '3 months'
                  else interval '1 year' end) at time zone 'UTC' + v.offset_days * interval '24 hours'
              else l.counts_from + v.days * interval '24 hours'
            end`;

// Whether points came back to a lot, `h`, when its expiry was changed: after that they are kept for the days of grace.
const GIVEN_BACK = `exists (
              select from transactions cause
              join postings p on p.environment_id = cause.environment_id and p.transaction_id = cause.id and p.lot_id = h.id
                and p.debit_account in ('member.reserved', 'program.redemption', 'program.clearing', 'program.adjustment')
              where cause.id <> h.transaction_id and cause.environment_id = h.environment_id and cause.member_id = h.member_id
                and cause.created_at = h.last_changed_at)`;

// Whether the member was active at the instant from which a lot, `h`, that lapses without activity counts its days. The
// activity of a member whose account was taken over, or given back, counts as well.
const WAS_ACTIVE = `exists (
              select from transactions cause
              where cause.environment_id = h.environment_id and cause.program_id = h.program_id
                and cause.created_at = h.expires_at - h.inactivity_days * interval '24 hours'
                and cause.event_type in ('purchase.completed', 'referral.awarded', 'challenge.awarded',
                  'exchange.settled', 'redemption.reserved')
                and (cause.member_id = h.member_id or exists (select from member_merges g
                  where g.environment_id = h.environment_id and ${TOOK_PLACE}
                    and h.member_id in (g.source_member_id, g.target_member_id))))`;

/**
 * Controls over where points and dates come from: that each was possible by the program, and that somebody did what a
 * row says of them. A login of the server that was stolen can write rows which add up; these controls ask
 * whether the service would have written them.
 */
export const PROVENANCE_CONTROLS: readonly LedgerControl[] = [
  {
    id: 'postings-fit-transactions',
    title:
      'Every posting moves points between accounts between which its kind of transaction moves them, ' +
      'and activates none before their time',
    sinceDay: 'newer',
    sql: `
      select p.transaction_id || ' line ' || p.line as subject, p.amount as expected,
        case when moves.event_type is not null
          -- Points become available when their lot says, and not before.
          and (t.event_type <> 'points.activated' or p.created_at >= l.activates_at) then p.amount end as found
      from postings p
      join transactions t on t.environment_id = p.environment_id and t.id = p.transaction_id
        and ${newer('t.created_at')}
      left join lots l on t.event_type = 'points.activated' and l.environment_id = p.environment_id
        and l.id = p.lot_id and l.member_id = p.member_id
      left join (values ${MOVE_ROWS}) as moves (event_type, debit, credit)
        on moves.event_type = t.event_type and moves.debit = p.debit_account and moves.credit = p.credit_account
      where ($1::uuid is null or p.environment_id = $1) and ${newer('p.created_at')}`,
  },
  {
    id: 'settlements-equal-transactions',
    title: 'Every transaction of an exchange with a partner has its settlement, of its points',
    sinceDay: 'newer',
    sql: `
      select t.id::text as subject, s.points as expected, t.points as found
      from (select * from transactions
        where event_type in ('exchange.settled', 'exchange.reversed') and ($1::uuid is null or environment_id = $1)
          and ${newer('created_at')}) t
      left join exchange_settlements s on s.environment_id = t.environment_id and s.transaction_id = t.id
        and (s.reverses is null) = (t.event_type = 'exchange.settled')
        and s.settlement_reference is not distinct from t.source_reference`,
  },
  {
    id: 'credits-equal-audit',
    title:
      'Every exchange with a partner and every opening balance is in the audit trail once, with its points',
    sinceDay: 'newer',
    sql: `
      select t.id::text as subject, t.points as expected, case when (
          select count(*) filter (where said.changes ->> 'points' = t.points::text) * 1000 + count(*)
          from audit_events said
          where said.environment_id = t.environment_id and said.at = t.created_at and said.action = t.action
            and said.target_id = ${typeIdSql('txn', 't.id')}) = ${ONCE} then t.points end as found
      from (
        select *, case event_type when 'adjustment.posted' then 'balance.opened' else event_type end as action
        from transactions
        where (event_type in ('exchange.settled', 'exchange.reversed')
            or event_type = 'adjustment.posted' and receipt -> 'balance' is not null)
          and ($1::uuid is null or environment_id = $1) and ${newer('created_at')}
      ) t`,
  },
  {
    id: 'redemptions-equal-reservations',
    title:
      'Every transaction of a redemption has its reservation, which it held, ended, committed or reversed',
    sinceDay: 'newer',
    sql: `
      select t.id::text as subject, t.points as expected,
        case when case t.event_type
            when 'redemption.reserved' then r.reserve_transaction_id = t.id
            when 'redemption.committed' then r.commit_transaction_id = t.id
            when 'redemption.reversed' then r.commit_transaction_id = t.reversal_of
            else r.transaction_id = t.id and 'redemption.' || r.state = t.event_type
          end and (t.event_type = 'redemption.reversed' or r.points = t.points) then t.points end as found
      from (select * from transactions
        where event_type like 'redemption.%' and ($1::uuid is null or environment_id = $1)
          and ${newer('created_at')}) t
      left join lateral (
        select held.* from redemption_reservations held
        where held.environment_id = t.environment_id and held.program_id = t.program_id
          and held.source_reference = t.source_reference and (
            t.id in (held.reserve_transaction_id, held.commit_transaction_id, held.transaction_id)
            or held.commit_transaction_id = t.reversal_of)
        limit 1
      ) r on true`,
  },
  {
    id: 'approvals-equal-audit',
    title:
      'Whoever an adjustment or a merge says asked for it, decided on it ' +
      'or reversed it did so once, by the audit trail',
    sinceDay: 'whole',
    sql: `
      select 'adjustment ' || a.id || ' ' || said.action as subject, ${ONCE} as expected, said.times as found
      from adjustments a
      cross join lateral (
        select 'requested' as action, ${timesSaid('a', 'adj', 'adjustment.requested', 'a.requested_by')} as times
        union all
        select 'posted', ${timesSaid('a', 'adj', 'adjustment.posted', 'a.decided_by')}
        where a.state in ('posted', 'reversed')
        union all
        select 'rejected', ${timesSaid('a', 'adj', 'adjustment.rejected', 'a.decided_by')} where a.state = 'rejected'
        union all
        select 'reversed', ${timesSaid('a', 'adj', 'adjustment.reversed', 'a.reversed_by')} where a.state = 'reversed'
      ) said
      where $1::uuid is null or a.environment_id = $1
      union all
      select concat_ws(' ', 'merge', g.id, done.action), ${ONCE}, (
          select count(*) filter (where said.actor_id = done.decided_by
            and said.changes ->> 'requestedBy' = done.requested_by) * 1000 + count(*)
          from audit_events said
          where said.environment_id = g.environment_id and said.target_id = ${typeIdSql('mem', 'g.target_member_id')}
            and said.target_type <> 'transaction' and said.action = done.action
            and said.changes ->> 'mergeId' = ${typeIdSql('mrg', 'g.id')})
      from member_merges g
      cross join lateral (
        values ('member.merged', g.requested_by, g.decided_by, ${TOOK_PLACE}),
          ('member.unmerged', g.unmerge_requested_by, g.unmerged_by, g.state = 'unmerged')
      ) as done (action, requested_by, decided_by, happened)
      where done.happened and ($1::uuid is null or g.environment_id = $1)`,
  },
  {
    id: 'expiries-fit-programs',
    title:
      'All points that a member has lapse when a version of the program says, or later where something was the cause',
    sinceDay: 'newer',
    sql: `
      with policies as (${POLICIES}), grace as (
        select v.environment_id, v.program_id, max(coalesce((v.document ->> 'graceDays')::integer, 30)) as days
        from program_versions v
        where $1::uuid is null or v.environment_id = $1
        group by v.environment_id, v.program_id
      ), held as (
        select l.environment_id, l.program_id, l.member_id, l.id, l.transaction_id, l.granted, l.expires_at, l.inactivity_days, l.origin_lot_id,
          t.event_type, t.receipt, coalesce(l.activates_at,
            case when t.event_type in ('purchase.completed', 'referral.awarded') then null else t.created_at end) as counts_from,
          t.created_at, t.occurred_at,
          t.event_type = 'adjustment.posted' and t.receipt -> 'balance' is not null as is_opening, c.first_expires_at, c.last_changed_at
        from lots l
        join transactions t on t.environment_id = l.environment_id and t.id = l.transaction_id
        left join (
          select environment_id, program_id, member_id, lot_id, max(changed_at) as last_changed_at,
            (array_agg(expires_at order by changed_at))[1] as first_expires_at
          from lot_expiry_changes
          where $1::uuid is null or environment_id = $1
          group by environment_id, program_id, member_id, lot_id
        ) c on c.environment_id = l.environment_id and c.program_id = l.program_id and c.member_id = l.member_id
          and c.lot_id = l.id
        where l.pending + l.available > 0 and ($1::uuid is null or l.environment_id = $1) and ${newer('l.created_at')}
      )
      select h.id::text as subject, h.granted as expected, case when
          case
            -- An opening balance brings its expiry along.
            when h.is_opening then coalesce(h.first_expires_at, h.expires_at)
              is not distinct from (h.receipt #>> '{balance,expiresAt}')::timestamptz
            else exists (
              select from policies v
              cross join lateral (
                select instant as counts_from
                from unnest(array[h.counts_from, case when h.counts_from is null then h.created_at end,
                  case when h.counts_from is null then h.occurred_at end]) as instant
                where instant is not null
              ) l
              where v.environment_id = h.environment_id and v.program_id = h.program_id
                -- Where versions differ, that of the purchase's receipt.
                and (v.versions = v.alike or h.event_type <> 'purchase.completed'
                  or v.version = (h.receipt ->> 'configurationVersion')::integer)
                -- Of a lot that merges have moved, an expiry may be later than this: it was noted at the lots before.
                and case when h.origin_lot_id is null
                  then coalesce(h.first_expires_at, h.expires_at) is not distinct from ${EXPIRY}
                    -- Of an event that came so late that its points had lapsed: the purchase itself is activity.
                    or v.policy = 'inactivity'
                      and coalesce(h.first_expires_at, h.expires_at) = h.created_at + v.days * interval '24 hours'
                  else (h.expires_at is null) = (v.policy = 'never') end)
          end
          and (h.last_changed_at is null or h.last_changed_at <= ${timeOf('clock')} and h.expires_at <= h.last_changed_at
            + greatest(grace.days, h.inactivity_days) * interval '24 hours' and (${GIVEN_BACK} or ${WAS_ACTIVE}))
        then h.granted end as found
      from held h
      join environments clock on clock.id = h.environment_id
      left join grace on grace.environment_id = h.environment_id and grace.program_id = h.program_id`,
  },
];
