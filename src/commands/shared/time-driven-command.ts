import { type Command, type Subject, systemActor } from '../../ledger/command.ts';

/** The profile that a time-driven command is about. */
export interface TimeDrivenInput {
  /** UUID. */
  environmentId: string;
  programId: string;
  externalCustomerId: string;
  /** Id of the run that submits the command, for the audit trail. */
  requestId: string;
}

/** For commands without an idempotency key: a fingerprint is compared only under one. */
export const NO_FINGERPRINT = Buffer.alloc(32);

/**
 * A command that no client sends: it records what time has done to a profile. It is allowed while Production is locked,
 * and a second one changes nothing, so it needs no idempotency key.
 * @param subjects besides the member and the profile
 */
export function timeDrivenCommand(
  operation: string,
  { environmentId, programId, externalCustomerId, requestId }: TimeDrivenInput,
  subjects: readonly Subject[],
  decide: Command['decide'],
): Command {
  return {
    environmentId,
    operation,
    idempotencyKey: null,
    fingerprint: NO_FINGERPRINT,
    actor: systemActor,
    requestId,
    laneKey: externalCustomerId,
    allowedWhileLocked: true,
    subjects: [
      { kind: 'member', externalCustomerId },
      { kind: 'profile', programId, externalCustomerId },
      ...subjects,
    ],
    decide,
  };
}
