import type { PurchaseEvaluation } from '../../contract/generated/types.ts';
import type { Connections } from '../../db/pool.ts';
import type { OwnValues, ReceiptColumns } from '../../ledger/receipts/split-receipt.ts';
import {
  completeReceipt,
  isTemplate,
  TEMPLATE_KEY,
  UnreadableReceipt,
} from '../../ledger/receipts/stored-receipt.ts';
import { receiptTemplates } from './transaction-statements.ts';

/** Most templates that a process keeps. */
const MOST_TEMPLATES = 1_000;

/**
 * Templates by their ids, the oldest first. An id is a hash of the template, so it names the same one in every environment,
 * for ever.
 */
const kept = new Map<string, object>();

/** The id of the template that a receipt, as it is stored, is to be completed from; null where it is whole. */
function templateIdOf(receipt: object): string | null {
  return TEMPLATE_KEY in receipt ? String(receipt[TEMPLATE_KEY]) : null;
}

/**
 * Puts receipts together as they were answered. Templates that the process has not seen are read first, all in one
 * statement.
 * @param stored `transactions.receipt` as it is; null where it was not read
 * @returns a function that completes one of them, or says why that is not possible
 */
export async function receiptReader(
  connections: Connections,
  environmentId: string,
  stored: readonly (object | null)[],
): Promise<(receipt: object, row: ReceiptColumns) => PurchaseEvaluation | UnreadableReceipt> {
  const templates = new Map<string, object>();
  const missing = new Set<string>();
  for (const receipt of stored) {
    const id = receipt && templateIdOf(receipt);
    if (id === null) continue;
    const template = kept.get(id);
    if (template) templates.set(id, template);
    else missing.add(id);
  }
  if (missing.size > 0) {
    const statement = receiptTemplates(environmentId, [...missing]);
    const { rows } = await connections.query<{ id: string; template: object }>(statement);
    for (const { id, template } of rows) {
      if (!isTemplate(id, template)) continue;
      templates.set(id, template);
      keep(id, template);
    }
  }
  return (receipt, row) => {
    const id = templateIdOf(receipt);
    try {
      const whole = id === null ? receipt : completeReceipt(receipt as OwnValues, templates.get(id), row);
      return isEvaluation(whole, row.points)
        ? whole
        : new UnreadableReceipt(row.id, 'it is not that of a purchase with the points that were posted');
    } catch (error) {
      if (error instanceof UnreadableReceipt) return error;
      throw error;
    }
  };
}

/**
 * Whether a receipt has what is shown of a purchase, and says the points that were posted. Somebody may have changed it in the
 * database.
 */
function isEvaluation(receipt: object, points: number): receipt is PurchaseEvaluation {
  const { award, evaluationMode, evaluationAt, ruleDecisions, ...numbers } =
    receipt as Partial<PurchaseEvaluation>;
  return (
    award?.points === points &&
    [
      award.basePoints,
      award.campaignPoints,
      numbers.configurationVersion,
      numbers.loyaltyUnitPrecision,
    ].every(Number.isSafeInteger) &&
    typeof evaluationMode === 'string' &&
    typeof evaluationAt === 'string' &&
    Array.isArray(ruleDecisions) &&
    ruleDecisions.every((said) => Number.isSafeInteger(said?.points) && typeof said.id === 'string')
  );
}

function keep(id: string, template: object): void {
  kept.set(id, template);
  if (kept.size <= MOST_TEMPLATES) return;
  const [oldest] = kept.keys();
  kept.delete(oldest as string);
}
