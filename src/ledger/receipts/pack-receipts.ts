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
 * The ids of templates by their text, the oldest first; null where the text was seen once. Only the second receipt with a
 * text makes it a template: programs whose decisions differ from purchase to purchase make none.
 */
const known = new Map<string, string | null>();

/** How long a template that was compared with the stored one is not compared again. */
const COMPARE_EVERY_MS = 60_000;
/** Most comparisons that a process remembers. */
const MOST_COMPARED = 10_000;

/**
 * When templates were last compared with the stored ones, by `<environment>/<template>`, the oldest first; in milliseconds
 * of `performance.now()`.
 */
const compared = new Map<string, number>();

/**
 * Splits the receipts of purchases. The templates are sent with every batch, and inserted where they are not there: so
 * whatever a process remembers, no transaction is stored without the template that its receipt needs. A template that
 * somebody has changed is put right before its first use by a process, and a minute after that at the latest.
 * @param now a monotonic clock, in milliseconds
 * @returns the rows to insert, and the statements that have to be sent before
 */
export function packReceipts<Row extends Acknowledged>(
  environmentId: string,
  rows: readonly Row[],
  now = performance.now(),
): { before: readonly Statement[]; rows: readonly Row[] } {
  const templates = new Map<string, string>();
  const packed = rows.map((row) => {
    if (row.eventType !== 'purchase.completed' || !saysItsPoints(row)) return row;
    const { template, own } = splitReceipt(row.receipt, row);
    const text = JSON.stringify(template);
    const id = templateId(text);
    if (id === null) return row;
    templates.set(id, text);
    return { ...row, receipt: { [TEMPLATE_KEY]: id, ...own } };
  });
  if (templates.size === 0) return { before: [], rows };
  const before = [insertTemplates(environmentId, templates)];
  const due = new Map([...templates].filter(([id]) => isComparisonDue(`${environmentId}/${id}`, now)));
  if (due.size > 0) before.push(restoreTemplates(environmentId, due));
  return { before, rows: packed };
}

/** Whether a template is to be compared with the stored one; then that is remembered. */
function isComparisonDue(name: string, now: number): boolean {
  const last = compared.get(name);
  if (last !== undefined && now - last < COMPARE_EVERY_MS) return false;
  compared.delete(name);
  compared.set(name, now);
  dropOldest(compared, MOST_COMPARED);
  return true;
}

function dropOldest(map: Map<string, unknown>, most: number): void {
  if (map.size <= most) return;
  const [oldest] = map.keys();
  map.delete(oldest as string);
}

/** A receipt that said other points than were posted would be stored whole, for `verify ledger` to find it. */
function saysItsPoints({ receipt, points }: Acknowledged): boolean {
  return (receipt as { award?: { points?: unknown } }).award?.points === points;
}

/** The id of a template that is used; null where its text has not been seen before. */
function templateId(text: string): string | null {
  const id = known.get(text);
  if (id) return id;
  if (id === undefined && text.length > LONGEST_TEMPLATE) return null;
  const next = id === null ? templateIdOf(text) : null;
  known.set(text, next);
  dropOldest(known, MOST_TEMPLATES);
  return next;
}

/** @param templates texts by id */
export function insertTemplates(environmentId: string, templates: ReadonlyMap<string, string>): Statement {
  return {
    name: 'insert_receipt_templates',
    text: `insert into receipt_templates (environment_id, id, template)
      values ($1::uuid, unnest($2::text[]), unnest($3::json[]))
      on conflict (environment_id, id) do nothing`,
    values: valuesOf(environmentId, templates),
  };
}

/**
 * Gives templates their texts again where the stored ones are others. An id is a hash of the text, so there is only one
 * right text, and all receipts that share it can be read again.
 */
function restoreTemplates(environmentId: string, templates: ReadonlyMap<string, string>): Statement {
  return {
    name: 'restore_receipt_templates',
    text: `update receipt_templates t
      set template = sent.template
      from unnest($2::text[], $3::json[]) as sent(id, template)
      where t.environment_id = $1::uuid and t.id = sent.id and t.template::text <> sent.template::text`,
    values: valuesOf(environmentId, templates),
  };
}

/** The environment, ids and texts. In the order of the ids, so that two batches with the same new templates do not wait for each other. */
function valuesOf(environmentId: string, templates: ReadonlyMap<string, string>): unknown[] {
  const sorted = [...templates].sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    environmentId,
    arrayLiteral(sorted.map(([id]) => id)),
    arrayLiteral(sorted.map(([, text]) => text)),
  ];
}
