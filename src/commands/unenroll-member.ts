import type { UnenrollMemberInput } from '../contract/generated/types.ts';
import { toTypeId } from '../ids.ts';
import type { Command, Decision, State } from '../ledger/command.ts';
import { type Refusal, refuse } from '../refusal.ts';
import { type Caller, envelope } from './caller.ts';

/**
 * Ends a member's enrollment once every balance is zero (specification, `DELETE` enrollment). Goes on while Production
 * is locked. Refusals: `program_not_found`, `member_not_found`, `profile_not_found`, `balance_not_zero`,
 * `reservation_open`.
 */
export function unenrollMember(input: UnenrollMemberInput, caller: Caller): Command {
  const { programId, externalCustomerId } = input;
  return {
    ...envelope('unenrollMember', input, caller),
    laneKey: externalCustomerId,
    allowedWhileLocked: true,
    subjects: [
      { kind: 'member', externalCustomerId },
      { kind: 'profile', programId, externalCustomerId },
    ],
    decide: (state, now) => decide(input, caller, state, now),
  };
}

function decide(input: UnenrollMemberInput, caller: Caller, state: State, now: Date): Decision | Refusal {
  const { programId, externalCustomerId, noticeVersion, reason } = input;
  if (!state.program(programId)) {
    return refuse('program_not_found', 'This environment has no published program of this id.');
  }
  // A suspended member may leave: only an unknown or erased one cannot be found.
  const member = state.member(externalCustomerId);
  if (!member || member.status === 'erased') {
    return refuse('member_not_found', 'No member of this environment has this externalCustomerId.');
  }
  const profile = state.profile(programId, externalCustomerId);
  if (!profile) return refuse('profile_not_found', 'The member was never enrolled in this program.');
  if (profile.available > 0 || profile.pending > 0) {
    return refuse(
      'balance_not_zero',
      `${profile.available} points are available and ${profile.pending} pending: they must be spent or expire first.`,
    );
  }
  if (profile.reserved > 0) {
    return refuse(
      'reservation_open',
      `${profile.reserved} points are reserved: release or commit them first.`,
    );
  }
  const leaves = profile.enrolled;
  const memberId = toTypeId('mem', member.id);
  return {
    receipt: { program: { programId, status: 'unenrolled' } },
    inserts: {
      consents: [
        {
          id: state.newId(),
          memberId: member.id,
          programId,
          status: 'withdrawn',
          noticeVersion,
          evidence: input.evidence,
          reason,
          requestId: caller.requestId,
          at: now,
        },
      ],
    },
    updates: { profiles: leaves ? [{ ...profile, enrolled: false, unenrolledAt: now }] : [] },
    audits: [
      {
        action: leaves ? 'member.unenrolled' : 'member.consent_withdrawn_again',
        targetType: 'member',
        targetId: memberId,
        changes: { programId, noticeVersion, reason },
      },
    ],
    webhookEvents: leaves
      ? [{ type: 'member.unenrolled', data: { memberId, externalCustomerId, programId, reason } }]
      : [],
  };
}
