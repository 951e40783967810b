import type { RefusalCodeOf } from '../../contract/generated/refusals.ts';
import type { MemberStatusInput } from '../../contract/generated/types.ts';
import { toTypeId } from '../../ids.ts';
import type { Command, Decision, Subject, WebhookEvent } from '../../ledger/command.ts';
import type { State } from '../../ledger/state.ts';
import type { MemberRecord } from '../../ledger/tables/members.ts';
import { isRefusal, memberNotFound, type Refusal } from '../../refusal.ts';
import { type Caller, envelope } from '../shared/caller.ts';
import { NO_FINGERPRINT } from '../shared/time-driven-command.ts';
import { memberSuspended, memberUpdated } from './member-events.ts';

/** A status that operators give to a member. */
export type SettableStatus = Exclude<MemberRecord['status'], 'erased'>;

/** The receipt of a change of status. */
export interface StatusReceipt {
  /** TypeID. */
  memberId: string;
  status: SettableStatus;
  /** False where the member had the status already: nothing was written. */
  changed: boolean;
}

/**
 * Suspends a member, or ends its suspension. Only operators send it, so it has no idempotency key, and it is allowed
 * while Production is locked. A suspended member earns and redeems nothing; its points, holds and enrollments stay as
 * they are. Refusal: `member_not_found` where the member is unknown or erased.
 */
export function setMemberStatus(
  externalCustomerId: string,
  status: SettableStatus,
  { environmentId, actor, requestId }: Caller,
): Command<StatusReceipt> {
  return {
    environmentId,
    operation: 'setMemberStatus',
    idempotencyKey: null,
    fingerprint: NO_FINGERPRINT,
    actor,
    requestId,
    laneKey: externalCustomerId,
    allowedWhileLocked: true,
    subjects: subjectsOf(externalCustomerId),
    decide: (state) => decide(externalCustomerId, status, state),
  };
}

/** The receipt of a change of status over the API. */
export interface NamedStatusReceipt {
  member: { id: string; externalCustomerId: string };
  status: SettableStatus;
  changed: boolean;
}

/** Suspends a member over the API, or ends its suspension: as operators do, under an idempotency key. */
export function changeMemberStatus(
  input: MemberStatusInput,
  status: SettableStatus,
  caller: Caller,
): Command<NamedStatusReceipt, RefusalCodeOf<'suspendMember' | 'resumeMember'>> {
  const { externalCustomerId } = input;
  return {
    ...envelope(status === 'suspended' ? 'suspendMember' : 'resumeMember', input, caller),
    laneKey: externalCustomerId,
    allowedWhileLocked: true,
    subjects: subjectsOf(externalCustomerId),
    decide: (state) => {
      const decision = decide(externalCustomerId, status, state);
      if (isRefusal(decision)) return decision;
      const { memberId: id, ...receipt } = decision.receipt;
      const name = state.member(externalCustomerId)?.externalCustomerId ?? externalCustomerId;
      return { ...decision, receipt: { member: { id, externalCustomerId: name }, ...receipt } };
    },
  };
}

function subjectsOf(externalCustomerId: string): Subject[] {
  return [
    { kind: 'member', externalCustomerId },
    { kind: 'changedMember', externalCustomerId },
  ];
}

function decide(
  externalCustomerId: string,
  status: SettableStatus,
  state: State,
): Decision<StatusReceipt> | Refusal<'member_not_found'> {
  const existing = state.member(externalCustomerId);
  if (!existing || existing.status === 'erased') {
    return memberNotFound;
  }
  const memberId = toTypeId('mem', existing.id);
  const changed = existing.status !== status;
  const member = { ...existing, status };
  return {
    receipt: { memberId, status, changed },
    inserts: {},
    updates: { members: changed ? [member] : [] },
    audits: changed
      ? [
          {
            action: status === 'suspended' ? 'member.suspended' : 'member.resumed',
            targetType: 'member',
            targetId: memberId,
            changes: { from: existing.status, to: status },
          },
        ]
      : [],
    webhookEvents: changed ? [eventOf(member)] : [],
  };
}

function eventOf(member: MemberRecord): WebhookEvent {
  return member.status === 'suspended' ? memberSuspended(member) : memberUpdated(member, ['status']);
}
