import type { CommitForCustomerInput } from '../../contract/generated/types.ts';
import type { OwnedResource } from '../../ledger/resource-owner.ts';
import { refuse } from '../../refusal.ts';
import type { Caller } from '../shared/caller.ts';
import type { CommandOf, RefusalOf } from '../shared/operation-command.ts';
import { commitRedemption } from './commit-redemption.ts';

const notAuthorized = refuse(
  'authorization_required',
  "The merchant's checkout has to authorize this: send a token whose claim authorization_reference is the one in the body.",
);

/**
 * Spends held points as the customer who asks, where the merchant's checkout has authorized it. Refusals:
 * `authorization_required`, and those of `commitRedemption`.
 * @param resource null where the customer has no such reservation: it is not found then, whatever the token says about
 *   it
 * @param authorized what the customer's token says that the checkout has authorized
 */
export function commitForCustomer(
  input: CommitForCustomerInput,
  resource: OwnedResource | null,
  authorized: string | null,
  caller: Caller,
): CommandOf<'commitRedemption'> | RefusalOf<'commitForCustomer'> {
  if (resource && authorized !== input.authorizationReference) return notAuthorized;
  return commitRedemption(input, resource, caller);
}
