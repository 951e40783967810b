import type { Member, MemberReference, ProgramProfile } from '../../contract/generated/types.ts';
import { toTypeId } from '../../ids.ts';
import type { Decision } from '../../ledger/command.ts';
import type { MemberRecord } from '../../ledger/tables/members.ts';
import type { ProfileRecord } from '../../ledger/tables/program-profiles.ts';

/** A member as receipts and reads show it. */
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

/** The short form of a member in the receipt of a command. */
export function memberReference(member: MemberRecord, tier: string): MemberReference {
  return { id: toTypeId('mem', member.id), externalCustomerId: member.externalCustomerId, tier };
}

/** A program profile as receipts and reads show it, with its one account. */
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
 * Gives a stored receipt its type. The receipt is JSON that this command made, or that an earlier command of the same
 * operation made under any version of the service, so optional fields that were added later may be missing. This is the
 * only place where the type of a receipt is asserted without a check. Where a receipt is made, the compiler checks it.
 */
export function storedReceipt<Receipt extends object>(receipt: object): Receipt {
  return receipt as Receipt;
}

/** Repeats the receipt of an earlier command that had another idempotency key. Only the new key is written. */
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
