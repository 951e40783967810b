import { type Command, type Subject, timesActor } from '../../ledger/command.ts';

/** The profile that time is looked at for. */
export interface TimesInput {
  /** UUID. */
  environmentId: string;
  programId: string;
  externalCustomerId: string;
  /** Of the run that asks: kept in the audit trail. */
  requestId: string;
}

// Nothing is ever compared with it: what time does has no key.
const NO_FINGERPRINT = Buffer.alloc(32);

/**
 * A command that records what time has done to a profile. It goes on while Production is locked, and a second one changes
 * nothing, so it needs no key.
 * @param subjects beside the member and the profile
 */
export function timesCommand(
  operation: string,
  { environmentId, programId, externalCustomerId, requestId }: TimesInput,
  subjects: readonly Subject[],
  decide: Command['decide'],
): Command {
  return {
    environmentId,
    operation,
    idempotencyKey: null,
    fingerprint: NO_FINGERPRINT,
    actor: timesActor,
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
