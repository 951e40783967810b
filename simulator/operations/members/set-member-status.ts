import { setMemberStatus } from '../../../src/commands/members/set-member-status.ts';
import { operation } from '../../client/intent.ts';
import { tellOfState } from './tell-of-state.ts';

interface Input {
  externalCustomerId: string;
  status: 'active' | 'suspended';
}

/** An operator suspends a member, or ends its suspension. */
export const setMemberStatusOperation = operation<Input>({
  name: 'setMemberStatus',
  weight: 6,
  allowedWhileLocked: true,
  keyless: true,
  invent: ({ random, customers }) => ({
    externalCustomerId: random.pick(customers),
    status: random.chance(0.12) ? 'suspended' : 'active',
  }),
  alter: (input) => input,
  command: ({ externalCustomerId, status }, caller) => setMemberStatus(externalCustomerId, status, caller),
  predict(model, { externalCustomerId, status }) {
    const member = model.members.get(externalCustomerId);
    if (!member) return { code: 'member_not_found' };
    const suspended = status === 'suspended';
    model.members.set(externalCustomerId, { ...member, suspended });
    const changed = member.suspended !== suspended;
    if (changed && suspended) tellOfState(model, 'member.suspended', externalCustomerId);
    else if (changed) tellOfState(model, 'member.updated', externalCustomerId, { changed: ['status'] });
    return { receipt: { status, changed } };
  },
});
