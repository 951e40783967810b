import { forfeitEnrollment } from '../../../src/commands/members/forfeit-enrollment.ts';
import { operation } from '../../client/intent.ts';
import { settledBalance } from '../../model/ledger.ts';
import { nameOf } from '../../model/model.ts';
import { someone } from '../shared/someone.ts';
import { leave } from './unenroll-member.ts';

interface Input {
  externalCustomerId: string;
  programId: string;
}

/** An operator takes a member out of a program, as before an erasure. */
export const forfeitEnrollmentOperation = operation<Input>({
  name: 'forfeitEnrollment',
  weight: 1,
  allowedWhileLocked: true,
  keyless: true,
  invent(surroundings) {
    return someone(surroundings);
  },
  alter: (input) => input,
  command: ({ externalCustomerId, programId }, caller) =>
    forfeitEnrollment(programId, externalCustomerId, caller),
  predict(model, input, { now }) {
    if (!model.members.get(input.externalCustomerId)) return { code: 'member_not_found' };
    const profile = model.profiles.get(nameOf(input.programId, input.externalCustomerId));
    if (!profile) return { code: 'profile_not_found' };
    if (!profile.enrolled) return { receipt: { points: 0, changed: false } };
    const balance = settledBalance(profile, now);
    const points = balance.forfeit();
    leave(model, { ...input, reason: 'forfeited' }, balance, now);
    return { receipt: { points, changed: true } };
  },
});
