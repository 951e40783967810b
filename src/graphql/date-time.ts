const rfc3339 =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;

/** Year 1 to year 9999 in UTC: what both ISO 8601 and Postgres write without signs or extra digits. */
const EARLIEST_MS = Date.parse('0001-01-01T00:00:00.000Z');
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Reads an instant as RFC 3339 writes it, with a time zone and a day that the calendar has. Leap seconds are refused;
 * what is finer than a millisecond is cut off.
 * @returns the instant in UTC with milliseconds, `2026-01-31T12:00:00.000Z`, or null
 */
export function normalizeDateTime(text: string): string | null {
  const parts = rfc3339.exec(text);
  if (!parts) return null;
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  if (hour > 23 || minute > 59 || second > 59) return null;
  const zoneHours = Number(parts[9] ?? 0);
  const zoneMinutes = Number(parts[10] ?? 0);
  if (zoneHours > 23 || zoneMinutes > 59) return null;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCFullYear() !== year || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day)
    return null;
  date.setUTCHours(hour, minute, second, Number((parts[7] ?? '').slice(0, 3).padEnd(3, '0')));
  const zoneMs = (zoneHours * 60 + zoneMinutes) * 60_000 * (parts[8] === '-' ? -1 : 1);
  const instantMs = date.getTime() - zoneMs;
  return instantMs >= EARLIEST_MS && instantMs <= LATEST_MS ? new Date(instantMs).toISOString() : null;
}
