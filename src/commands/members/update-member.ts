import type { UpdateMemberInput } from '../../contract/generated/types.ts';
import { toTypeId } from '../../ids.ts';
import type { State } from '../../ledger/state.ts';
import type { ConsentRecord } from '../../ledger/tables/consent-records.ts';
import type { MemberRecord } from '../../ledger/tables/members.ts';
import { memberNotFound, type Refusal, refuse } from '../../refusal.ts';
import { type Caller, envelope } from '../shared/caller.ts';
import type { CommandOf, DecisionOf, RefusalOf } from '../shared/operation-command.ts';
import { memberReceipt } from '../shared/receipts.ts';
import { memberConsentChanged, memberUpdated } from './member-events.ts';

/** What the customer answered, with its evidence. */
type Answer = Pick<ConsentRecord, 'status' | 'noticeVersion' | 'evidence'>;

const CHANGEABLE = ['displayName', 'consentStatus', 'noticeVersion', 'evidence'] as const;
const ANSWER = ['consentStatus', 'noticeVersion', 'evidence'] as const;

/**
 * Changes a member's name, records a new answer about the consent of its identity, or both. An answer is recorded also
 * where it is the same as before; a name that is the same changes nothing. Points, enrollments, quotes and holds stay
 * as they are. Refusals: `validation_failed` where nothing or half an answer is given, `member_not_found`.
 */
export function updateMember(
  input: UpdateMemberInput,
  caller: Caller,
): CommandOf<'updateMember'> | RefusalOf<'updateMember'> {
  const violation = violationOf(input);
  if (violation) return violation;
  const { externalCustomerId } = input;
  return {
    ...envelope('updateMember', input, caller),
    laneKey: externalCustomerId,
    subjects: [
      { kind: 'member', externalCustomerId },
      { kind: 'changedMember', externalCustomerId },
    ],
    decide: (state, now) => decide(input, caller, state, now),
  };
}

function violationOf(input: UpdateMemberInput): Refusal<'validation_failed'> | null {
  // A fingerprint does not tell null from absent, so null cannot mean that a value is taken away.
  const nulls = CHANGEABLE.filter((name) => input[name] === null);
  if (nulls.length > 0) {
    const details = nulls.map((path) => ({ path, message: 'must not be null: leave it out to keep it' }));
    return refuse('validation_failed', 'The change has properties that are null.', details);
  }
  if (CHANGEABLE.every((name) => input[name] === undefined)) {
    return refuse('validation_failed', 'Name what changes: displayName, consentStatus, or both.');
  }
  const missing = ANSWER.filter((name) => input[name] === undefined);
  if (missing.length === 0 || missing.length === ANSWER.length) return null;
  const details = missing.map((path) => ({ path, message: 'is required' }));
  return refuse(
    'validation_failed',
    'Consent is changed by consentStatus, noticeVersion and evidence together.',
    details,
  );
}

function decide(
  input: UpdateMemberInput,
  caller: Caller,
  state: State,
  now: Date,
): DecisionOf<'updateMember'> {
  // A suspended member may be renamed and withdraw its consent; only an unknown or erased one is refused.
  const existing = state.member(input.externalCustomerId);
  if (!existing || existing.status === 'erased') {
    return memberNotFound;
  }
  const answer = answerOf(input);
  const member: MemberRecord = {
    ...existing,
    displayName: input.displayName ?? existing.displayName,
    ...(answer && {
      consentStatus: answer.status,
      noticeVersion: answer.noticeVersion,
      consentAt: now,
    }),
  };
  const renamed = member.displayName !== existing.displayName;
  const changes = {
    renamed,
    ...(answer && { consentStatus: answer.status, noticeVersion: answer.noticeVersion }),
  };
  const consent = answer && {
    id: state.newId(),
    memberId: member.id,
    programId: null,
    ...answer,
    reason: null,
    requestId: caller.requestId,
    at: now,
  };
  return {
    receipt: { member: memberReceipt(member) },
    inserts: { consents: consent ? [consent] : [] },
    updates: { members: renamed || answer ? [member] : [] },
    // Neither the name nor the evidence is in the trail: it is never rewritten, and both have to be erasable.
    audits:
      renamed || answer
        ? [{ action: 'member.updated', targetType: 'member', targetId: toTypeId('mem', member.id), changes }]
        : [],
    webhookEvents: [
      ...(renamed ? [memberUpdated(member, ['displayName'])] : []),
      ...(answer ? [memberConsentChanged(member)] : []),
    ],
  };
}

/** The answer of an input that has all of its parts; null where it has none. */
function answerOf({ consentStatus, noticeVersion, evidence }: UpdateMemberInput): Answer | null {
  if (!consentStatus || !noticeVersion || !evidence) return null;
  return { status: consentStatus === 'opted_in' ? 'granted' : 'withdrawn', noticeVersion, evidence };
}
