import { toTypeId } from '../ids.ts';
import type { MemberRecord, ProfileRecord } from '../ledger/records.ts';

/** A member as the answers of the service show it (SDL type Member). */
export function memberReceipt(member: MemberRecord) {
  return {
    id: toTypeId('mem', member.id),
    externalCustomerId: member.externalCustomerId,
    displayName: member.displayName,
    status: member.status,
    consentStatus: member.consentStatus,
    identityStatus: member.identityStatus,
    consent: {
      status: member.consentStatus,
      noticeVersion: member.noticeVersion,
      at: member.consentAt.toISOString(),
    },
  };
}

/** A member as the answer to a command names it (SDL type MemberReference). */
export function memberReference(member: MemberRecord, tier: string) {
  return { id: toTypeId('mem', member.id), externalCustomerId: member.externalCustomerId, tier };
}

/** A program profile with its one account (SDL type ProgramProfile). */
export function profileReceipt(profile: ProfileRecord) {
  return {
    programId: profile.programId,
    tier: profile.tier,
    status: profile.enrolled ? ('enrolled' as const) : ('unenrolled' as const),
    qualificationPoints: profile.qualificationPoints,
    referralCode: profile.referralCode,
    balances: [
      {
        accountType: 'member',
        available: profile.available,
        pending: profile.pending,
        reserved: profile.reserved,
      },
    ],
  };
}
