import { hash } from 'node:crypto';
import { toTypeId } from '../../ids.ts';
import { refuse } from '../../refusal.ts';
import { joinReceipt, type OwnValues, type ReceiptColumns } from './split-receipt.ts';

/**
 * The key under which a transaction's own part of a receipt has the id of the template. No receipt has such a field.
 */
export const TEMPLATE_KEY = 'template';

/**
 * SQL that joins the template of a transaction's receipt, as `s`; where the receipt is stored whole, its column is
 * null.
 * @param row alias of the transaction
 * @param environmentId expression
 */
export function templateSql(row: string, environmentId = '$1::uuid'): string {
  return `left join lateral (
        select template from receipt_templates
        where environment_id = ${environmentId} and id = ${row}.receipt ->> '${TEMPLATE_KEY}'
        limit 1
      ) s on true`;
}

/**
 * SQL for a receipt with what `wholeReceipt` needs.
 * @param row alias of the transaction that `templateSql` joined to
 */
export function receiptSql(row: string): string {
  const columns = ['receipt', 'id', 'member_id', 'points', 'created_at', 'occurred_at'];
  return `case when s.template is null then ${row}.receipt
      else json_build_array(s.template, ${columns.map((name) => `${row}.${name}`).join(', ')}) end`;
}

/**
 * SQL: whether a transaction is a purchase whose receipt is stored whole, and says other points than were posted. One
 * with a template takes them from their column.
 * @param row alias of the transaction that `templateSql` joined to
 */
export function saysOtherPoints(row: string): string {
  return `(${row}.event_type = 'purchase.completed' and ${row}.receipt -> '${TEMPLATE_KEY}' is null
          and ${row}.receipt #>> '{award,points}' is distinct from ${row}.points::text)`;
}

/** A receipt in the columns that `receiptSql` selects: a list where it has a template. */
type StoredReceipt =
  | object
  | [
      template: object,
      own: OwnValues,
      id: string,
      memberId: string,
      points: number,
      createdAt: string,
      occurredAt: string,
    ];

/** A stored receipt cannot be put together again: nobody may be shown a part of it, or another amount. */
export class UnreadableReceipt extends Error {
  override name = 'UnreadableReceipt';

  /** @param transactionId UUID of the transaction that it is stored with; null where that is not known */
  constructor(transactionId: string | null, reason: string) {
    const which = transactionId === null ? 'a receipt' : `the receipt of ${toTypeId('txn', transactionId)}`;
    super(`${which} cannot be read: ${reason}`);
  }
}

/** The answer to a replay whose receipt cannot be shown. */
export const receiptUnreadable = refuse(
  'receipt_unreadable',
  'This was done under this Idempotency-Key, and is not done again. Its stored receipt was ' +
    'damaged in the database and cannot be shown: read what it did, such as the transaction ' +
    'of its sourceReference, and have the receipt restored.',
);

/** The id of a template: 96 bits of its hash. Two of a million templates have the same with a probability of 10^-17. */
export function templateIdOf(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 16);
}

/**
 * Whether a template as it was read is what it was when it got its id. It is stored as the text that JSON.stringify
 * made.
 */
export function isTemplate(id: string, template: object): boolean {
  return templateIdOf(JSON.stringify(template)) === id;
}

/** Whether JSON is an object or a list. Somebody may have put any other value in the place of a receipt. */
export function isObject<Value>(value: Value): value is Value & object {
  return typeof value === 'object' && value !== null;
}

/** The id of the template that a receipt, as it is stored, is to be completed from; null where it is whole. */
export function templateOf(stored: unknown): string | null {
  return isObject(stored) && TEMPLATE_KEY in stored ? String(stored[TEMPLATE_KEY]) : null;
}

/**
 * Completes a receipt from its template.
 * @param template as `isTemplate` allows it; undefined where there is none
 * @throws UnreadableReceipt
 */
export function completeReceipt(
  ownValues: OwnValues,
  template: object | undefined,
  row: ReceiptColumns,
): object {
  if (!template)
    throw new UnreadableReceipt(row.id, `its template ${ownValues[TEMPLATE_KEY]} is lost or was changed`);
  const receipt = joinReceipt({ template, ownValues }, row);
  if (!receipt)
    throw new UnreadableReceipt(row.id, `it does not fit its template ${ownValues[TEMPLATE_KEY]}`);
  return receipt;
}

/**
 * The receipt as it was answered.
 * @param stored as `receiptSql` selects it
 * @param transactionId UUID of the transaction that it is stored with, for the error
 * @throws UnreadableReceipt
 */
export function wholeReceipt(stored: StoredReceipt | null, transactionId: string | null = null): object {
  if (!isObject(stored)) throw new UnreadableReceipt(transactionId, 'it is no object');
  if (Array.isArray(stored)) {
    const [template, ownValues, id, memberId, points, createdAt, occurredAt] = stored;
    if (!isObject(template) || !isObject(ownValues))
      throw new UnreadableReceipt(transactionId, 'it is a list');
    const row = {
      id,
      memberId,
      points,
      createdAt: new Date(createdAt),
      occurredAt: new Date(occurredAt),
    };
    return completeReceipt(
      ownValues,
      isTemplate(String(ownValues[TEMPLATE_KEY]), template) ? template : undefined,
      row,
    );
  }
  if (TEMPLATE_KEY in stored)
    throw new UnreadableReceipt(transactionId, `its template ${stored[TEMPLATE_KEY]} is lost`);
  return stored;
}

/** The same, with the error as the result where the receipt cannot be read. */
export function readReceipt(
  stored: StoredReceipt | null,
  transactionId: string | null,
): object | UnreadableReceipt {
  try {
    return wholeReceipt(stored, transactionId);
  } catch (error) {
    if (error instanceof UnreadableReceipt) return error;
    throw error;
  }
}
