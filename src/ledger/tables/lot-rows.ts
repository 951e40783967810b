import type { ExpiringLotSubject } from './expiry-notices.ts';
import { keyOf } from './key-of.ts';
import type {
  DuePendingNeed,
  KeptLotNeed,
  LotsFromNeed,
  OwingNeed,
  PendingNeed,
  SpendingNeed,
  TransactionNeed,
} from './needs.ts';
import { RecordSet } from './record-set.ts';

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
  /** Ids of lots, by the profile that they were moved to and the member of the lots that they were to begin with. */
  readonly #movedFrom = new Map<string, Set<string>>();
  /** Ids of lots, by the lot that was granted to begin with; null until they are asked for, since few batches do. */
  #ofOrigin: Map<string, Set<string>> | null = null;
  /** Ids of lots by profile; null until they are asked for, since purchases do not. */
  #ofProfile: Map<string, Set<string>> | null = null;

  constructor() {
    super((lot) => lot.id);
  }

  override load(lot: LotRecord, ctid?: string): void {
    super.load(lot, ctid);
    this.#note(lot);
  }

  override insert(lot: LotRecord): void {
    super.insert(lot);
    this.#note(lot);
  }

  #note(lot: LotRecord): void {
    if (this.#ofOrigin) addTo(this.#ofOrigin, originOf(lot), lot.id);
    if (this.#ofProfile) addTo(this.#ofProfile, keyOf(lot.programId, lot.memberId), lot.id);
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

  /** Loads lots that were moved from lots of other members. */
  loadMoved(lots: readonly MovedLot[]): void {
    for (const { originMemberId = '', ...lot } of lots) {
      this.load(lot);
      addTo(this.#movedFrom, keyOf(lot.programId, lot.memberId, originMemberId), lot.id);
    }
  }

  /** The lots of a profile that were moved to it from lots of another member, as `lotsFrom` has loaded them. */
  movedFrom(programId: string, memberId: string, originMemberId: string): LotRecord[] {
    return this.#all(this.#movedFrom.get(keyOf(programId, memberId, originMemberId)));
  }

  /** The loaded lots of a profile. */
  ofProfile(programId: string, memberId: string): LotRecord[] {
    if (!this.#ofProfile) {
      this.#ofProfile = new Map();
      for (const lot of this.filter(() => true)) {
        addTo(this.#ofProfile, keyOf(lot.programId, lot.memberId), lot.id);
      }
    }
    return this.#all(this.#ofProfile.get(keyOf(programId, memberId)));
  }

  /** The loaded lots that were one lot to begin with: it, and those that merges have moved it to. */
  ofOrigin(lot: LotRecord): LotRecord[] {
    if (!this.#ofOrigin) {
      this.#ofOrigin = new Map();
      for (const row of this.filter(() => true)) addTo(this.#ofOrigin, originOf(row), row.id);
    }
    return this.#all(this.#ofOrigin.get(originOf(lot)));
  }

  /** The lots of these ids, as the decisions so far have left them. */
  #all(ids: ReadonlySet<string> = new Set()): LotRecord[] {
    const lots: LotRecord[] = [];
    for (const id of ids) {
      const lot = this.get(id);
      if (lot) lots.push(lot);
    }
    return lots;
  }
}

function addTo(ids: Map<string, Set<string>>, key: string, id: string): void {
  const existing = ids.get(key);
  if (existing) existing.add(id);
  else ids.set(key, new Set([id]));
}

/**
 * What is needed to settle a profile and to spend from it: its open reservations (each as `reservation`), the lots that
 * are due, and open lots, soonest-expiring first, until they have more than `points` available. With `profile`.
 */
export interface PointsSubject {
  kind: 'points';
  programId: string;
  externalCustomerId: string;
  points: number;
  /** Rewards whose present prices are added to `points`. */
  rewardIds?: readonly string[];
}

/** What lots are looked up for. */
export type LotLookUpKey =
  | TransactionNeed
  | PointsSubject
  | SpendingNeed
  | DuePendingNeed
  | ExpiringLotSubject
  | KeptLotNeed
  | PendingNeed
  | OwingNeed
  | LotsFromNeed;

/** A pending lot, and whether it is due. */
export type PendingLot = LotRecord & { due?: boolean };

/** A lot that was moved, and the member of the lot that it was to begin with. */
export type MovedLot = LotRecord & { originMemberId?: string };

/**
 * An open lot, with whether it and the lots before it have more unexpired points than are wanted, and how many have
 * expired.
 */
export type WalkedLot = LotRecord & { isCovered?: boolean; expired?: number; ctid?: string };

/** Loads pending lots, and records for which profiles more of them may be due. */
export function fillPending(rows: LotRows, lots: readonly PendingLot[]): void {
  const dueOf = new Map<string, number>();
  for (const { due = false, ...lot } of lots) {
    rows.load(lot);
    if (!due) continue;
    const key = keyOf(lot.memberId, lot.programId);
    const count = (dueOf.get(key) ?? 0) + 1;
    dueOf.set(key, count);
    if (count === LOTS_OF_STEP) rows.noteMoreDue(lot);
  }
}

/** Loads the lots of a walk. Where it ended before the last open lot, the last one that it found is the limit. */
export function fillWalked(rows: LotRows, lots: readonly WalkedLot[]): void {
  const lastOf = new Map<string, { lot: LotRecord; isCovered: boolean; expired: number }>();
  for (const { isCovered = false, expired = 0, ctid, ...lot } of lots) {
    rows.load(lot, ctid);
    lastOf.set(keyOf(lot.memberId, lot.programId), { lot, isCovered, expired });
  }
  for (const { lot, isCovered, expired } of lastOf.values()) {
    if (expired >= LOTS_OF_STEP) rows.noteMoreDue(lot);
    if (isCovered || expired >= LOTS_OF_STEP) rows.limit(lot);
  }
}
