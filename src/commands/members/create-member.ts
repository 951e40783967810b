import type { CreateMemberInput } from '../../contract/generated/types.ts';
import { toTypeId } from '../../ids.ts';
import type { State } from '../../ledger/state.ts';
import { refuse } from '../../refusal.ts';
import { type Caller, envelope } from '../shared/caller.ts';
import type { CommandOf, DecisionOf, RefusalOf } from '../shared/operation-command.ts';
import { memberReceipt } from '../shared/receipts.ts';
import { memberCreated } from './member-events.ts';
import { newMember } from './new-member.ts';

/** What a member has from the beginning that the contract's input lacks. */
export interface CreationOptions {
  /** Normalized, each once. They are not in the audit trail: it is never rewritten, and tags have to be erasable. */
  tags?: readonly string[];
}

/**
 * Creates a member without enrolling it in any program (specification, `POST /members`).
 * Refusals: `explicit_program_enrollment_required`, `member_exists`.
 */
export function createMember(
  input: CreateMemberInput,
  caller: Caller,
  { tags = [] }: CreationOptions = {},
): CommandOf<'createMember'> | RefusalOf<'createMember'> {
  if (input.programIds && input.programIds.length > 0) {
    return refuse(
      'explicit_program_enrollment_required',
      'A member is enrolled program by program, with consent: leave programIds out, then PUT each enrollment.',
      [{ path: 'programIds', message: 'must be empty' }],
    );
  }
  return {
    ...envelope('createMember', input, caller),
    laneKey: input.externalCustomerId,
    subjects: [{ kind: 'member', externalCustomerId: input.externalCustomerId }],
    decide: (state, now) => decide(input, caller, tags, state, now),
  };
}

function decide(
  input: CreateMemberInput,
  caller: Caller,
  tags: readonly string[],
  state: State,
  now: Date,
): DecisionOf<'createMember'> {
  const existing = state.member(input.externalCustomerId);
  if (existing) {
    return refuse(
      'member_exists',
      `Another Idempotency-Key already made a member with this externalCustomerId: ${toTypeId('mem', existing.id)}.`,
    );
  }
  const { externalCustomerId, displayName = null, noticeVersion } = input;
  const consentStatus = input.consentStatus === 'opted_in' ? 'granted' : 'withdrawn';
  const start = { externalCustomerId, displayName, noticeVersion, consentStatus, tags: [...tags] } as const;
  const creation = newMember({ ...start, identityStatus: 'unverified' }, caller.requestId, state, now);
  return {
    receipt: { member: memberReceipt(creation.member) },
    inserts: { members: [creation.member], consents: [creation.consent] },
    updates: {},
    audits: [creation.audit],
    webhookEvents: [memberCreated(creation.member)],
  };
}
