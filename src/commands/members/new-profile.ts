import type { MemberRecord } from '../../ledger/tables/members.ts';
import type { ProfileRecord } from '../../ledger/tables/program-profiles.ts';
import type { Standing } from '../../rules/standing.ts';

/** The profile of a member who enrolls for the first time. */
export function newProfile(
  member: MemberRecord,
  programId: string,
  standing: Standing,
  referralCode: string | null,
  now: Date,
): ProfileRecord {
  return {
    memberId: member.id,
    programId,
    enrolled: true,
    ...standing,
    available: 0,
    pending: 0,
    reserved: 0,
    enrolledAt: now,
    unenrolledAt: null,
    nextDueAt: null,
    lastActivityAt: null,
    purchaseCount: 0,
    purchaseAmountMinor: 0,
    firstPurchaseAt: null,
    lastPurchaseAt: null,
    referralCode,
    referredBy: null,
    referralCount: 0,
    version: 1,
  };
}
