import { enrollMember } from '../../../commands/members/enroll-member.ts';
import { grantTiers } from '../../model/choices.ts';
import { nameOf } from '../../model/model.ts';
import { sumOf } from '../../model/points.ts';
import { firstStanding, standingNow } from '../../model/standing.ts';
import { operation } from '../../run/intent.ts';

interface Input {
  externalCustomerId: string;
  programId: string;
  consentStatus: 'opted_in';
  noticeVersion: string;
  evidence: { source: string };
}

export const enrollMemberOperation = operation<Input>({
  name: 'enrollMember',
  weight: 8,
  invent: ({ random, customers, programIds }) => ({
    externalCustomerId: random.pick(customers),
    programId: random.pick(programIds),
    consentStatus: 'opted_in',
    noticeVersion: `club-${random.between(1, 3)}`,
    evidence: { source: random.pick(['checkout', 'kiosk']) },
  }),
  alter: (input) => ({ ...input, noticeVersion: `${input.noticeVersion}x` }),
  command: (input, caller) => enrollMember(input, caller),
  predict(model, { externalCustomerId, programId }, { now }) {
    const version = model.versionAt(programId, now);
    if (!version) return { code: 'program_not_found' };
    if (!model.isActive(externalCustomerId)) return { code: 'member_not_found' };
    const name = nameOf(programId, externalCustomerId);
    const found = model.profiles.get(name);
    const { program } = version;
    const givesCode = program.referral !== null;
    const profile = found
      ? { ...found, ...standingNow(program, found, now), enrolled: true, hasCode: found.hasCode || givesCode }
      : {
          enrolled: true,
          lots: [],
          holds: [],
          lastActivityAt: null,
          quotes: [],
          purchases: 0,
          spentMinor: 0,
          hasCode: givesCode,
          referredBy: null,
          referrals: 0,
          ...firstStanding(program, now),
        };
    // The service writes nothing for a member who is enrolled already.
    if (!found?.enrolled) {
      model.profiles.set(name, profile);
      model.tell('member.enrolled', name, { tier: profile.tier });
    }
    if (!found) {
      const reached = { from: null, to: profile.tier, now: now.getTime() };
      grantTiers(model, externalCustomerId, program, reached);
    }
    const { tier, qualificationPoints } = profile;
    const available = sumOf(profile, 'available');
    const pending = sumOf(profile, 'pending');
    const reserved = sumOf(profile, 'reserved');
    return {
      receipt: {
        created: !found,
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
  },
});
