import type { Statement } from '../src/db/statement.ts';
import { fromTypeId } from '../src/ids.ts';
import { insertTemplates } from '../src/ledger/receipts/pack-receipts.ts';
import { splitReceipt } from '../src/ledger/receipts/split-receipt.ts';
import { TEMPLATE_KEY, templateIdOf } from '../src/ledger/receipts/stored-receipt.ts';
import type { StoredReceipt } from './scenarios.ts';

/** How the service stores the receipts of purchases that were decided alike. */
export interface PackedReceipts {
  /** Stores what they have in common. */
  storeTemplate: Statement;
  /** What a transaction has of its receipt. @param amountMinor a number, or a placeholder for one */
  own(externalCustomerId: string, amountMinor: number | string): object;
}

/** @param receipt a whole receipt of the service. @param environmentId of the purchases */
export function packedReceipts(receipt: StoredReceipt, environmentId: string): PackedReceipts {
  const { id, member, award, evaluationAt, evidence } = receipt;
  const { template, ownValues } = splitReceipt(receipt, {
    id: fromTypeId('txn', id) ?? '',
    memberId: fromTypeId('mem', member.id) ?? '',
    points: award.points,
    createdAt: new Date(evaluationAt),
    occurredAt: new Date(evidence.occurredAt),
  });
  const text = JSON.stringify(template);
  const templateId = templateIdOf(text);
  const customer = ownValues.values.indexOf(member.externalCustomerId);
  return {
    storeTemplate: insertTemplates(environmentId, new Map([[templateId, text]])),
    own: (externalCustomerId, amountMinor) => ({
      [TEMPLATE_KEY]: templateId,
      ...ownValues,
      amountMinor,
      values: ownValues.values.with(customer, externalCustomerId),
    }),
  };
}
