import { type Refusal, refuse } from '../../refusal.ts';

/** How far the clock of a caller may be ahead of the database's. */
const MAX_AHEAD_MS = 5 * 60 * 1000;

/**
 * Refuses an event that happened later than now, by more than clocks may differ.
 * @param code the code of the surface for an event that violates the contract
 * @param now the database's time
 */
export function refuseTooFarAhead<Code extends 'invalid_event' | 'validation_failed'>(
  code: Code,
  occurredAt: Date,
  now: Date,
): Refusal<Code> | null {
  if (occurredAt.getTime() <= now.getTime() + MAX_AHEAD_MS) return null;
  return refuse(code, "occurredAt lies more than five minutes ahead of the server's time.", [
    { path: 'occurredAt', message: "must not be more than five minutes ahead of the server's time" },
  ]);
}
