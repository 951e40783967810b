import { arrayLiteral } from '../../db/array-literal.ts';
import type { Statement } from '../../db/statement.ts';
import { type ReceiptColumns, splitReceipt } from './split-receipt.ts';
import { TEMPLATE_KEY, templateIdOf } from './stored-receipt.ts';

/** A transaction with its receipt. */
interface Acknowledged extends ReceiptColumns {
  eventType: string;
  receipt: object;
}

/** Most texts of templates that a process remembers. */
const MOST_TEMPLATES = 1_000;
/** The longest text that becomes a template. Longer ones are rarely the same. */
export const LONGEST_TEMPLATE = 4_096;

/**
 * The ids of templates by their text, the oldest first; null where the text was seen once. Only the second receipt with
 * a text makes it a template: programs whose decisions differ from purchase to purchase make none.
 */
const templateIds = new Map<string, string | null>();

/**
 * Splits the receipts of purchases. The templates are sent with every batch, and inserted where they are not there: so
 * whatever a process remembers, no transaction is stored without the template that its receipt needs.
 * @returns the rows to insert, and the statement that has to be sent before; null where no row has a template
 */
export function packReceipts<Row extends Acknowledged>(
  environmentId: string,
  rows: readonly Row[],
): { before: Statement | null; rows: readonly Row[] } {
  const templates = new Map<string, string>();
  const packed = rows.map((row) => {
    if (row.eventType !== 'purchase.completed' || !saysItsPoints(row)) return row;
    const { template, ownValues } = splitReceipt(row.receipt, row);
    const text = JSON.stringify(template);
    const id = templateId(text);
    if (id === null) return row;
    templates.set(id, text);
    return { ...row, receipt: { [TEMPLATE_KEY]: id, ...ownValues } };
  });
  if (templates.size === 0) return { before: null, rows };
  return { before: insertTemplates(environmentId, templates), rows: packed };
}

/** A receipt that said other points than were posted would be stored whole, for `verify ledger` to find it. */
function saysItsPoints({ receipt, points }: Acknowledged): boolean {
  return (receipt as { award?: { points?: unknown } }).award?.points === points;
}

/** The id of a template that is used; null where its text has not been seen before. */
function templateId(text: string): string | null {
  const id = templateIds.get(text);
  if (id) return id;
  if (id === undefined && text.length > LONGEST_TEMPLATE) return null;
  const next = id === null ? templateIdOf(text) : null;
  templateIds.set(text, next);
  if (templateIds.size > MOST_TEMPLATES) {
    const [oldest] = templateIds.keys();
    templateIds.delete(oldest as string);
  }
  return next;
}

/** @param templates texts by id */
export function insertTemplates(environmentId: string, templates: ReadonlyMap<string, string>): Statement {
  // In the order of the key, so that two batches with the same new templates do not wait for each other.
  const sorted = [...templates].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    name: 'insert_receipt_templates',
    text: `insert into receipt_templates (environment_id, id, template)
      values ($1::uuid, unnest($2::text[]), unnest($3::json[]))
      on conflict (environment_id, id) do nothing`,
    values: [
      environmentId,
      arrayLiteral(sorted.map(([id]) => id)),
      arrayLiteral(sorted.map(([, text]) => text)),
    ],
  };
}
