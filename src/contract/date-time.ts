const rfc3339 =
  /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?(?:[Zz]|([+-])([01]\d|2[0-3]):([0-5]\d))$/;

/** Year 1 to year 9999 in UTC: what both ISO 8601 and Postgres write without signs or extra digits. */
const EARLIEST_MS = Date.parse('0001-01-01T00:00:00.000Z');
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** Length of the form that we give back. */
const NORMAL_LENGTH = 24;

/**
 * Reads an instant as RFC 3339 writes it, with a time zone and a day that the calendar has. Leap seconds are refused;
 * what is finer than a millisecond is cut off.
 * @returns the instant in UTC with milliseconds, `2026-01-31T12:00:00.000Z`, or null
 */
export function normalizeDateTime(text: string): string | null {
  // Our own form, which every answer holds, is most of what is read.
  if (text.length === NORMAL_LENGTH && isNormal(text)) return Date.parse(text) >= EARLIEST_MS ? text : null;
  const parts = rfc3339.exec(text);
  if (!parts) return null;
  const [, day, time, fraction = '', sign, zoneHours, zoneMinutes] = parts;
  const local = `${day}T${time}.${fraction.slice(0, 3).padEnd(3, '0')}Z`;
  if (!isNormal(local)) return null;
  const zoneMs = sign ? (Number(zoneHours) * 60 + Number(zoneMinutes)) * 60_000 * (sign === '-' ? -1 : 1) : 0;
  const instantMs = Date.parse(local) - zoneMs;
  return instantMs >= EARLIEST_MS && instantMs <= LATEST_MS ? new Date(instantMs).toISOString() : null;
}

/** Whether a text is what a Date would write: Date.parse takes 30 February and 24:00, but does not give them back. */
function isNormal(text: string): boolean {
  const ms = Date.parse(text);
  return !Number.isNaN(ms) && new Date(ms).toISOString() === text;
}
