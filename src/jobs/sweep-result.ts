/** What a sweep has done. */
export interface SweepResult {
  /** Profiles in which something was posted. */
  profiles: number;
  transactions: number;
  /** Reservations that have expired; their transactions count above too. */
  reservations: number;
  quotes: number;
  /** Grants of choices whose time was over. */
  choices: number;
  adjustments: number;
  /** Profiles and adjustments that could not be settled. */
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
