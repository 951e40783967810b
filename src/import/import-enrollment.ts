import { type EnrollmentOptions, enrollMember } from '../commands/members/enroll-member.ts';
import type { Caller } from '../commands/shared/caller.ts';
import { importEnrollmentKey } from './import-keys.ts';

/**
 * The enrollment of a member whom a file names, once for each program. A file does not enroll a member who has left the
 * program or withdrawn consent: that is checked under the member's lock.
 */
export function importEnrollment(
  about: { programId: string; externalCustomerId: string; noticeVersion: string },
  caller: Caller,
  options: Omit<EnrollmentOptions, 'onlyNew'> = {},
): ReturnType<typeof enrollMember> {
  const idempotencyKey = importEnrollmentKey(about.programId, about.externalCustomerId);
  const consent = { consentStatus: 'opted_in', evidence: { source: 'import' } } as const;
  return enrollMember({ idempotencyKey, ...about, ...consent }, caller, { ...options, onlyNew: true });
}
