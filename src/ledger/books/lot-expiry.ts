import type { LotRecord } from '../tables/lot-rows.ts';
import type { ProfileRecord } from '../tables/program-profiles.ts';
import type { Book } from './book.ts';

const DAY_MS = 86_400_000;

/** When a lot expires, by the member's last activity so far; null for never. */
export function expiryOf(
  lot: Pick<LotRecord, 'expiresAt' | 'inactivityDays'>,
  profile: Pick<ProfileRecord, 'lastActivityAt'>,
): Date | null {
  if (lot.inactivityDays === null || profile.lastActivityAt === null || lot.expiresAt === null) {
    return lot.expiresAt;
  }
  const livesUntil = profile.lastActivityAt.getTime() + lot.inactivityDays * DAY_MS;
  return livesUntil > lot.expiresAt.getTime() ? new Date(livesUntil) : lot.expiresAt;
}

/** Lets a lot that has expired live on until the end of the grace days; a lot that has not keeps its expiry. */
export function revive(book: Book, lotId: string, graceEnds: Date): void {
  const expiresAt = expiryOf(book.lot(lotId), book.profile);
  if (expiresAt && expiresAt <= book.now) book.setLot(lotId, { expiresAt: graceEnds });
}
