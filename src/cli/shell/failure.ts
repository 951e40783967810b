import { isRefusal, type Refusal, type RefusalCode } from '../../refusal.ts';

/** Exit codes of every command. A usage error is one that can be seen from the arguments alone. */
export const EXIT = { ok: 0, failure: 1, usage: 2 } as const;

/** A failure that ends the command with its message, without a stack. */
export class CliFailure extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number = EXIT.failure) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** The outcome. @throws CliFailure with the message of a refusal */
export function orFail<T extends object>(outcome: T | Refusal<RefusalCode>): T {
  if (isRefusal(outcome)) throw new CliFailure(outcome.message);
  return outcome;
}
