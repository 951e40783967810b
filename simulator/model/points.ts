const DAY_MS = 86_400_000;

/** A lot: points that were credited together. All instants are milliseconds since 1970. */
export interface ModelLot {
  /** The order that earned them; null for a credit. */
  order: string | null;
  granted: number;
  pending: number;
  available: number;
  reserved: number;
  /** Clawback claims: points owed for returns. Points that come back to the lot pay them first. */
  claimed: number;
  /** Points that reversals of credits have borrowed from this lot; negative where this credit's reversal borrowed. */
  lent: number;
  /** Whether its coming expiry was told of. */
  noticed: boolean;
  activatesAt: number | null;
  expiresAt: number | null;
  inactivityDays: number | null;
  /**
   * Its place among the profile's lots by age. Null for the lot of a merged account that had nothing left: it becomes a
   * lot of the profile with the first points that come back to it, or the first claim on it.
   */
  rank: number | null;
  /**
   * Of a lot that came with a merge: the profile and the index of the lot that it was to begin with. Null for others.
   */
  origin: string | null;
}

/** A number of points of one lot; `lot` is its index. */
export interface Part {
  lot: number;
  points: number;
}

export interface ModelHold {
  /** The reservation's name. */
  reservation: string;
  expiresAt: number;
  parts: readonly Part[];
}

/** A member's points in a program. */
export interface ModelPoints {
  /** In the order of their creation. Lots are never removed. */
  lots: readonly ModelLot[];
  holds: readonly ModelHold[];
  /** When the member last earned or redeemed. */
  lastActivityAt: number | null;
}

export type Amount = 'available' | 'pending' | 'reserved';

export function sumOf({ lots }: Pick<ModelPoints, 'lots'>, amount: Amount): number {
  let sum = 0;
  for (const lot of lots) sum += lot[amount];
  return sum;
}

/** When a lot expires, given the last activity so far; infinity for never. */
export function endOf(lot: ModelLot, lastActivityAt: number | null): number {
  const end = lot.expiresAt ?? Number.POSITIVE_INFINITY;
  if (lot.inactivityDays === null || lastActivityAt === null) return end;
  return Math.max(end, lastActivityAt + lot.inactivityDays * DAY_MS);
}

/** Whether one of the parts is of the lot of a reversed credit that owes points to other lots. */
export function owes({ lots }: Pick<ModelPoints, 'lots'>, parts: readonly Part[]): boolean {
  return parts.some(({ lot }) => (lots[lot]?.lent ?? 0) < 0);
}

/** Whether taking back a credit of these parts would borrow points from other lots than its own. */
export function borrows(profile: Pick<ModelPoints, 'lots'>, parts: readonly Part[], points: number): boolean {
  const ownPoints = parts.reduce((sum, { lot }) => sum + (profile.lots[lot]?.available ?? 0), 0);
  return ownPoints < points && points <= sumOf(profile, 'available');
}

/** A working copy of a member's lots and holds in a program, at one instant. */
export class PointBalance {
  readonly lots: ModelLot[];
  readonly now: number;
  /** Names of the reservations whose holds have expired. */
  readonly lapsed: string[] = [];
  /** The points of each expiry, of one lot or several at once. */
  readonly expired: number[] = [];
  holds: ModelHold[];
  lastActivityAt: number | null;

  constructor({ lots, holds, lastActivityAt }: ModelPoints, now: Date) {
    this.lots = lots.map((lot) => ({ ...lot }));
    this.holds = [...holds];
    this.lastActivityAt = lastActivityAt;
    this.now = now.getTime();
  }

  get available(): number {
    return sumOf(this, 'available');
  }

  /** Available, pending and reserved points together. */
  get total(): number {
    return this.available + sumOf(this, 'pending') + sumOf(this, 'reserved');
  }

  /** The state to be stored in the profile. */
  get points(): ModelPoints {
    return { lots: this.lots, holds: this.holds, lastActivityAt: this.lastActivityAt };
  }

  /** Applies what is due by now: activation, expiry of holds, expiry of lots. */
  settle(): void {
    for (const lot of this.lots) {
      if (lot.activatesAt === null || lot.activatesAt > this.now) continue;
      lot.available += lot.pending;
      lot.pending = 0;
    }
    for (const { reservation, expiresAt } of this.holds) {
      if (expiresAt > this.now) continue;
      this.returnToLots(this.endHold(reservation));
      this.lapsed.push(reservation);
    }
    this.expireLots();
  }

  /** Adds a lot of points that are available at once. */
  credit(points: number, dates: Pick<ModelLot, 'activatesAt' | 'expiresAt' | 'inactivityDays'>): Part {
    const amounts = { granted: points, pending: 0, available: points, reserved: 0, claimed: 0, lent: 0 };
    return { lot: this.add({ order: null, ...amounts, noticed: false, ...dates }), points };
  }

  /** Adds a lot as the youngest one. @returns its index */
  add(lot: Omit<ModelLot, 'rank' | 'origin'>, origin: string | null = null): number {
    return this.lots.push({ ...lot, rank: this.#nextRank(), origin }) - 1;
  }

  /** Something happens to a lot of a merged account that had nothing left: from now on the profile has it. */
  touch(index: number): void {
    this.lot(index).rank ??= this.#nextRank();
  }

  #nextRank(): number {
    return this.lots.reduce((most, { rank }) => Math.max(most, rank ?? 0), 0) + 1;
  }

  /** Takes available points: of the lots that expire soonest first, and among those of the oldest. */
  take(points: number): Part[] {
    const parts: Part[] = [];
    let remaining = points;
    while (remaining > 0) {
      let best = -1;
      this.lots.forEach((lot, index) => {
        if (lot.available > 0 && (best < 0 || isBefore(lot, this.lot(best)))) best = index;
      });
      if (best < 0) throw new Error(`the model has ${remaining} points too few`);
      const amount = Math.min(remaining, this.lot(best).available);
      this.lot(best).available -= amount;
      remaining -= amount;
      parts.push({ lot: best, points: amount });
    }
    return parts;
  }

  hold(reservation: string, expiresAt: number, points: number): void {
    const parts = this.take(points);
    for (const part of parts) this.lot(part.lot).reserved += part.points;
    this.holds.push({ reservation, expiresAt, parts });
  }

  /** Removes a hold and returns its parts. The caller decides where the points go. */
  endHold(reservation: string): readonly Part[] {
    const hold = this.holds.find((each) => each.reservation === reservation);
    if (!hold) throw new Error(`the model holds nothing for ${reservation}`);
    this.holds = this.holds.filter((each) => each !== hold);
    for (const part of hold.parts) this.lot(part.lot).reserved -= part.points;
    return hold.parts;
  }

  /**
   * Returns points to their lots. Clawback claims on a lot are paid first; then a reversed credit pays back the lots
   * that its reversal borrowed from.
   * @param graceDays for how long a lot that has expired meanwhile is valid again; null for not at all
   */
  returnToLots(parts: readonly Part[], graceDays: number | null = null): void {
    for (const { lot: index, points } of parts) {
      this.touch(index);
      const lot = this.lot(index);
      if (graceDays !== null && endOf(lot, this.lastActivityAt) <= this.now) {
        lot.expiresAt = this.now + graceDays * DAY_MS;
      }
      const owed = Math.min(points, lot.claimed);
      lot.claimed -= owed;
      lot.available += points - owed;
    }
    for (const { lot: index } of parts) {
      const lot = this.lot(index);
      const borrowed = Math.min(lot.available, -lot.lent);
      if (borrowed <= 0) continue;
      lot.available -= borrowed;
      lot.lent += borrowed;
      this.returnToLots(this.#payBack(borrowed), graceDays);
    }
  }

  /** Takes back the points of a credit: what its own lot lacks is borrowed from the other lots. */
  undoCredit(credit: Part): void {
    const borrowed = credit.points - this.takeFromLot(credit);
    if (borrowed > 0) this.touch(credit.lot);
    this.lot(credit.lot).lent -= borrowed;
    for (const { lot, points } of this.take(borrowed)) this.lot(lot).lent += points;
  }

  /** Divides points among the lots that have lent some: first to those that expire soonest, then to the oldest. */
  #payBack(points: number): Part[] {
    const lenders = [...this.lots.keys()].filter((index) => this.lot(index).lent > 0);
    lenders.sort((a, b) => (isBefore(this.lot(a), this.lot(b)) ? -1 : 1));
    let remaining = points;
    const parts: Part[] = [];
    for (const index of lenders) {
      const part = Math.min(remaining, this.lot(index).lent);
      if (part === 0) break;
      this.lot(index).lent -= part;
      remaining -= part;
      parts.push({ lot: index, points: part });
    }
    return parts;
  }

  /** Ends all holds, and takes all points that the member has then. @returns how many were taken */
  forfeit(): number {
    for (const { reservation } of this.holds) {
      this.returnToLots(this.endHold(reservation));
      this.lapsed.push(reservation);
    }
    let forfeited = 0;
    for (const lot of this.lots) {
      forfeited += lot.available + lot.pending;
      lot.available = 0;
      lot.pending = 0;
    }
    if (forfeited > 0) this.expired.push(forfeited);
    return forfeited;
  }

  /** Takes up to so many points out of one lot, pending points first. @returns how many were taken */
  clawBack(index: number, points: number): number {
    const lot = this.lot(index);
    const ofPending = Math.min(points, lot.pending);
    lot.pending -= ofPending;
    const ofAvailable = Math.min(points - ofPending, lot.available);
    lot.available -= ofAvailable;
    return ofPending + ofAvailable;
  }

  /** Takes up to so many available points out of one lot. @returns how many were taken */
  takeFromLot({ lot: index, points }: Part): number {
    const lot = this.lot(index);
    const amount = Math.min(points, lot.available);
    lot.available -= amount;
    return amount;
  }

  lot(index: number): ModelLot {
    const lot = this.lots[index];
    if (!lot) throw new Error(`the model has no lot ${index}`);
    return lot;
  }

  /** Expires the available points of the lots that are due; postpones lots that activity has extended. */
  expireLots(): void {
    let points = 0;
    for (const lot of this.lots) {
      if (lot.available === 0 || lot.expiresAt === null || lot.expiresAt > this.now) continue;
      const end = endOf(lot, this.lastActivityAt);
      if (end > this.now) lot.expiresAt = end;
      else {
        points += lot.available;
        lot.available = 0;
      }
    }
    if (points > 0) this.expired.push(points);
  }
}

/** Whether a lot is spent before another one: it expires sooner, or is older. */
function isBefore(a: ModelLot, b: ModelLot): boolean {
  const [first, second] = [dateOf(a), dateOf(b)];
  return first < second || (first === second && (a.rank ?? 0) < (b.rank ?? 0));
}

/** The expiry that decides the order of spending: the stored one, which later activity may not have postponed yet. */
function dateOf(lot: ModelLot): number {
  return lot.expiresAt ?? Number.POSITIVE_INFINITY;
}
