import type { Connections } from '../../db/pool.ts';
import { joinReceipt, type OwnValues, type ReceiptColumns } from '../../ledger/receipts/split-receipt.ts';
import { TEMPLATE_KEY } from '../../ledger/receipts/stored-receipt.ts';
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
 * @returns a function that completes one of them
 */
export async function receiptReader(
  connections: Connections,
  environmentId: string,
  stored: readonly (object | null)[],
): Promise<(receipt: object, row: ReceiptColumns) => object> {
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
      templates.set(id, template);
      keep(id, template);
    }
  }
  return (receipt, row) => {
    const id = templateIdOf(receipt);
    if (id === null) return receipt;
    const template = templates.get(id);
    if (!template) throw new Error(`a receipt has lost its template ${id}`);
    return joinReceipt({ template, own: receipt as OwnValues }, row);
  };
}

function keep(id: string, template: object): void {
  kept.set(id, template);
  if (kept.size <= MOST_TEMPLATES) return;
  const [oldest] = kept.keys();
  kept.delete(oldest as string);
}
