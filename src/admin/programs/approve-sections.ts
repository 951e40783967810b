import type { ApproveFinanceInput, ApproveFinancePayload } from '../../contract/generated/types.ts';
import { type AdministrationCode, isRefusal, type Refusal } from '../../refusal.ts';
import type { Administrator } from '../shared/admin-change.ts';
import { changeOnce, type KeyedReceipt } from '../shared/keyed-change.ts';
import { signing } from './approve-finance.ts';

/** What is answered for an approval, apart from what says which request it was. */
export type FinanceReceipt = Omit<ApproveFinancePayload, 'requestId' | 'idempotent'>;

/**
 * Approves sections of a version, once for each idempotency key.
 * @param environmentId UUID
 * @param input validated
 * @returns refusals: `program_not_found`, `version_not_found`, `section_not_found`, `self_approval_forbidden`, and
 *   those of `changeOnce`
 */
export function approveSections(
  administrator: Administrator,
  environmentId: string,
  input: ApproveFinanceInput,
): Promise<KeyedReceipt<FinanceReceipt> | Refusal<AdministrationCode>> {
  const { programId, configurationVersion, sections } = input;
  const change = signing(administrator, {
    environmentId,
    programId,
    version: configurationVersion,
    sections,
  });
  return changeOnce(
    administrator,
    { environmentId, operation: 'approveFinance', input },
    async (transaction) => {
      const outcome = await change(transaction);
      if (isRefusal(outcome)) return outcome;
      const approvals = outcome.result.approvals.map((one) => ({
        ...one,
        approvedAt: one.approvedAt.toISOString(),
      }));
      return { ...outcome, result: { programId, configurationVersion, approvals } };
    },
  );
}
