import { timeOf } from '../../db/environment-time.ts';
import { type LedgerControl, newer } from './ledger-control.ts';

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

/**
 * SQL: an id as callers see it, and as the audit trail names it.
 * @param prefix such as `adj`
 * @param uuid an expression
 */
function typeIdSql(prefix: string, uuid: string): string {
  return `(select '${prefix}_' || string_agg(
            substr('0123456789abcdefghjkmnpqrstvwxyz', 1 + substring(spelled.bits from 5 * place + 1 for 5)::integer, 1),
            '' order by place)
          from (select b'00' || ('x' || replace(${uuid}::text, '-', ''))::bit(128) as bits) as spelled,
            generate_series(0, 25) as place)`;
}

/** SQL: how often the audit trail says that somebody did something with a row of a table. */
function timesSaid(row: string, prefix: string, action: string, actor: string, uuid = `${row}.id`): string {
  return `(select count(*) filter (where said.actor_id = ${actor}) * 1000 + count(*)
          from audit_events said
          where said.environment_id = ${row}.environment_id and said.target_id = ${typeIdSql(prefix, uuid)}
            and said.target_type <> 'transaction' and said.action = '${action}')`;
}

/**
 * SQL: whether a merge, `g`, took place, whatever became of it afterwards. The trail says of each of these who did it.
 */
const TOOK_PLACE = `g.state in ('merged', 'unmerge_requested', 'unmerged')`;

/** What `timesSaid` gives where the trail says it once, of the one whom the row names. */
const ONCE = 1001;

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

// The tiers of every version of each program, with the place of the lowest one, 1.
const TIERS = `
        select distinct v.environment_id, v.program_id, tier.value ->> 'id' as id, tier.place,
          (tier.value ->> 'threshold')::numeric as threshold
        from program_versions v
        cross join lateral json_array_elements(v.document -> 'tiers') with ordinality as tier (value, place)
        where $1::uuid is null or v.environment_id = $1`;

/**
 * Controls over where points, dates and tiers come from: that each was possible by the program, and that somebody did
 * what a row says of them. A login of the server that was stolen can write rows which add up; these controls ask
 * whether the service would have written them.
 */
export const PROVENANCE_CONTROLS: readonly LedgerControl[] = [
  {
    id: 'postings-fit-transactions',
    title: 'Every posting moves points between accounts between which its kind of transaction moves them',
    sinceDay: 'newer',
    sql: `
      select p.transaction_id || ' line ' || p.line as subject, p.amount as expected,
        case when moves.event_type is not null then p.amount end as found
      from postings p
      join transactions t on t.environment_id = p.environment_id and t.id = p.transaction_id
        and ${newer('t.created_at')}
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
    title: 'Every exchange with a partner and every opening balance is in the audit trail, once',
    sinceDay: 'newer',
    sql: `
      select t.id::text as subject, t.points as expected, case when (
          select count(*) from audit_events said
          where said.environment_id = t.environment_id and said.at = t.created_at and said.action = t.action
            and said.target_id = ${typeIdSql('txn', 't.id')}) = 1 then t.points end as found
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
      'All points that a member has lapse when a version of the program says, or later where that was noted',
    sinceDay: 'newer',
    sql: `
      with policies as (${POLICIES}), grace as (
        select v.environment_id, v.program_id, max(coalesce((v.document ->> 'graceDays')::integer, 30)) as days
        from program_versions v
        where $1::uuid is null or v.environment_id = $1
        group by v.environment_id, v.program_id
      ), held as (
        select l.environment_id, l.program_id, l.id, l.granted, l.expires_at, l.inactivity_days, l.origin_lot_id,
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
            + greatest(grace.days, h.inactivity_days) * interval '24 hours')
        then h.granted end as found
      from held h
      join environments clock on clock.id = h.environment_id
      left join grace on grace.environment_id = h.environment_id and grace.program_id = h.program_id`,
  },
  {
    id: 'tiers-were-reached',
    title:
      'Every member is in the lowest tier, one that its qualification points ' +
      'reach, or one that it came to by the audit trail',
    sinceDay: { leftOut: 'a tier may have come with an enrollment of any day' },
    sql: `
      with tiers as (${TIERS}), claimed as (
        select p.environment_id, p.program_id, p.member_id, p.tier, ${typeIdSql('mem', 'p.member_id')} as named
        from program_profiles p
        where p.enrolled and ($1::uuid is null or p.environment_id = $1) and not exists (
          select from tiers t
          where t.environment_id = p.environment_id and t.program_id = p.program_id and t.id = p.tier
            and (t.place = 1 or t.threshold <= p.qualification_points))
        offset 0
      )
      select concat_ws(' ', c.environment_id, c.program_id, c.member_id) as subject, 1 as expected,
        case when coalesce(
          (select said.changes ->> 'to' = c.tier from audit_events said
            where said.environment_id = c.environment_id and said.target_id = c.named and said.target_type <> 'transaction'
              and said.action = 'tier.changed' and said.changes ->> 'programId' = c.program_id
            order by said.at desc, said.id desc limit 1),
          -- It brought the tier along, or took it over with the account of another member.
          exists (select from idempotency_keys k
            where k.environment_id = c.environment_id and k.operation = 'enrollMember'
              and k.receipt #>> '{member,id}' = c.named and k.receipt #>> '{program,programId}' = c.program_id
              and k.receipt #>> '{member,tier}' = c.tier),
          false)
          or exists (select from member_merges g
            where g.environment_id = c.environment_id and g.target_member_id = c.member_id and ${TOOK_PLACE})
          then 1 end as found
      from claimed c`,
  },
  {
    id: 'qualification-was-earned',
    title:
      'No member has more qualification points than its purchases can have earned and its tier brought along',
    sinceDay: { leftOut: 'qualification points count the purchases of all days' },
    sql: `
      with programs as (
        select v.environment_id, v.program_id, max(json_array_length(v.document #> '{earn,rules}')) as rules,
          min((tier #>> '{multiplier,numerator}')::numeric / (tier #>> '{multiplier,denominator}')::numeric) as multiplier,
          count(distinct v.document #>> '{qualification,window}') as windows,
          bool_or(v.document -> 'memberLimit' is not null) as is_limited
        from program_versions v
        cross join lateral json_array_elements(v.document -> 'tiers') as tier
        where $1::uuid is null or v.environment_id = $1
        group by v.environment_id, v.program_id
      ), counted as (
        select p.environment_id, p.program_id, p.member_id, p.qualification_points as points, g.rules, g.multiplier,
          case when g.windows > 1 then null
            when p.qualification_days is not null then (select min(day)::timestamp at time zone 'UTC'
              from json_object_keys(p.qualification_days) as day)
            else p.qualification_since end as since
        from program_profiles p
        -- A member limit takes points from an award that count for the tier all the same.
        join programs g on g.environment_id = p.environment_id and g.program_id = p.program_id
          and g.multiplier > 0 and not g.is_limited
        where p.qualification_points > 0 and ($1::uuid is null or p.environment_id = $1)
      ), earned as (
        select c.environment_id, c.program_id, c.member_id, sum(t.points + c.rules) as points
        from counted c
        join transactions t on t.environment_id = c.environment_id and t.program_id = c.program_id
          and t.member_id = c.member_id and t.event_type = 'purchase.completed'
          and (c.since is null or t.created_at >= c.since)
        group by c.environment_id, c.program_id, c.member_id
      ), beyond as (
        select c.*, coalesce(e.points, 0) / c.multiplier as most
        from counted c
        left join earned e using (environment_id, program_id, member_id)
      )
      select concat_ws(' ', b.environment_id, b.program_id, b.member_id) as subject, b.points as expected,
        case when b.points <= b.most then b.points
          -- It came with a tier, or with the account of another member.
          when exists (select from member_merges g
            where g.environment_id = b.environment_id and b.member_id in (g.target_member_id, g.source_member_id)
              and ${TOOK_PLACE}) then b.points
          when b.points <= b.most + (
            select max((tier ->> 'threshold')::numeric)
            from idempotency_keys k
            join program_versions v on v.environment_id = b.environment_id and v.program_id = b.program_id
            cross join lateral json_array_elements(v.document -> 'tiers') as tier
            where k.environment_id = b.environment_id and k.operation = 'enrollMember'
              and k.receipt #>> '{member,id}' = ${typeIdSql('mem', 'b.member_id')}
              and k.receipt #>> '{program,programId}' = b.program_id and tier ->> 'id' = k.receipt #>> '{member,tier}'
          ) then b.points
        end as found
      from beyond b`,
  },
];
