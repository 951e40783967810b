const rfc3339 =
  /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?(?:[Zz]|([+-])([01]\d|2[0-3]):([0-5]\d))$/;

/** Years 1 to 9999 in UTC: ISO 8601 and Postgres both write them with four digits and without a sign. */
const EARLIEST_MS = Date.parse('0001-01-01T00:00:00.000Z');
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** The length of the form that the service returns. */
const NORMAL_LENGTH = 24;

/**
 * Parses an instant in the format of RFC 3339: with a time zone, and a date that exists in the calendar. Leap seconds
 * are refused. Fractions of a millisecond are cut off.
 * @returns the instant in UTC with milliseconds, `2026-01-31T12:00:00.000Z`, or null
 */
export function normalizeDateTime(text: string): string | null {
  // Most texts have the form that the service returns: this path is the fast one.
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

/** Whether a text is what `toISOString` gives: Date.parse accepts 30 February and 24:00, which this check refuses. */
function isNormal(text: string): boolean {
  const ms = Date.parse(text);
  return !Number.isNaN(ms) && new Date(ms).toISOString() === text;
}
