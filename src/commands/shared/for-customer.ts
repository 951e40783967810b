import type { Mutation } from '../../contract/generated/types.ts';
import type { Command } from '../../ledger/command.ts';
import { isRefusal, type Refusal } from '../../refusal.ts';
import { type Caller, envelope, type Keyed } from './caller.ts';

/**
 * Makes a command the customer's own. It decides as it does for merchants. Its idempotency key is one of the customer's
 * operation, and the customer is part of the fingerprint: a key that another customer has used is refused, also for the same
 * input, and the other's receipt is never returned.
 * @param operation SDL name of the customer's mutation
 * @param input what the customer sent
 */
export function forCustomer<Receipt extends object>(
  operation: keyof Mutation,
  input: Keyed,
  externalCustomerId: string,
  command: Command<Receipt> | Refusal,
  caller: Caller,
): Command<Receipt> | Refusal {
  if (isRefusal(command)) return command;
  return { ...command, ...envelope(operation, { ...input, externalCustomerId } as Keyed, caller) };
}
