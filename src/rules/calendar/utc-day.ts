/**
 * The first instant of a day of the UTC calendar, in milliseconds since 1970. Days and months out of range roll over.
 * @param year the full year (`Date.UTC` would take 0 to 99 as years of the 20th century)
 * @param month from 0
 */
export function utcDay(year: number, month: number, day = 1): number {
  return new Date(0).setUTCFullYear(year, month, day);
}
