import { arrayLiteral } from '../../db/array-literal.ts';
import { ENVIRONMENT_TIME } from '../../db/environment-time.ts';
import type { ExpiringLotSubject } from './expiry-notices.ts';
import { OF_MEMBERS } from './handling.ts';
import type { Index, Stored } from './look-up.ts';
import {
  fillPending,
  fillWalked,
  LOTS_OF_STEP,
  type LotLookUpKey,
  type LotRecord,
  LotRows,
  type MovedLot,
  originOf,
  type PointsSubject,
} from './lot-rows.ts';
import { memberWanted, ofMember } from './members.ts';
import type {
  DuePendingNeed,
  KeptLotNeed,
  LotsFromNeed,
  OwingNeed,
  PendingNeed,
  SpendingNeed,
  TransactionNeed,
} from './needs.ts';
import { postings } from './postings.ts';
import { updatedTable } from './table.ts';

/**
 * SQL: the lots that the postings of the transactions `$2` name, and those that these were moved to. Where one of them
 * owes points, also the lots of its profile that have lent points; and where one was granted by these transactions,
 * because a reversal in the same batch may make it owe points.
 */
const LOTS_NAMED = `
        with posted_to as materialized (
          select l.*
          from unnest($2::uuid[]) as wanted(transaction_id)
          cross join lateral (
            select member_id, program_id, lot_id from postings
            where environment_id = $1::uuid and transaction_id = wanted.transaction_id and lot_id is not null
            offset 0
          ) posted
          cross join lateral (
            select ctid, * from lots
            where environment_id = $1::uuid and member_id = posted.member_id and program_id = posted.program_id
              and id = posted.lot_id
            limit 1
          ) l
        ), named as materialized (
          select * from posted_to
          union all
          select moved.*
          from (select distinct coalesce(origin_lot_id, id) as id from posted_to) origin
          cross join lateral (
            select ctid, * from lots where environment_id = $1::uuid and origin_lot_id = origin.id offset 0
          ) moved
        )
        select * from named
        union all
        select lender.*
        from (
          select distinct member_id, program_id from named
          where lent < 0 or transaction_id = any($2::uuid[])
        ) as owing
        cross join lateral (
          select ctid, * from lots
          where environment_id = $1::uuid and member_id = owing.member_id and program_id = owing.program_id
            and lent > 0
          order by lent
        ) lender`;

/**
 * SQL for a lateral join: the open lots of the profile `wanted` in the order of spending. It walks the index lot by lot
 * until they cover more points than are to be spent, so that the cost depends on what is spent and not on how many lots
 * the member has. Expired lots do not count as covered, and the walk ends after the lots of a step that have expired.
 * Where `covered` of the last lot exceeds the points or it ended so, there may be more lots; otherwise all of them were
 * found. In memory: all of them.
 */
const WALK = `
        with recursive walk as (
          (select lots.ctid, lots.*, case when live then available else 0 end as covered, (not live)::integer as expired
          from lots
          cross join lateral (select coalesce(expires_at, 'infinity') > ${ENVIRONMENT_TIME} as live) as at_present
          where environment_id = $1::uuid and member_id = wanted.member_id and program_id = wanted.program_id
            and available > 0
          order by coalesce(expires_at, 'infinity'), id
          limit 1)
          union all
          select next.*
          from walk
          cross join lateral (
            select lots.ctid, lots.*, walk.covered + case when live then lots.available else 0 end,
              walk.expired + (not live)::integer
            from lots
            cross join lateral (
              select coalesce(lots.expires_at, 'infinity') > ${ENVIRONMENT_TIME} as live
            ) as at_present
            where environment_id = $1::uuid and member_id = wanted.member_id
              and program_id = wanted.program_id and lots.available > 0
              and (coalesce(lots.expires_at, 'infinity'), lots.id)
                > (coalesce(walk.expires_at, 'infinity'), walk.id)
            order by coalesce(lots.expires_at, 'infinity'), lots.id
            limit 1
          ) next
          where walk.covered <= wanted.points and walk.expired < ${LOTS_OF_STEP}
        )
        select * from walk`;

const pendingOfProfile: Index<LotRecord> = {
  properties: ['memberId', 'programId'],
  includes: (lot) => lot.pending > 0,
};
const openOfProfile: Index<LotRecord> = {
  properties: ['memberId', 'programId'],
  includes: (lot) => lot.available > 0,
};
const owingOfProfile: Index<LotRecord> = {
  properties: ['memberId', 'programId'],
  includes: (lot) => lot.claimed > 0 || lot.lent !== 0,
};
const ofOrigin: Index<LotRecord> = {
  properties: ['originLotId'],
  includes: (lot) => lot.originLotId !== null,
};
const movedToProfile: Index<LotRecord> = {
  properties: ['memberId', 'programId'],
  includes: (lot) => originOf(lot) !== lot.id,
};
const lentOfProfile: Index<LotRecord> = {
  properties: ['memberId', 'programId'],
  includes: (lot) => lot.lent > 0,
};

export const lots = updatedTable<LotRecord, LotLookUpKey, LotRows>({
  name: 'lots',
  handling: {
    owner: { members: ['member_id'] },
    exported: { ids: { id: 'lot', member_id: 'mem', transaction_id: 'txn' }, order: ['created_at', 'id'] },
    erasure: 'nothing',
    ...OF_MEMBERS,
  },
  columns: {
    memberId: 'uuid',
    programId: 'text',
    id: 'uuid',
    transactionId: 'uuid',
    granted: 'bigint',
    pending: 'bigint',
    available: 'bigint',
    reserved: 'bigint',
    activatesAt: 'timestamptz',
    expiresAt: 'timestamptz',
    inactivityDays: 'integer',
    claimed: 'bigint',
    lent: 'bigint',
    createdAt: 'timestamptz',
    originLotId: 'uuid',
  },
  primaryKey: ['memberId', 'programId', 'id'],
  constant: ['transactionId', 'granted', 'activatesAt', 'inactivityDays', 'createdAt', 'originLotId'],
  inPlace: [['pending', 'available', 'reserved']],
  knownBy: { properties: ['id'], constraint: 'lots_pkey' },
  checks: {
    lots_inactivity_days_check: (row) => row.inactivityDays === null || row.inactivityDays > 0,
    lots_amounts_check: (row) => row.granted > 0 && Math.min(row.pending, row.available, row.reserved) >= 0,
    lots_granted_check: (row) => row.pending + row.available + row.reserved <= row.granted,
    lots_claimed_check: (row) => row.claimed >= 0 && row.pending + row.available + row.claimed <= row.granted,
    lots_lent_check: (row) =>
      row.lent >= -row.granted && row.pending + row.available + row.reserved + row.lent <= row.granted,
  },
  references: [
    { to: 'transactions', constraint: 'lots_transaction_fkey', properties: { id: 'transactionId' } },
  ],
  lookUps: [
    {
      name: 'load_named_lots',
      keyProperties: { transaction: ['transactionId'] },
      givesCtids: true,
      text: (select) => `select ${select('l')}
      from (${LOTS_NAMED}) as l`,
      values: (keys: readonly TransactionNeed[]) => [
        arrayLiteral(keys.map(({ transactionId }) => transactionId)),
      ],
      find: (stored, { transactionId }: TransactionNeed): LotRecord[] => lotsNamed(stored, transactionId),
    },
    {
      // The pending lots that are due, up to the lots of a step, and for each profile the next one after them. In
      // memory: all of them.
      name: 'load_pending_lots',
      keyProperties: { duePending: ['memberId', 'programId'] },
      text: (select) => `select ${select('l')}, l.due
      from unnest($2::uuid[], $3::text[]) as wanted(member_id, program_id)
      cross join lateral (
        (select *, true as due from lots
          where environment_id = $1::uuid and member_id = wanted.member_id and program_id = wanted.program_id
            and pending > 0 and activates_at <= ${ENVIRONMENT_TIME}
          order by activates_at
          limit ${LOTS_OF_STEP})
        union all
        (select *, false from lots
          where environment_id = $1::uuid and member_id = wanted.member_id and program_id = wanted.program_id
            and pending > 0 and activates_at > ${ENVIRONMENT_TIME}
          order by activates_at
          limit 1)
      ) l`,
      values: (keys: readonly DuePendingNeed[]) => [
        arrayLiteral(keys.map(({ memberId }) => memberId)),
        arrayLiteral(keys.map(({ programId }) => programId)),
      ],
      find: (stored, { memberId, programId }: DuePendingNeed): LotRecord[] =>
        stored(lots).by(pendingOfProfile, memberId, programId),
      fill: fillPending,
    },
    {
      name: 'load_all_pending_lots',
      keyProperties: { pending: ['memberId', 'programId'] },
      text: (select) => `select ${select('l')}
      from unnest($2::uuid[], $3::text[]) as wanted(member_id, program_id)
      cross join lateral (
        select * from lots
        where environment_id = $1::uuid and member_id = wanted.member_id and program_id = wanted.program_id
          and pending > 0
        order by activates_at
      ) l`,
      values: (keys: readonly PendingNeed[]) => [
        arrayLiteral(keys.map(({ memberId }) => memberId)),
        arrayLiteral(keys.map(({ programId }) => programId)),
      ],
      find: (stored, { memberId, programId }: PendingNeed): LotRecord[] =>
        stored(lots).by(pendingOfProfile, memberId, programId),
    },
    {
      name: 'load_owing_lots',
      keyProperties: { owing: ['memberId', 'programId'] },
      text: (select) => `select ${select('l')}
      from unnest($2::uuid[], $3::text[]) as wanted(member_id, program_id)
      cross join lateral (
        select * from lots
        where environment_id = $1::uuid and member_id = wanted.member_id and program_id = wanted.program_id
          and (claimed > 0 or lent <> 0)
        offset 0
      ) l`,
      values: (keys: readonly OwingNeed[]) => [
        arrayLiteral(keys.map(({ memberId }) => memberId)),
        arrayLiteral(keys.map(({ programId }) => programId)),
      ],
      find: (stored, { memberId, programId }: OwingNeed): LotRecord[] =>
        stored(lots).by(owingOfProfile, memberId, programId),
    },
    {
      // Of a command that names its points: at once, after the look-up that locks the profile.
      name: 'walk_open_lots',
      keyProperties: { points: ['programId', 'externalCustomerId'] },
      givesCtids: true,
      text: (select) => `select ${select('l')}, l.covered > wanted.points as "isCovered", l.expired
      from (
        select m.id as member_id, named.program_id, named.points
        from unnest($2::text[], $3::text[], $4::bigint[]) as named(external_customer_id, program_id, points)
        cross join lateral (${memberWanted('named')}) m
      ) wanted
      cross join lateral (${WALK}
      ) l`,
      values: (keys: readonly PointsSubject[]) => [
        arrayLiteral(keys.map(({ externalCustomerId }) => externalCustomerId)),
        arrayLiteral(keys.map(({ programId }) => programId)),
        arrayLiteral(keys.map(({ points }) => points)),
      ],
      find: (stored, { programId, externalCustomerId }: PointsSubject): LotRecord[] =>
        ofMember(stored, lots, openOfProfile, externalCustomerId, programId),
      fill: fillWalked,
    },
    {
      // The same where the price of a reward has to be known first.
      name: 'walk_open_lots_for_price',
      keyProperties: { spending: ['memberId', 'programId'] },
      givesCtids: true,
      text: (select) => `select ${select('l')}, l.covered > wanted.points as "isCovered", l.expired
      from unnest($2::uuid[], $3::text[], $4::bigint[]) as wanted(member_id, program_id, points)
      cross join lateral (${WALK}
      ) l`,
      values: (keys: readonly SpendingNeed[]) => [
        arrayLiteral(keys.map(({ memberId }) => memberId)),
        arrayLiteral(keys.map(({ programId }) => programId)),
        arrayLiteral(keys.map(({ points }) => points)),
      ],
      find: (stored, { memberId, programId }: SpendingNeed): LotRecord[] =>
        stored(lots).by(openOfProfile, memberId, programId),
      fill: fillWalked,
    },
    {
      name: 'load_expiring_lots',
      keyProperties: {
        expiringLot: ['memberId', 'programId', 'lotId'],
        keptLot: ['memberId', 'programId', 'lotId'],
      },
      text: (select) => `select ${select('l')}
      from unnest($2::uuid[], $3::text[], $4::uuid[]) as wanted(member_id, program_id, lot_id)
      cross join lateral (
        select * from lots
        where environment_id = $1::uuid and member_id = wanted.member_id and program_id = wanted.program_id
          and id = wanted.lot_id
        limit 1
      ) l`,
      values: (keys: readonly (ExpiringLotSubject | KeptLotNeed)[]) => [
        arrayLiteral(keys.map(({ memberId }) => memberId)),
        arrayLiteral(keys.map(({ programId }) => programId)),
        arrayLiteral(keys.map(({ lotId }) => lotId)),
      ],
      find(stored, { lotId }: ExpiringLotSubject | KeptLotNeed): LotRecord[] {
        const lot = stored(lots).get(lotId);
        return lot ? [lot] : [];
      },
    },
    {
      name: 'load_lots_from',
      keyProperties: { lotsFrom: ['memberId', 'programId', 'originMemberId'] },
      text: (select) => `select ${select('l')}, wanted.origin_member_id as "originMemberId"
      from unnest($2::uuid[], $3::text[], $4::uuid[]) as wanted(member_id, program_id, origin_member_id)
      cross join lateral (
        select * from lots
        where environment_id = $1::uuid and member_id = wanted.member_id and program_id = wanted.program_id
          and coalesce(origin_lot_id, id) <> id
        offset 0
      ) l
      cross join lateral (
        select from lots
        where environment_id = $1::uuid and member_id = wanted.origin_member_id
          and program_id = wanted.program_id and id = l.origin_lot_id
        limit 1
      ) origin`,
      values: (keys: readonly LotsFromNeed[]) => [
        arrayLiteral(keys.map(({ memberId }) => memberId)),
        arrayLiteral(keys.map(({ programId }) => programId)),
        arrayLiteral(keys.map(({ originMemberId }) => originMemberId)),
      ],
      find: (stored, { memberId, programId, originMemberId }: LotsFromNeed): MovedLot[] =>
        stored(lots)
          .by(movedToProfile, memberId, programId)
          .filter(({ originLotId }) => stored(lots).get(originLotId ?? '')?.memberId === originMemberId)
          .map((lot) => ({ ...lot, originMemberId })),
      fill: (rows, found) => rows.loadMoved(found),
    },
  ],
  newRows: () => new LotRows(),
});

const postingsOf = { properties: ['transactionId'] } as const;

/** LOTS_NAMED for tables in memory. */
function lotsNamed(stored: Stored, transactionId: string): LotRecord[] {
  const ids = new Set(
    stored(postings)
      .by(postingsOf, transactionId)
      .map(({ lotId }) => lotId),
  );
  const posted = [...ids].flatMap((id) => (id === null ? [] : (stored(lots).get(id) ?? [])));
  const origins = new Set(posted.map(originOf));
  const moved = [...origins].flatMap((id) => stored(lots).by(ofOrigin, id));
  const named = [...new Map([...posted, ...moved].map((lot) => [lot.id, lot])).values()];
  const owing = named.filter((lot) => lot.lent < 0 || lot.transactionId === transactionId);
  return [
    ...named,
    ...owing.flatMap(({ memberId, programId }) => stored(lots).by(lentOfProfile, memberId, programId)),
  ];
}
