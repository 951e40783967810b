import { enrollMember } from '../../../src/commands/members/enroll-member.ts';
import { forCustomer } from '../../../src/commands/shared/for-customer.ts';
import { isRefusal } from '../../../src/refusal.ts';
import { operation } from '../../client/intent.ts';
import { type EnrollmentInput, inventEnrollment, predictEnrollment } from './enroll-member.ts';
import { tellOfState } from './tell-of-state.ts';

/** A customer enrolls itself: one who is no member yet becomes one. */
export const enrollCustomerOperation = operation<EnrollmentInput>({
  name: 'enrollCustomer',
  weight: 4,
  invent: inventEnrollment,
  alter: (input) => ({ ...input, noticeVersion: `${input.noticeVersion}x` }),
  command({ externalCustomerId, imported: _never, ...input }, caller) {
    const enrollment = enrollMember({ ...input, externalCustomerId }, caller, { makesMember: true });
    const command = forCustomer('enrollCustomer', input, externalCustomerId, enrollment, caller);
    if (isRefusal(command)) throw new Error(`refused before it was sent: ${command.code}`);
    return command;
  },
  predict(model, input, { now }) {
    const { programId, externalCustomerId, noticeVersion } = input;
    if (model.versionAt(programId, now) && !model.members.get(externalCustomerId)) {
      model.members.set(externalCustomerId, {
        displayName: null,
        suspended: false,
        granted: true,
        noticeVersion,
        consentAt: now.getTime(),
        tags: [],
        lists: [],
      });
      tellOfState(model, 'member.created', externalCustomerId);
    }
    return predictEnrollment(model, input, now);
  },
});
