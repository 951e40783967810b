import { unenrollMember } from '../../commands/unenroll-member.ts';
import { operation } from '../intent.ts';
import { nameOf } from '../model.ts';

interface Input {
  externalCustomerId: string;
  programId: string;
  noticeVersion: string;
  evidence: { source: string };
  reason: string;
}

export const unenrollMemberOperation = operation<Input>({
  name: 'unenrollMember',
  weight: 10,
  allowedWhileLocked: true,
  invent: ({ random, customers, programIds }) => ({
    externalCustomerId: random.pick(customers),
    programId: random.pick(programIds),
    noticeVersion: `club-${random.between(1, 3)}`,
    evidence: { source: 'account page' },
    reason: 'moved away',
  }),
  alter: (input) => ({ ...input, reason: `${input.reason}!` }),
  command: unenrollMember,
  predict(model, { externalCustomerId, programId }) {
    if (!model.programs.get(programId)) return { code: 'program_not_found' };
    if (!model.members.get(externalCustomerId)) return { code: 'member_not_found' };
    const name = nameOf(programId, externalCustomerId);
    const profile = model.profiles.get(name);
    if (!profile) return { code: 'profile_not_found' };
    if (profile.available + profile.pending > 0) return { code: 'balance_not_zero' };
    model.profiles.set(name, { ...profile, enrolled: false });
    return { receipt: { program: { programId, status: 'unenrolled' } } };
  },
});
