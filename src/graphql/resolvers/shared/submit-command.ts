import type { Caller } from '../../../commands/shared/caller.ts';
import { storedReceipt } from '../../../commands/shared/receipts.ts';
import type { Command, Outcome } from '../../../ledger/command.ts';
import { isRefusal, type Refusal } from '../../../refusal.ts';
import { refusalError } from '../../errors/errors.ts';
import type { RequestContext } from '../../execution/context.ts';

/** The caller that a command records in the audit trail: the principal of the API key, or the person. */
export function callerOf({ credential, requestId }: RequestContext): Caller {
  const { environmentId, principal, isPerson } = credential;
  return { environmentId, actor: { type: isPerson ? 'person' : 'api_key', id: principal }, requestId };
}

/** A receipt with the id of the request that it answers. */
export type Answered<Receipt extends object> = Receipt & { requestId: string; idempotent: boolean };

/**
 * Submits a command and returns its receipt with the id of this request.
 * @param command the command, or a refusal if the input could not be made into one
 * @throws RefusalError if the command was refused
 */
export async function submitCommand<Receipt extends object>(
  context: Pick<RequestContext, 'commands' | 'requestId'>,
  command: Command<Receipt> | Refusal,
): Promise<Answered<Receipt>> {
  if (isRefusal(command)) throw refusalError(command, context.requestId);
  return answerOf<Receipt>(context, await context.commands.submit(command));
}

/**
 * The receipt of a command's outcome with the id of this request.
 * @throws RefusalError if the command was refused
 */
export function answerOf<Receipt extends object>(
  { requestId }: Pick<RequestContext, 'requestId'>,
  outcome: Outcome,
): Answered<Receipt> {
  if (isRefusal(outcome)) throw refusalError(outcome, requestId);
  return {
    ...storedReceipt<Receipt>(outcome.receipt),
    requestId,
    idempotent: outcome.idempotent,
  };
}

/**
 * Returns the result of a read.
 * @throws RefusalError if the read was refused
 */
export async function orThrow<Result>(
  context: Pick<RequestContext, 'requestId'>,
  reading: Promise<Result | Refusal>,
): Promise<Result> {
  const result = await reading;
  if (wasRefused(result)) throw refusalError(result, context.requestId);
  return result;
}

function wasRefused<Result>(result: Result | Refusal): result is Refusal {
  return typeof result === 'object' && result !== null && isRefusal(result);
}
