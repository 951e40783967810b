import type { ExpirationPolicy, ProgramDocument } from '../../programs/document/program-document.ts';
import { utcDay } from './utc-day.ts';

/** The dates of a lot of points. */
export interface LotDates {
  /** When its points become available; null where they are available at once. */
  activatesAt: Date | null;
  /** The first instant at which its points have lapsed; null where they never lapse. */
  expiresAt: Date | null;
  /** Days after the member's last activity at which its points lapse; null where `expiresAt` is fixed. */
  inactivityDays: number | null;
}

const dayMs = 86_400_000;

/**
 * The dates of points under a program's pending and expiration policies. A day is 24 hours; periods are those of the
 * UTC calendar. Pending days count from the event that earns the points. Expiration counts from when the points become
 * available, so that no points can expire while pending.
 * @param occurredAt when the event that earns the points happened, such as the purchase
 * @param evaluationAt when the event is evaluated; points whose pending days are over by then are available at once
 */
export function lotDates(document: ProgramDocument, occurredAt: Date, evaluationAt: Date): LotDates {
  const pendingDays = document.pending?.days ?? 0;
  const activation = new Date(occurredAt.getTime() + pendingDays * dayMs);
  const activatesAt = pendingDays > 0 && activation > evaluationAt ? activation : null;
  const { expiration } = document;
  return {
    activatesAt,
    expiresAt: expiry(expiration, activatesAt ?? evaluationAt),
    inactivityDays: expiration?.policy === 'inactivity' ? expiration.days : null,
  };
}

function expiry(policy: ExpirationPolicy | undefined, from: Date): Date | null {
  switch (policy?.policy) {
    case undefined:
    case 'never':
      return null;
    case 'rolling_days':
    case 'inactivity':
      return new Date(from.getTime() + policy.days * dayMs);
    case 'end_of_period':
      return new Date(endOfPeriod(policy.period, from) + (policy.offsetDays ?? 0) * dayMs);
  }
}

function endOfPeriod(period: 'month' | 'quarter' | 'year', at: Date): number {
  const year = at.getUTCFullYear();
  const month = at.getUTCMonth();
  switch (period) {
    case 'month':
      return utcDay(year, month + 1, 1);
    case 'quarter':
      return utcDay(year, month - (month % 3) + 3, 1);
    case 'year':
      return utcDay(year + 1, 0, 1);
  }
}
