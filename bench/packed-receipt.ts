import type { Statement } from '../src/db/statement.ts';
import { fromTypeId } from '../src/ids.ts';
import { insertTemplates, templateIdOf } from '../src/ledger/receipts/pack-receipts.ts';
import { type SplitReceipt, splitReceipt } from '../src/ledger/receipts/split-receipt.ts';
import { TEMPLATE_KEY } from '../src/ledger/receipts/stored-receipt.ts';
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
  const text = JSON.stringify(split(receipt).template);
  const id = templateIdOf(text);
  return {
    storeTemplate: insertTemplates(environmentId, new Map([[id, text]])),
    own: (externalCustomerId, amountMinor) => {
      const member = { ...receipt.member, externalCustomerId };
      const { own } = split({ ...receipt, member, evidence: { ...receipt.evidence, amountMinor } });
      return { [TEMPLATE_KEY]: id, ...own };
    },
  };
}

function split(receipt: object): SplitReceipt {
  const { id, member, award, evaluationAt, evidence } = receipt as StoredReceipt;
  return splitReceipt(receipt, {
    id: fromTypeId('txn', id) ?? '',
    memberId: fromTypeId('mem', member.id) ?? '',
    points: award.points,
    createdAt: new Date(evaluationAt),
    occurredAt: new Date(evidence.occurredAt),
  });
}
