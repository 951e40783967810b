import type { Model } from '../../model/model.ts';

/** The command reports an event about a member itself, with its state after the change. */
export function tellOfState(
  model: Model,
  type: 'member.created' | 'member.updated' | 'member.suspended' | 'member.consent_changed',
  customer: string,
  more: object = {},
): void {
  const member = model.members.get(customer);
  if (!member) throw new Error(`the model has no ${customer}`);
  const status = member.suspended ? 'suspended' : 'active';
  const consentStatus = member.granted ? 'granted' : 'withdrawn';
  model.tellOfMember(type, customer, { status, consentStatus, ...more });
}
