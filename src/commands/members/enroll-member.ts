import type { RefusalCodeOf } from '../../contract/generated/refusals.ts';
import type { EnrollMemberInput } from '../../contract/generated/types.ts';
import type { Receipt } from '../../contract/receipt.ts';
import { toTypeId } from '../../ids.ts';
import { type Command, type Decision, systemActor, type WebhookEvent } from '../../ledger/command.ts';
import { type DecisionPart, mergeDecisions } from '../../ledger/merge-decisions.ts';
import type { State } from '../../ledger/state.ts';
import type { ConsentRecord } from '../../ledger/tables/consent-records.ts';
import { isActive, type MemberRecord } from '../../ledger/tables/members.ts';
import type { ProfileRecord } from '../../ledger/tables/program-profiles.ts';
import type { ProgramDocument } from '../../programs/document/program-document.ts';
import { versionAt } from '../../programs/published/published-program.ts';
import { programNotFound, type Refusal, refuse } from '../../refusal.ts';
import { initialStanding, standingAt } from '../../rules/standing.ts';
import { type Caller, envelope } from '../shared/caller.ts';
import { grantChoices, grantsForTier } from '../shared/choice-grants.ts';
import { noActiveMember } from '../shared/no-active-member.ts';
import type { CommandOf } from '../shared/operation-command.ts';
import { memberReference, profileReceipt, repeatedDecision } from '../shared/receipts.ts';
import { referralCodeFrom } from '../shared/referral-code.ts';
import { tierChange } from '../shared/tier-change.ts';
import { memberCreated } from './member-events.ts';
import { type MemberMade, newMember } from './new-member.ts';
import { newProfile } from './new-profile.ts';

/** How an enrollment treats members and profiles that exist. */
export interface EnrollmentOptions {
  /**
   * For callers that enroll many customers at once, such as an import, and do not know whether a member has left or
   * withdrawn consent since. Only a member who never had a profile in the program, and has not withdrawn consent, is
   * enrolled. Every other member is refused with `enrollment_required`, and no consent is recorded.
   */
  onlyNew?: boolean;
  /** Answers for a member who is enrolled already as a replay does, and writes nothing. */
  keepsEnrolled?: boolean;
  /** The tier in which a new profile begins, with the qualification points of its threshold. Default: the first one. */
  tier?: string | null;
  /**
   * For customers who enroll themselves: one who is no member yet becomes one, with a verified identity, since the
   * issuer of its token vouches for it. The consent of its identity is the one that it enrolls with.
   */
  makesMember?: boolean;
}

/** The codes with which an enrollment may be refused, those that only imports are told of included. */
type EnrollmentCode = RefusalCodeOf<'enrollMember'> | 'enrollment_required' | 'unknown_tier';

/**
 * Enrolls a member in a program, with the evidence of consent (specification, `PUT` enrollment). An existing profile
 * keeps its balances; the profile of a member who has left is re-activated. Refusals: `program_not_found`,
 * `member_not_found`, with `onlyNew` also `enrollment_required`, with `tier` also `unknown_tier`.
 */
export function enrollMember(
  input: EnrollMemberInput,
  caller: Caller,
  options?: EnrollmentOptions & { onlyNew?: false; tier?: null },
): CommandOf<'enrollMember'>;
export function enrollMember(
  input: EnrollMemberInput,
  caller: Caller,
  options: EnrollmentOptions,
): Command<Receipt<'enrollMember'>, EnrollmentCode>;
export function enrollMember(
  input: EnrollMemberInput,
  caller: Caller,
  options: EnrollmentOptions = {},
): Command<Receipt<'enrollMember'>, EnrollmentCode> {
  const { programId, externalCustomerId } = input;
  return {
    ...envelope('enrollMember', input, caller),
    laneKey: externalCustomerId,
    subjects: [
      { kind: 'member', externalCustomerId },
      // Locks the member: one that is merged meanwhile enters no program any more.
      { kind: 'changedMember', externalCustomerId },
      { kind: 'profile', programId, externalCustomerId },
    ],
    decide: (state, now) => decide(input, caller, options, state, now),
  };
}

function decide(
  input: EnrollMemberInput,
  caller: Caller,
  {
    onlyNew = false,
    keepsEnrolled = false,
    tier: broughtAlong = null,
    makesMember = false,
  }: EnrollmentOptions,
  state: State,
  now: Date,
): Decision<Receipt<'enrollMember'>> | Refusal<EnrollmentCode> {
  const { programId, externalCustomerId } = input;
  const program = state.program(programId);
  const version = program && versionAt(program, now);
  if (!version) return programNotFound;
  const existing = state.member(externalCustomerId);
  const creation = !existing && makesMember ? memberOf(input, caller, state, now) : null;
  const member = existing ?? creation?.member ?? null;
  const former = state.profile(programId, externalCustomerId);
  if (keepsEnrolled && former?.enrolled && isActive(member)) {
    const reference = memberReference(member, former.tier);
    return repeatedDecision({ created: false, member: reference, program: profileReceipt(former) });
  }
  const objection = onlyNew && member?.status === 'active' ? whyNotNew(member, former) : null;
  if (objection) return refuse('enrollment_required', objection);
  if (!isActive(member)) return noActiveMember;
  const tier = version.document.tiers.find(({ id }) => id === broughtAlong);
  if (broughtAlong !== null && !tier) return refuse('unknown_tier', 'The program has no such tier.');
  const enters = !former?.enrolled;
  const givesCode = enters && version.document.referral !== undefined;
  const referralCode = former?.referralCode ?? (givesCode ? referralCodeFrom(state.newId()) : null);
  const profile = former
    ? { ...reactivated(former, version.document, now), referralCode }
    : newProfile(member, programId, initialStanding(version.document, now, tier), referralCode, now);
  const grantee = { member, programId, now, newId: () => state.newId() };
  const reached = former ? [] : grantsForTier(version.document, null, profile.tier, grantee);
  const consent = consentOf(input, member, { id: state.newId(), requestId: caller.requestId, at: now });
  const ownPart: DecisionPart = {
    inserts: {
      members: creation ? [creation.member] : [],
      profiles: former ? [] : [profile],
      consents: creation ? [creation.consent, consent] : [consent],
    },
    updates: { profiles: former && enters ? [profile] : [] },
    audits: [
      ...(creation ? [creation.audit] : []),
      {
        action: enters ? 'member.enrolled' : 'member.consent_renewed',
        targetType: 'member',
        targetId: toTypeId('mem', member.id),
        changes: { programId, noticeVersion: input.noticeVersion, reactivated: Boolean(former && enters) },
      },
      // Without its event: that of the enrollment says the tier.
      ...(former && enters ? tierChange(former, profile, systemActor).audits : []),
    ],
    webhookEvents: [
      ...(creation ? [memberCreated(creation.member)] : []),
      ...(enters ? [enrolled(member, profile)] : []),
    ],
  };
  return {
    receipt: {
      created: !former,
      member: memberReference(member, profile.tier),
      program: profileReceipt(profile),
    },
    ...mergeDecisions(ownPart, grantChoices(reached)),
  };
}

function enrolled(
  { id, externalCustomerId }: MemberRecord,
  { programId, tier }: ProfileRecord,
): WebhookEvent {
  const memberId = toTypeId('mem', id);
  return { type: 'member.enrolled', data: { memberId, externalCustomerId, programId, tier } };
}

/** The record of the consent that an enrollment brings. */
function consentOf(
  { programId, noticeVersion, evidence }: EnrollMemberInput,
  member: MemberRecord,
  origin: Pick<ConsentRecord, 'id' | 'requestId' | 'at'>,
): ConsentRecord {
  const consent = { memberId: member.id, programId, noticeVersion, evidence, reason: null } as const;
  return { ...consent, ...origin, status: 'granted' };
}

/** The member that a customer becomes who enrolls and is none yet. */
function memberOf(
  { externalCustomerId, noticeVersion }: EnrollMemberInput,
  { requestId }: Caller,
  state: State,
  now: Date,
): MemberMade {
  const start = { externalCustomerId, displayName: null, noticeVersion, tags: [] };
  return newMember({ ...start, consentStatus: 'granted', identityStatus: 'verified' }, requestId, state, now);
}

/** An existing profile after the enrollment. */
function reactivated(profile: ProfileRecord, document: ProgramDocument, now: Date): ProfileRecord {
  return {
    ...profile,
    ...standingAt(document, profile, now),
    enrolled: true,
    enrolledAt: profile.enrolled ? profile.enrolledAt : now,
    unenrolledAt: null,
  };
}

/** Why the member may not be enrolled as a new one, or null. */
function whyNotNew(member: MemberRecord, profile: ProfileRecord | null): string | null {
  if (member.consentStatus === 'withdrawn') {
    return 'The member has withdrawn consent: only a consent of its own lets it enroll.';
  }
  if (profile?.enrolled) return 'The member is enrolled already.';
  if (profile)
    return 'The member has left the program: only the member may come back, by an enrollment of its own.';
  return null;
}
