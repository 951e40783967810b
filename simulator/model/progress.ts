/** A member's progress in a challenge: in one window, or in all windows of a streak. */
export interface ModelProgress {
  start: number;
  /** A number of events; a sum in thousandths; or how many windows of a streak are filled in a row. */
  reached: number;
  completions: number;
  /** The goal at the time of the last event, in the same unit. */
  fullWorth: number;
  /** The goal, its windows and its streak at the time of the last event, as text; empty before the first one. */
  asks: string;
  /** Of a streak: what it asked for at the time of the last event, and what was reached in each window, by number. */
  streak: { asks: string; windows: ReadonlyMap<number, number> } | null;
}
