import { enrollMember } from '../../../src/commands/members/enroll-member.ts';
import { operation, type Surroundings } from '../../client/intent.ts';
import { grantTiers } from '../../model/choices.ts';
import { type Model, nameOf, type Prediction } from '../../model/model.ts';
import { sumOf } from '../../model/points.ts';
import { firstStanding, standingNow } from '../../model/standing.ts';
import { TIERS } from '../../programs/program.ts';

/** What enrolls somebody, as a merchant's backend or an import sends it. */
export interface EnrollmentInput {
  externalCustomerId: string;
  programId: string;
  consentStatus: 'opted_in';
  noticeVersion: string;
  evidence: { source: string };
  /** Of an enrollment by an import: the tier that the member brings along. Null for any other enrollment. */
  imported: { tier: string | null } | null;
}

/** A profile without a past. */
const NEW = {
  lots: [],
  holds: [],
  lastActivityAt: null,
  quotes: [],
  purchases: 0,
  spentMinor: 0,
  referredBy: null,
  referrals: 0,
};

export const enrollMemberOperation = operation<EnrollmentInput>({
  name: 'enrollMember',
  weight: 8,
  invent: (surroundings) => ({
    ...inventEnrollment(surroundings),
    imported: surroundings.random.chance(0.4) ? { tier: surroundings.random.pick([null, ...TIERS]) } : null,
  }),
  alter: (input) => ({ ...input, noticeVersion: `${input.noticeVersion}x` }),
  command: ({ imported, ...input }, caller) =>
    enrollMember(input, caller, imported ? { onlyNew: true, keepsEnrolled: true, ...imported } : {}),
  predict: (model, input, { now }) => predictEnrollment(model, input, now),
});

/** An enrollment that is no import's. */
export function inventEnrollment({ random, customers, programIds }: Surroundings): EnrollmentInput {
  return {
    externalCustomerId: random.pick(customers),
    programId: random.pick(programIds),
    consentStatus: 'opted_in',
    noticeVersion: `club-${random.between(1, 3)}`,
    evidence: { source: random.pick(['checkout', 'kiosk']) },
    imported: null,
  };
}

/** Enrolls a member in the model. */
export function predictEnrollment(
  model: Model,
  { externalCustomerId, programId, imported }: EnrollmentInput,
  now: Date,
): Prediction {
  const version = model.versionAt(programId, now);
  if (!version) return { code: 'program_not_found' };
  const name = nameOf(programId, externalCustomerId);
  const existing = model.profiles.get(name);
  const member = model.members.get(externalCustomerId);
  const isActive = model.isActive(externalCustomerId);
  const stays = imported !== null && isActive && existing?.enrolled === true;
  // An import neither brings anyone back nor overrides a withdrawn consent.
  if (imported && !stays && member && !member.suspended && (existing || !member.granted)) {
    return { code: 'enrollment_required' };
  }
  if (!isActive) return { code: 'member_not_found' };
  const { program } = version;
  const tierId = imported?.tier ?? null;
  if (tierId !== null && !stays && !program.tiers.some(({ id }) => id === tierId))
    return { code: 'unknown_tier' };
  const givesCode = program.referral !== null;
  const present = { enrolled: true, hasCode: existing?.hasCode || givesCode };
  const back =
    existing && (stays ? existing : { ...existing, ...standingNow(program, existing, now), ...present });
  const profile = back ?? { ...NEW, ...present, ...firstStanding(program, now, tierId) };
  // The service writes nothing for a member who is enrolled already.
  if (!existing?.enrolled) {
    model.profiles.set(name, profile);
    model.tell('member.enrolled', name, { tier: profile.tier });
  }
  if (!existing) {
    const reached = { from: null, to: profile.tier, now: now.getTime() };
    grantTiers(model, externalCustomerId, program, reached);
  }
  const { tier, qualificationPoints } = profile;
  const available = sumOf(profile, 'available');
  const pending = sumOf(profile, 'pending');
  const reserved = sumOf(profile, 'reserved');
  return {
    repeated: stays,
    receipt: {
      created: !existing,
      member: { externalCustomerId, tier },
      program: {
        programId,
        tier,
        status: 'enrolled',
        qualificationPoints,
        balances: [{ accountType: 'member', available, pending, reserved }],
      },
    },
  };
}
