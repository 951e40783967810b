import { joinReceipt, type OwnValues } from './split-receipt.ts';

/** The key under which a transaction's own part of a receipt has the id of the template. No receipt has such a field. */
export const TEMPLATE_KEY = 'template';

/**
 * SQL that joins the template of a transaction's receipt, as `s`; where the receipt is stored whole, its column is null.
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

/** SQL for a receipt with what `wholeReceipt` needs. @param row alias of the transaction that `templateSql` joined to */
export function receiptSql(row: string): string {
  const columns = ['receipt', 'id', 'member_id', 'points', 'created_at', 'occurred_at'];
  return `case when s.template is null then ${row}.receipt
      else json_build_array(s.template, ${columns.map((name) => `${row}.${name}`).join(', ')}) end`;
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

/** The receipt as it was answered. @param stored as `receiptSql` selects it */
export function wholeReceipt(stored: StoredReceipt): object {
  if (Array.isArray(stored)) {
    const [template, own, id, memberId, points, createdAt, occurredAt] = stored;
    const row = {
      id,
      memberId,
      points,
      createdAt: new Date(createdAt),
      occurredAt: new Date(occurredAt),
    };
    return joinReceipt({ template, own }, row);
  }
  if (TEMPLATE_KEY in stored) throw new Error(`a receipt has lost its template ${stored[TEMPLATE_KEY]}`);
  return stored;
}
