import { arrayLiteral } from '../../db/array-literal.ts';
import { ENVIRONMENT_TIME } from '../../db/environment-time.ts';
import type { ExpiringLotSubject } from './expiry-notices.ts';
import { keyOf } from './key-of.ts';
import type { Index, Stored } from './look-up.ts';
import type { OwingNeed, PendingNeed, SpendingNeed, TransactionNeed } from './needs.ts';
import { postings } from './postings.ts';
import { RecordSet } from './record-set.ts';
import { updatedTable } from './table.ts';

export interface LotRecord {
  id: string;
  memberId: string;
  programId: string;
  transactionId: string;
  granted: number;
  pending: number;
  available: number;
  reserved: number;
  /** When pending points become available; null where they were so at once. */
  activatesAt: Date | null;
  /** Null for never. Under an inactivity policy it may be older than the true date, which `expiryOf` computes. */
  expiresAt: Date | null;
  /** Days after the member's last activity at which the lot expires; null where `expiresAt` is fixed. */
  inactivityDays: number | null;
  /** What a return was due and the lot did not have: points that come back to the lot pay this claim first. */
  claimed: number;
  /**
   * Points that reversals of credits took from this lot in place of the credit's own, and that have not come back.
   * Negative on the lot of a reversed credit: what it still owes to such lots. The sum over a profile's lots is 0.
   */
  lent: number;
  /**
   * Of a lot that was moved from another member: the lot that was granted to begin with. Both have the transaction that
   * granted it, and its dates. Null for a lot that was not moved.
   */
  originLotId: string | null;
  createdAt: Date;
}

/**
 * Most due lots of a profile that a batch loads to activate them, and most that it loads to expire them, so that the
 * settlement of a profile with very many lots goes in steps.
 */
export const LOTS_OF_STEP = 1_000;

/** The lot that was granted to begin with. */
export function originOf({ id, originLotId }: Pick<LotRecord, 'id' | 'originLotId'>): string {
  return originLotId ?? id;
}

/** The lots of a batch, and for each profile the last open lot that was loaded, where not all of them were. */
export class LotRows extends RecordSet<LotRecord> {
  readonly #limits = new Map<string, string>();
  readonly #moreDue = new Set<string>();

  constructor() {
    super((lot) => lot.id);
  }

  /** Records that the open lots of a profile were loaded only up to this one, in the order of spending. */
  limit({ programId, memberId, id }: LotRecord): void {
    this.#limits.set(keyOf(programId, memberId), id);
  }

  /** Records that more lots of a profile may be due than were loaded. */
  noteMoreDue({ programId, memberId }: Pick<LotRecord, 'programId' | 'memberId'>): void {
    this.#moreDue.add(keyOf(programId, memberId));
  }

  hasMoreDue(programId: string, memberId: string): boolean {
    return this.#moreDue.has(keyOf(programId, memberId));
  }

  /** The last open lot of a profile that was loaded; null where all of them were. */
  limitOf(programId: string, memberId: string): LotRecord | null {
    const id = this.#limits.get(keyOf(programId, memberId));
    return id === undefined ? null : this.get(id);
  }

  /** The loaded lots that were one lot to begin with: it, and those that merges have moved it to. */
  ofOrigin(lot: LotRecord): LotRecord[] {
    const origin = originOf(lot);
    return this.filter((row) => originOf(row) === origin);
  }
}

type LotsWanted = TransactionNeed | SpendingNeed | ExpiringLotSubject | PendingNeed | OwingNeed;

/** A pending lot, and whether it is due. */
type PendingLot = LotRecord & { due?: boolean };

/** An open lot, with the unexpired points that it and the lots before it have available, and how many have expired. */
type WalkedLot = LotRecord & { covered?: number; expired?: number };

/**
 * SQL: the lots that the postings of the transactions `$2` name, and those that these were moved to. Where one of them owes points, also the lots of its
 * profile that have lent points; and where one was granted by these transactions, because a reversal in the same batch
 * may make it owe points.
 */
export const LOTS_NAMED = `
        with posted_to as materialized (
          select l.*
          from (
            select distinct p.member_id, p.program_id, p.lot_id
            from unnest($2::uuid[]) as wanted(transaction_id)
            cross join lateral (
              select member_id, program_id, lot_id from postings
              where environment_id = $1::uuid and transaction_id = wanted.transaction_id and lot_id is not null
              offset 0
            ) p
          ) as posted
          cross join lateral (
            select * from lots
            where environment_id = $1::uuid and member_id = posted.member_id and program_id = posted.program_id
              and id = posted.lot_id
            limit 1
          ) l
        ), named as materialized (
          select * from posted_to
          union
          select moved.*
          from (select distinct coalesce(origin_lot_id, id) as id from posted_to) origin
          cross join lateral (
            select * from lots where environment_id = $1::uuid and origin_lot_id = origin.id offset 0
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
          select * from lots
          where environment_id = $1::uuid and member_id = owing.member_id and program_id = owing.program_id
            and lent > 0
          order by lent
        ) lender`;

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
const lentOfProfile: Index<LotRecord> = {
  properties: ['memberId', 'programId'],
  includes: (lot) => lot.lent > 0,
};

export const lots = updatedTable<LotRecord, LotsWanted, LotRows>({
  name: 'lots',
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
      wantedBy: { transaction: ['transactionId'] },
      text: (select) => `select ${select('l')}
      from (${LOTS_NAMED}) as l`,
      values: (wanted: readonly TransactionNeed[]) => [
        arrayLiteral(wanted.map(({ transactionId }) => transactionId)),
      ],
      find: (stored, { transactionId }: TransactionNeed): LotRecord[] => lotsNamed(stored, transactionId),
    },
    {
      // The pending lots that are due, up to the lots of a step, and for each profile the next one after them. In memory:
      // all of them.
      name: 'load_pending_lots',
      wantedBy: { spending: ['memberId', 'programId'] },
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
      values: (wanted: readonly SpendingNeed[]) => [
        arrayLiteral(wanted.map(({ memberId }) => memberId)),
        arrayLiteral(wanted.map(({ programId }) => programId)),
      ],
      find: (stored, { memberId, programId }: SpendingNeed): LotRecord[] =>
        stored(lots).by(pendingOfProfile, memberId, programId),
      fill: fillPending,
    },
    {
      name: 'load_all_pending_lots',
      wantedBy: { pending: ['memberId', 'programId'] },
      text: (select) => `select ${select('l')}
      from unnest($2::uuid[], $3::text[]) as wanted(member_id, program_id)
      cross join lateral (
        select * from lots
        where environment_id = $1::uuid and member_id = wanted.member_id and program_id = wanted.program_id
          and pending > 0
        order by activates_at
      ) l`,
      values: (wanted: readonly PendingNeed[]) => [
        arrayLiteral(wanted.map(({ memberId }) => memberId)),
        arrayLiteral(wanted.map(({ programId }) => programId)),
      ],
      find: (stored, { memberId, programId }: PendingNeed): LotRecord[] =>
        stored(lots).by(pendingOfProfile, memberId, programId),
    },
    {
      name: 'load_owing_lots',
      wantedBy: { owing: ['memberId', 'programId'] },
      text: (select) => `select ${select('l')}
      from unnest($2::uuid[], $3::text[]) as wanted(member_id, program_id)
      cross join lateral (
        select * from lots
        where environment_id = $1::uuid and member_id = wanted.member_id and program_id = wanted.program_id
          and (claimed > 0 or lent <> 0)
        offset 0
      ) l`,
      values: (wanted: readonly OwingNeed[]) => [
        arrayLiteral(wanted.map(({ memberId }) => memberId)),
        arrayLiteral(wanted.map(({ programId }) => programId)),
      ],
      find: (stored, { memberId, programId }: OwingNeed): LotRecord[] =>
        stored(lots).by(owingOfProfile, memberId, programId),
    },
    {
      /*
       * The open lots of profiles in the order of spending. It walks the index lot by lot until they cover more points
       * than are to be spent, so that the cost depends on what is spent and not on how many lots the member has. Expired
       * lots do not count as covered, and the walk ends after the lots of a step that have expired. Where `covered` of the
       * last lot exceeds the points or it ended so, there may be more lots; otherwise all of them were found. In memory:
       * all of them.
       */
      name: 'walk_open_lots',
      wantedBy: { spending: ['memberId', 'programId'] },
      text: (select) => `select ${select('l')}, l.covered, l.expired
      from unnest($2::uuid[], $3::text[], $4::bigint[]) as wanted(member_id, program_id, points)
      cross join lateral (
        with recursive walk as (
          (select lots.*, case when live then available else 0 end as covered, (not live)::integer as expired
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
            select lots.*, walk.covered + case when live then lots.available else 0 end,
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
        select * from walk
      ) l`,
      values: (wanted: readonly SpendingNeed[]) => [
        arrayLiteral(wanted.map(({ memberId }) => memberId)),
        arrayLiteral(wanted.map(({ programId }) => programId)),
        arrayLiteral(wanted.map(({ points }) => points)),
      ],
      find: (stored, { memberId, programId }: SpendingNeed): LotRecord[] =>
        stored(lots).by(openOfProfile, memberId, programId),
      fill: fillWalked,
    },
    {
      name: 'load_expiring_lots',
      wantedBy: { expiringLot: ['memberId', 'programId', 'lotId'] },
      text: (select) => `select ${select('l')}
      from unnest($2::uuid[], $3::text[], $4::uuid[]) as wanted(member_id, program_id, lot_id)
      cross join lateral (
        select * from lots
        where environment_id = $1::uuid and member_id = wanted.member_id and program_id = wanted.program_id
          and id = wanted.lot_id
        limit 1
      ) l`,
      values: (wanted: readonly ExpiringLotSubject[]) => [
        arrayLiteral(wanted.map(({ memberId }) => memberId)),
        arrayLiteral(wanted.map(({ programId }) => programId)),
        arrayLiteral(wanted.map(({ lotId }) => lotId)),
      ],
      find(stored, { lotId }: ExpiringLotSubject): LotRecord[] {
        const lot = stored(lots).get(lotId);
        return lot ? [lot] : [];
      },
    },
  ],
  newRows: () => new LotRows(),
});

/** Loads pending lots, and records for which profiles more of them may be due. */
function fillPending(rows: LotRows, found: readonly PendingLot[]): void {
  const dueOf = new Map<string, number>();
  for (const { due = false, ...lot } of found) {
    rows.load(lot);
    if (!due) continue;
    const key = keyOf(lot.memberId, lot.programId);
    const count = (dueOf.get(key) ?? 0) + 1;
    dueOf.set(key, count);
    if (count === LOTS_OF_STEP) rows.noteMoreDue(lot);
  }
}

/** Loads the lots of a walk. Where it ended before the last open lot, the last one that it found is the limit. */
function fillWalked(rows: LotRows, found: readonly WalkedLot[], wanted: readonly LotsWanted[]): void {
  const lastOf = new Map<string, { lot: LotRecord; covered: number; expired: number }>();
  for (const { covered = 0, expired = 0, ...lot } of found) {
    rows.load(lot);
    lastOf.set(keyOf(lot.memberId, lot.programId), { lot, covered, expired });
  }
  for (const need of wanted) {
    if (need.kind !== 'spending') continue;
    const last = lastOf.get(keyOf(need.memberId, need.programId));
    if (!last) continue;
    if (last.expired >= LOTS_OF_STEP) rows.noteMoreDue(last.lot);
    if (last.covered > need.points || last.expired >= LOTS_OF_STEP) rows.limit(last.lot);
  }
}

const postingsOf = { properties: ['transactionId'] } as const;

/** LOTS_NAMED for tables in memory. */
export function lotsNamed(stored: Stored, transactionId: string): LotRecord[] {
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
