/** The result of a sweep. */
export interface SweepResult {
  /** Profiles in which something was posted. */
  profiles: number;
  transactions: number;
  /** Expired reservations; `transactions` counts their transactions too. */
  reservations: number;
  quotes: number;
  /** Expired grants of choices. */
  choices: number;
  adjustments: number;
  /** Profiles and adjustments that failed. */
  failed: number;
}

export function emptyResult(): SweepResult {
  return { profiles: 0, transactions: 0, reservations: 0, quotes: 0, choices: 0, adjustments: 0, failed: 0 };
}

export function addUp(results: readonly SweepResult[]): SweepResult {
  const total = emptyResult();
  for (const result of results) {
    for (const name of Object.keys(total) as (keyof SweepResult)[]) total[name] += result[name];
  }
  return total;
}
