import { updateMember } from '../../../src/commands/members/update-member.ts';
import { isRefusal } from '../../../src/refusal.ts';
import { operation } from '../../client/intent.ts';
import { tellOfState } from './tell-of-state.ts';

interface Input {
  externalCustomerId: string;
  displayName?: string;
  consentStatus?: 'opted_in' | 'opted_out';
  noticeVersion?: string;
  evidence?: { source: string };
}

export const updateMemberOperation = operation<Input>({
  name: 'updateMember',
  weight: 8,
  invent({ random, customers }) {
    const externalCustomerId = random.pick(customers);
    const name = { displayName: random.pick(['A Name', 'Another Name']) };
    const answer = {
      consentStatus: random.chance(0.15) ? ('opted_out' as const) : ('opted_in' as const),
      noticeVersion: `identity-${random.between(1, 3)}`,
      evidence: { source: 'account page' },
    };
    return { externalCustomerId, ...random.pick([name, answer, answer, { ...name, ...answer }]) };
  },
  alter: (input) => ({ ...input, displayName: `${input.displayName ?? ''}x` }),
  command(input, caller) {
    const command = updateMember(input, caller);
    if (isRefusal(command)) throw new Error(`refused before it was sent: ${command.code}`);
    return command;
  },
  predict(model, { externalCustomerId, displayName, consentStatus, noticeVersion }, { now }) {
    const existing = model.members.get(externalCustomerId);
    if (!existing) return { code: 'member_not_found' };
    const member = { ...existing };
    if (displayName !== undefined) member.displayName = displayName;
    if (consentStatus !== undefined && noticeVersion !== undefined) {
      Object.assign(member, {
        granted: consentStatus === 'opted_in',
        noticeVersion,
        consentAt: now.getTime(),
      });
    }
    model.members.set(externalCustomerId, member);
    if (member.displayName !== existing.displayName) {
      tellOfState(model, 'member.updated', externalCustomerId, { changed: ['displayName'] });
    }
    if (consentStatus !== undefined) {
      tellOfState(model, 'member.consent_changed', externalCustomerId, { noticeVersion });
    }
    const consent = member.granted ? 'granted' : 'withdrawn';
    return {
      receipt: {
        member: {
          externalCustomerId,
          displayName: member.displayName,
          status: member.suspended ? 'suspended' : 'active',
          consentStatus: consent,
          consent: {
            status: consent,
            noticeVersion: member.noticeVersion,
            at: new Date(member.consentAt).toISOString(),
          },
        },
      },
    };
  },
});
