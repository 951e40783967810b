import { isRefusal, type Refusal, type RefusalCode } from '../../refusal.ts';

/** Exit codes of every command. A usage error can be seen from the arguments alone. */
export const EXIT = { ok: 0, failure: 1, usage: 2 } as const;

/** An error that ends the command: its message is printed without a stack trace. */
export class CliFailure extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number = EXIT.failure) {
    super(message);
    this.exitCode = exitCode;
  }
}

/**
 * The failure of a command that names a member whom the environment does not have.
 * @param customer externalCustomerId, as it was typed
 */
export function unknownMember(customer: string): CliFailure {
  return new CliFailure(
    `There is no member ${JSON.stringify(customer)} in this environment. ` +
      'Those there are: rewards member list -e ENVIRONMENT',
  );
}

/** @returns the outcome @throws CliFailure with the message of the refusal where the outcome is one */
export function orFail<T extends object>(outcome: T): Exclude<T, Refusal<RefusalCode>> {
  if (isRefusal(outcome)) throw new CliFailure(outcome.message);
  // The type of a generic value is not narrowed by the line above.
  return outcome as Exclude<T, Refusal<RefusalCode>>;
}
