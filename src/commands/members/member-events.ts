import type { MemberChange } from '../../contract/generated/types.ts';
import { toTypeId } from '../../ids.ts';
import type { WebhookEvent } from '../../ledger/command.ts';
import type { MemberRecord } from '../../ledger/tables/members.ts';

/** A member was created. It is in no program yet. */
export function memberCreated(member: MemberRecord): WebhookEvent {
  return { type: 'member.created', data: stateOf(member) };
}

/** Something else about a member than its consent was changed, or its suspension was ended. */
export function memberUpdated(member: MemberRecord, changed: readonly MemberChange[]): WebhookEvent {
  return { type: 'member.updated', data: { ...stateOf(member), changed } };
}

/** A member was suspended. */
export function memberSuspended(member: MemberRecord): WebhookEvent {
  return { type: 'member.suspended', data: stateOf(member) };
}

/** A member's answer about the consent of its identity was recorded. */
export function memberConsentChanged(member: MemberRecord): WebhookEvent {
  return {
    type: 'member.consent_changed',
    data: { ...stateOf(member), noticeVersion: member.noticeVersion },
  };
}

/** What every event about a member of no particular program has: enough for a mirror that has missed the others. */
function stateOf({ id, externalCustomerId, status, consentStatus }: MemberRecord) {
  return { memberId: toTypeId('mem', id), externalCustomerId, status, consentStatus };
}
