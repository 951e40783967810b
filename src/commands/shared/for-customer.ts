import type { RefusalCodeOf } from '../../contract/generated/refusals.ts';
import type { Mutation } from '../../contract/generated/types.ts';
import type { Command, Outcome } from '../../ledger/command.ts';
import { isRefusal, type RefusalCode, refuse } from '../../refusal.ts';
import { type Caller, envelope, type Keyed } from './caller.ts';
import type { RefusalOf } from './operation-command.ts';

/** What customers are told of refusals whose own message names the merchant's rules, or an id of another customer. */
const TOLD: Partial<Record<RefusalCode, string>> = {
  idempotency_key_reused:
    'This Idempotency-Key was used before with another input. Use a new one for a new event.',
  reward_not_eligible: 'This reward is not for you at present.',
};

/**
 * Makes a command the customer's own. It decides as it does for merchants. Its idempotency key is one of the customer's
 * operation, and the customer is part of the fingerprint: a key that another customer has used is refused, also for the
 * same input, and the other's receipt is never returned.
 * @param operation SDL name of the customer's mutation
 * @param input what the customer sent
 */
export function forCustomer<Name extends keyof Mutation, Receipt extends object>(
  operation: Name,
  input: Keyed,
  externalCustomerId: string,
  command: Command<Receipt, RefusalCodeOf<Name>> | RefusalOf<Name>,
  caller: Caller,
): Command<Receipt, RefusalCodeOf<Name>> | RefusalOf<Name> {
  if (isRefusal(command)) return command;
  return { ...command, ...envelope(operation, { ...input, externalCustomerId } as Keyed, caller) };
}

/** The outcome of a customer's command in the words that customers are told. */
export function toldCustomer(outcome: Outcome): Outcome {
  const told = isRefusal(outcome) ? TOLD[outcome.code] : undefined;
  return isRefusal(outcome) && told !== undefined ? refuse(outcome.code, told) : outcome;
}
