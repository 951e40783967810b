import { type EnrollmentOptions, enrollMember } from '../commands/members/enroll-member.ts';
import type { Caller } from '../commands/shared/caller.ts';
import type { CommandDoor } from '../ledger/command.ts';
import { isRetry } from '../ledger/retry.ts';
import { isRefusal, type Refusal, refuse } from '../refusal.ts';
import { importEnrollmentKey } from './import-keys.ts';

/**
 * The enrollment of a member whom a file names, once for each program. A file does not enroll a member who has left the
 * program or withdrawn consent: that is checked under the member's lock.
 */
export function importEnrollment(
  request: { programId: string; externalCustomerId: string; noticeVersion: string },
  caller: Caller,
  options: Omit<EnrollmentOptions, 'onlyNew'> = {},
): ReturnType<typeof enrollMember> {
  const idempotencyKey = importEnrollmentKey(request.programId, request.externalCustomerId);
  const consent = { consentStatus: 'opted_in', evidence: { source: 'import' } } as const;
  return enrollMember({ idempotencyKey, ...request, ...consent }, caller, { ...options, onlyNew: true });
}

/**
 * Why a member cannot be enrolled whom an earlier import had enrolled: a replay of that enrollment does not tell.
 * Nothing is written.
 * @returns null where it is neither that the member has left the program nor that it has withdrawn consent
 */
export async function whyNotEnrolled(
  door: CommandDoor,
  ...[about, caller]: Parameters<typeof importEnrollment>
): Promise<Refusal | null> {
  const enrollment = importEnrollment(about, caller, { keepsEnrolled: true });
  const outcome = await door.submit({
    ...enrollment,
    idempotencyKey: null,
    decide(state, now) {
      const decided = enrollment.decide(state, now);
      return isRefusal(decided) || isRetry(decided) ? decided : nothingAgainstIt;
    },
  });
  return isRefusal(outcome) && outcome.code === 'enrollment_required' ? outcome : null;
}

const nothingAgainstIt = refuse('member_exists', 'Nothing speaks against the enrollment of the member.');
