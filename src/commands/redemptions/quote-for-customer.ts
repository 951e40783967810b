import type { QuoteForCustomerInput } from '../../contract/generated/types.ts';
import type { Caller } from '../shared/caller.ts';
import type { CommandOf } from '../shared/operation-command.ts';
import { quoting } from './quote-redemption.ts';

/**
 * Prices a reward for the customer who asks. The merchant has no reference of its own for the quote yet, because its
 * checkout authorizes the commit: the quote gets one that no other has. Refusals: those of `quoteRedemption`.
 */
export function quoteForCustomer(
  input: QuoteForCustomerInput & { externalCustomerId: string },
  caller: Caller,
): CommandOf<'quoteRedemption'> {
  return quoting('quoteForCustomer', input, caller, (state) => `customer-${state.newId()}`);
}
