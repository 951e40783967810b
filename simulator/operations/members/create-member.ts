import { createMember } from '../../../src/commands/members/create-member.ts';
import { isRefusal } from '../../../src/refusal.ts';
import { operation } from '../../client/intent.ts';
import { tellOfState } from './tell-of-state.ts';

interface Input {
  externalCustomerId: string;
  displayName: string | null;
  consentStatus: 'opted_in' | 'opted_out';
  noticeVersion: string;
  /** Given by imports alone. */
  tags: readonly string[];
}

export const createMemberOperation = operation<Input>({
  name: 'createMember',
  weight: 6,
  invent: ({ random, customers }) => ({
    externalCustomerId: random.pick(customers),
    displayName: random.chance(0.5) ? 'A Name' : null,
    consentStatus: random.chance(0.1) ? 'opted_out' : 'opted_in',
    noticeVersion: `identity-${random.between(1, 3)}`,
    tags: random.pick([[], [], ['press', 'vip']]),
  }),
  alter: (input) => ({ ...input, noticeVersion: `${input.noticeVersion}x` }),
  command({ tags, ...input }, caller) {
    const command = createMember(input, caller, { tags });
    if (isRefusal(command)) throw new Error(`refused before it was sent: ${command.code}`);
    return command;
  },
  predict(model, { externalCustomerId, displayName, consentStatus, noticeVersion, tags }, { now }) {
    if (model.members.get(externalCustomerId)) return { code: 'member_exists' };
    model.members.set(externalCustomerId, {
      displayName,
      tags,
      lists: [],
      suspended: false,
      granted: consentStatus === 'opted_in',
      noticeVersion,
      consentAt: now.getTime(),
    });
    tellOfState(model, 'member.created', externalCustomerId);
    const status = consentStatus === 'opted_in' ? 'granted' : 'withdrawn';
    return {
      receipt: {
        member: {
          externalCustomerId,
          displayName,
          status: 'active',
          consentStatus: status,
          consent: { status, noticeVersion, at: now.toISOString() },
        },
      },
    };
  },
});
