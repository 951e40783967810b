import { toTypeId } from '../../ids.ts';
import type { AuditEntry } from '../../ledger/command.ts';
import type { State } from '../../ledger/state.ts';
import type { ConsentRecord } from '../../ledger/tables/consent-records.ts';
import type { MemberRecord } from '../../ledger/tables/members.ts';

/** What a new member begins with. */
export type MemberStart = Pick<
  MemberRecord,
  'externalCustomerId' | 'displayName' | 'identityStatus' | 'consentStatus' | 'noticeVersion' | 'tags'
>;

/** A new member, with the rows that are written for it. */
export interface MemberMade {
  member: MemberRecord;
  /** The consent of its identity. */
  consent: ConsentRecord;
  audit: AuditEntry;
}

/** Makes an active member of no program. */
export function newMember(start: MemberStart, requestId: string, state: State, now: Date): MemberMade {
  const { consentStatus, noticeVersion } = start;
  const member: MemberRecord = {
    id: state.newId(),
    ...start,
    status: 'active',
    consentAt: now,
    createdAt: now,
    lists: [],
    mergedInto: null,
  };
  return {
    member,
    consent: {
      id: state.newId(),
      memberId: member.id,
      programId: null,
      status: consentStatus,
      noticeVersion,
      evidence: null,
      reason: null,
      requestId,
      at: now,
    },
    audit: {
      action: 'member.created',
      targetType: 'member',
      targetId: toTypeId('mem', member.id),
      changes: { consentStatus, noticeVersion },
    },
  };
}
