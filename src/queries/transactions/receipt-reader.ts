import type { EarnedLine, PurchaseEvaluation, RuleDecision } from '../../contract/generated/types.ts';
import type { Connections } from '../../db/pool.ts';
import type { OwnValues, ReceiptColumns } from '../../ledger/receipts/split-receipt.ts';
import {
  completeReceipt,
  isObject,
  isTemplate,
  templateOf,
  UnreadableReceipt,
} from '../../ledger/receipts/stored-receipt.ts';
import { receiptTemplates } from './transaction-statements.ts';

/** Most templates that a process keeps. */
const MOST_TEMPLATES = 1_000;

/**
 * Templates by their ids, the oldest first. An id is a hash of the template, so it names the same one in every
 * environment, for ever.
 */
const templateCache = new Map<string, object>();

/**
 * Puts receipts together as they were answered. Templates that the process has not seen are read first, all in one
 * statement.
 * @param stored `transactions.receipt` as it is; null where it was not read, or is JSON's null
 * @returns a function that completes one of them, or says why that is not possible
 */
export async function receiptReader(
  connections: Connections,
  environmentId: string,
  stored: readonly (object | null)[],
): Promise<(receipt: object | null, row: ReceiptColumns) => PurchaseEvaluation | UnreadableReceipt> {
  const templates = new Map<string, object>();
  const missing = new Set<string>();
  for (const receipt of stored) {
    const id = templateOf(receipt);
    if (id === null) continue;
    const template = templateCache.get(id);
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
    const id = templateOf(receipt);
    try {
      const fullReceipt =
        id === null ? receipt : completeReceipt(receipt as OwnValues, templates.get(id), row);
      return isObject(fullReceipt) && isEvaluation(fullReceipt, row.points)
        ? fullReceipt
        : new UnreadableReceipt(row.id, 'it is not that of a purchase with the points that were posted');
    } catch (error) {
      if (error instanceof UnreadableReceipt) return error;
      throw error;
    }
  };
}

/**
 * Whether a receipt has what is shown of a purchase, and says the points that were posted. Somebody may have changed it
 * in the database.
 */
function isEvaluation(receipt: object, points: number): receipt is PurchaseEvaluation {
  const { award, evaluationMode, evaluationAt, ruleDecisions, lines, ...numbers } =
    receipt as Partial<PurchaseEvaluation>;
  return (
    award?.points === points &&
    areIntegers(award.basePoints, award.campaignPoints) &&
    areIntegers(numbers.configurationVersion, numbers.loyaltyUnitPrecision) &&
    typeof evaluationMode === 'string' &&
    typeof evaluationAt === 'string' &&
    Array.isArray(ruleDecisions) &&
    ruleDecisions.every(isDecision) &&
    areLines(lines)
  );
}

function isDecision(decision: Partial<RuleDecision> | null): boolean {
  return (
    isObject(decision) &&
    areIntegers(decision.points) &&
    [decision.kind, decision.id, decision.reason ?? ''].every((text) => typeof text === 'string') &&
    typeof decision.matched === 'boolean' &&
    areLines(decision.lines)
  );
}

function areLines(lines: unknown): boolean {
  if (lines === undefined || lines === null) return true;
  return Array.isArray(lines) && lines.every(isLine);
}

function isLine(line: Partial<EarnedLine> | null): boolean {
  return (
    isObject(line) &&
    areIntegers(line.valueMinor, line.points, line.index ?? 0) &&
    typeof (line.lineReference ?? '') === 'string'
  );
}

function areIntegers(...values: unknown[]): boolean {
  return values.every(Number.isSafeInteger);
}

function keep(id: string, template: object): void {
  templateCache.set(id, template);
  if (templateCache.size <= MOST_TEMPLATES) return;
  const [oldest] = templateCache.keys();
  templateCache.delete(oldest as string);
}
