import type { PlainProgram } from '../programs/program.ts';
import type { ModelLot } from './points.ts';

const DAY_MS = 86_400_000;

/**
 * The activation and expiry of a lot.
 * @param occurredAt when the event happened
 * @param at the instant of the evaluation; all instants are milliseconds since 1970
 */
export function datesOf(
  { pendingDays, expiry }: Pick<PlainProgram, 'pendingDays' | 'expiry'>,
  occurredAt: number,
  at: number,
): Pick<ModelLot, 'activatesAt' | 'expiresAt' | 'inactivityDays'> {
  const activation = occurredAt + pendingDays * DAY_MS;
  const activatesAt = activation > at && pendingDays > 0 ? activation : null;
  const from = activatesAt ?? at;
  switch (expiry.policy) {
    case 'never':
      return { activatesAt, expiresAt: null, inactivityDays: null };
    case 'rolling_days':
      return { activatesAt, expiresAt: from + expiry.days * DAY_MS, inactivityDays: null };
    case 'inactivity':
      return { activatesAt, expiresAt: from + expiry.days * DAY_MS, inactivityDays: expiry.days };
    case 'end_of_period':
      return {
        activatesAt,
        expiresAt: firstDayAfter(expiry.period, from) + expiry.offsetDays * DAY_MS,
        inactivityDays: null,
      };
  }
}

/** The first day of the next period: steps by days until the period's name changes. */
function firstDayAfter(period: 'month' | 'quarter' | 'year', instant: number): number {
  let day = instant - (instant % DAY_MS);
  while (nameOf(period, day) === nameOf(period, instant)) day += DAY_MS;
  return day;
}

function nameOf(period: 'month' | 'quarter' | 'year', instant: number): string {
  const [year, month] = new Date(instant).toISOString().split('-') as [string, string];
  if (period === 'year') return year;
  return period === 'month' ? `${year}-${month}` : `${year} ${Math.ceil(Number(month) / 3)}`;
}
