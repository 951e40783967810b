/**
 * The first instant of a day of the UTC calendar, in milliseconds. Days and months beyond their ends roll over.
 * @param year as it is: `Date.UTC` takes the years 0 to 99 for those of the 20th century
 * @param month from 0
 */
export function utcDay(year: number, month: number, day = 1): number {
  return new Date(0).setUTCFullYear(year, month, day);
}
