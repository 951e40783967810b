/** A member's progress in a challenge, in one window. */
export interface ModelProgress {
  start: number;
  /** A number of events, or a sum in thousandths. */
  reached: number;
  completions: number;
  /** The goal at the time of the last event, in the same unit. */
  whole: number;
}
