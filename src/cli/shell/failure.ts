import { isRefusal, type Refusal, type RefusalCode } from '../../refusal.ts';

/** Exit codes of every command. A usage error is what the arguments alone show to be wrong. */
export const EXIT = { ok: 0, failure: 1, usage: 2 } as const;

/** Ends the command with a message for people and without a stack. */
export class CliFailure extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number = EXIT.failure) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** What was done, or the refusal as a CliFailure. */
export function orFail<T extends object>(outcome: T | Refusal<RefusalCode>): T {
  if (isRefusal(outcome)) throw new CliFailure(outcome.message);
  return outcome;
}
