const DAY_MS = 86_400_000;

/** Points that came in together. All instants are milliseconds since 1970. */
export interface ModelLot {
  /** The order that earned them; null for a credit. */
  order: string | null;
  granted: number;
  pending: number;
  available: number;
  reserved: number;
  /** Owed to returns: what comes back pays it first. */
  claimed: number;
  activatesAt: number | null;
  expiresAt: number | null;
  inactivityDays: number | null;
}

/** So many points of the lot at that place of the list. */
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

/** What a member has in a program. */
export interface ModelPoints {
  /** In the order in which they came in. None is ever taken out. */
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

/** When a lot is over as things stand. */
export function endOf(lot: ModelLot, lastActivityAt: number | null): number {
  const end = lot.expiresAt ?? Number.POSITIVE_INFINITY;
  if (lot.inactivityDays === null || lastActivityAt === null) return end;
  return Math.max(end, lastActivityAt + lot.inactivityDays * DAY_MS);
}

/** A member's points on the table. */
export class Purse {
  readonly lots: ModelLot[];
  readonly now: number;
  /** Reservations whose holds have run out. */
  readonly lapsed: string[] = [];
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

  /** All that is there, wherever. */
  get held(): number {
    return this.available + sumOf(this, 'pending') + sumOf(this, 'reserved');
  }

  /** What goes back onto the shelf. */
  get points(): ModelPoints {
    return { lots: this.lots, holds: this.holds, lastActivityAt: this.lastActivityAt };
  }

  /** Does what time has done. */
  pass(): void {
    for (const lot of this.lots) {
      if (lot.activatesAt === null || lot.activatesAt > this.now) continue;
      lot.available += lot.pending;
      lot.pending = 0;
    }
    for (const { reservation, expiresAt } of this.holds) {
      if (expiresAt > this.now) continue;
      this.giveBack(this.unhold(reservation));
      this.lapsed.push(reservation);
    }
    this.dropOver();
  }

  /** Takes available points, those that are over soonest first, and of those the oldest. */
  take(points: number): Part[] {
    const parts: Part[] = [];
    let left = points;
    while (left > 0) {
      let best = -1;
      this.lots.forEach((lot, index) => {
        if (lot.available > 0 && (best < 0 || dateOf(lot) < dateOf(this.lot(best)))) best = index;
      });
      if (best < 0) throw new Error(`the model has ${left} points too few`);
      const taken = Math.min(left, this.lot(best).available);
      this.lot(best).available -= taken;
      left -= taken;
      parts.push({ lot: best, points: taken });
    }
    return parts;
  }

  hold(reservation: string, expiresAt: number, points: number): void {
    const parts = this.take(points);
    for (const part of parts) this.lot(part.lot).reserved += part.points;
    this.holds.push({ reservation, expiresAt, parts });
  }

  /** Ends a hold, and says what it held. The points are in nobody's hands then. */
  unhold(reservation: string): readonly Part[] {
    const hold = this.holds.find((each) => each.reservation === reservation);
    if (!hold) throw new Error(`the model holds nothing for ${reservation}`);
    this.holds = this.holds.filter((each) => each !== hold);
    for (const part of hold.parts) this.lot(part.lot).reserved -= part.points;
    return hold.parts;
  }

  /** Points come back to their lots, of which some may be owed. */
  giveBack(parts: readonly Part[]): void {
    for (const { lot: index, points } of parts) {
      const lot = this.lot(index);
      const owed = Math.min(points, lot.claimed);
      lot.claimed -= owed;
      lot.available += points - owed;
    }
  }

  /** Gives spent points back; a lot that is over meanwhile gets a new life. */
  restore(parts: readonly Part[], graceDays: number): void {
    for (const part of parts) {
      const lot = this.lot(part.lot);
      if (endOf(lot, this.lastActivityAt) <= this.now) lot.expiresAt = this.now + graceDays * DAY_MS;
      this.giveBack([part]);
    }
  }

  /** Takes points out of one lot: pending ones first. @returns how many were there */
  claw(index: number, points: number): number {
    const lot = this.lot(index);
    const ofPending = Math.min(points, lot.pending);
    lot.pending -= ofPending;
    const ofAvailable = Math.min(points - ofPending, lot.available);
    lot.available -= ofAvailable;
    return ofPending + ofAvailable;
  }

  /** Takes what is available of so many points. @returns how many that was */
  drain({ lot: index, points }: Part): number {
    const lot = this.lot(index);
    const taken = Math.min(points, lot.available);
    lot.available -= taken;
    return taken;
  }

  lot(index: number): ModelLot {
    const lot = this.lots[index];
    if (!lot) throw new Error(`the model has no lot ${index}`);
    return lot;
  }

  /** Takes what is available of lots that are over. */
  dropOver(): void {
    for (const lot of this.lots) {
      if (lot.available === 0 || lot.expiresAt === null || lot.expiresAt > this.now) continue;
      const end = endOf(lot, this.lastActivityAt);
      if (end > this.now) lot.expiresAt = end;
      else lot.available = 0;
    }
  }
}

/** The date that lots are spent by: the one that was found when the lot was last looked at. */
function dateOf(lot: ModelLot): number {
  return lot.expiresAt ?? Number.POSITIVE_INFINITY;
}
