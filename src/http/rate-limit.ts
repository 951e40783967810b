/** The state of a credential's window after a unit was taken, or refused. */
export interface RateVerdict {
  allowed: boolean;
  /** Units in a window. */
  limit: number;
  remaining: number;
  /** Whole seconds until the window ends, at least 1. */
  resetSeconds: number;
}
