/**
 * The clock of the database, as this process knows it: what has to be told in a process goes by it, such as the time in
 * a new id and that of a signature, so that a machine whose clock is days off tells the same as the others.
 */

/** The database's time where `performance.now()` was 0; null before the first reading. */
let originMs: number | null = null;

/** A reading that is this much older than what is known means that the database's clock was set back. */
const SET_BACK_MS = 1_000;

/**
 * Notes a time that the database has just told. An answer takes its time, so a reading is never ahead of the database's
 * clock: the one that came fastest is kept.
 */
export function noteDatabaseTime(now: Date): void {
  const readMs = now.getTime() - performance.now();
  if (originMs === null || readMs > originMs || originMs - readMs > SET_BACK_MS) originMs = readMs;
}

/** Whether the database has told its time yet. */
export function isDatabaseTimeKnown(): boolean {
  return originMs !== null;
}

/** The present by the database's clock, in milliseconds; by the clock of this process before the first reading. */
export function databaseNowMs(): number {
  return originMs === null ? Date.now() : Math.floor(originMs + performance.now());
}
