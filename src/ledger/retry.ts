import { type Refusal, refuse } from '../refusal.ts';

/** What the client is told where no try has decided its command in time. */
const TOLD = {
  /** The batch has only made a step of a long settlement of the member's points. */
  settlement_step: 'Very many points of the member are due, and they are settled first.',
  /** The name that was looked up before the command was submitted is not the name of that member any more. */
  owner_changed: 'The member was erased, or two accounts of it were parted, at this moment.',
} as const;

export type RetryReason = keyof typeof TOLD;

/**
 * The outcome of a command that is not decided yet, and may be at another try. The writer tries it again, and nobody
 * else: its caller gets a receipt or a refusal.
 */
export interface Retry {
  kind: 'retry';
  why: RetryReason;
}

export function retryFor(why: RetryReason): Retry {
  return { kind: 'retry', why };
}

export function isRetry(value: object): value is Retry {
  return 'kind' in value && value.kind === 'retry';
}

/** What is left of an outcome where the command is not tried again any more. */
export function withoutRetry<Decided extends object>(
  outcome: Decided | Retry,
): Decided | Refusal<'overloaded'> {
  if (!isRetry(outcome)) return outcome;
  return refuse(
    'overloaded',
    `${TOLD[outcome.why]} Nothing was done for this request: send it again after Retry-After.`,
  );
}
