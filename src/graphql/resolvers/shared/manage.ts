import type { Administrator } from '../../../admin/shared/admin-change.ts';
import { httpStatusOf } from '../../../contract/generated/error-codes.ts';
import { isRefusal, type Refusal, type RefusalCode } from '../../../refusal.ts';
import { refusalError } from '../../errors/errors.ts';
import type { RequestContext } from '../../execution/context.ts';
import { type Answered, callerOf } from './submit-command.ts';

/**
 * Changes how the credential's environment is set up, and returns the receipt with the id of this request.
 * @throws RefusalError where it was refused; `management_unavailable`, `overloaded`
 */
export async function manage<Receipt extends object>(
  context: RequestContext,
  change: (
    administrator: Administrator,
    environmentId: string,
  ) => Promise<{ receipt: Receipt; idempotent: boolean } | Refusal<RefusalCode>>,
): Promise<Answered<Receipt>> {
  const { environmentId, actor, requestId } = callerOf(context);
  const outcome = await context.management.run(environmentId, (prisma) =>
    change({ prisma, actor, requestId }, environmentId),
  );
  if (isRefusal(outcome)) throw refusalError(ofContract(outcome), requestId);
  return { ...outcome.receipt, requestId, idempotent: outcome.idempotent };
}

/** @throws Error for a code that the contract has not: an operator alone can cause it */
function ofContract(refusal: Refusal<RefusalCode>): Refusal {
  if (refusal.code in httpStatusOf) return refusal as Refusal;
  throw new Error(`Refused with ${refusal.code}: ${refusal.message}`);
}
