import type { Member, MemberReference, ProgramProfile } from '../../contract/generated/types.ts';
import { toTypeId } from '../../ids.ts';
import type { Decision } from '../../ledger/command.ts';
import type { MemberRecord } from '../../ledger/tables/members.ts';
import type { ProfileRecord } from '../../ledger/tables/program-profiles.ts';

/** A member as the answers of the service show it. */
export function memberReceipt(member: MemberRecord): Member {
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

/** A member as the answer to a command names it. */
export function memberReference(member: MemberRecord, tier: string): MemberReference {
  return { id: toTypeId('mem', member.id), externalCustomerId: member.externalCustomerId, tier };
}

/** A program profile with its one account. */
export function profileReceipt(profile: ProfileRecord): ProgramProfile {
  return {
    programId: profile.programId,
    tier: profile.tier,
    status: profile.enrolled ? 'enrolled' : 'unenrolled',
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

/**
 * A receipt as it comes back from the ledger: JSON that this command has made, or an earlier one of its operation under
 * any version of the service, which may lack optional fields of today. The one place where the type of a receipt is
 * taken on trust: whoever makes one is checked by the compiler.
 */
export function storedReceipt<Receipt extends object>(receipt: object): Receipt {
  return receipt as Receipt;
}

/** Answers again as an earlier command under another key was answered: nothing is written but the new key. */
export function repeatedDecision<Receipt extends object>(receipt: object): Decision<Receipt> {
  return {
    receipt: storedReceipt(receipt),
    repeated: true,
    inserts: {},
    updates: {},
    audits: [],
    webhookEvents: [],
  };
}
