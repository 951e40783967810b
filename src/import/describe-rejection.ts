import type { Detail, Refusal } from '../refusal.ts';
import type { PurchaseColumn, PurchaseRow } from './purchase-columns.ts';

/** The column that a field of an input comes from. Fields of items are not listed: their cell has the contract's names. */
const COLUMN_OF_PATH: Readonly<Record<string, PurchaseColumn>> = {
  externalCustomerId: 'external_customer_id',
  sourceReference: 'source_reference',
  amountMinor: 'amount_minor',
  occurredAt: 'occurred_at',
  channel: 'channel',
  currency: 'currency',
  couponCode: 'coupon_code',
  'context.attributes.svcEvaluation.configurationVersion': 'configuration_version',
  'context.attributes.svcEvaluation.memberTier': 'member_tier',
};

/** Messages for columns whose format differs from the contract's, in place of the contract's message. */
const RULES: Partial<Record<PurchaseColumn, string>> = {
  amount_minor: 'must be an integer in minor units from 0 to 1000000000000, such as 1177 for 11.77',
  occurred_at:
    'must be a date such as 2026-01-31 (its midnight in UTC), or an instant with a time zone such as 2026-01-31T12:00:00Z',
};

const MAX_QUOTED = 60;

/** Columns with an option of the same name, whose value is used where the cell is empty. */
const WITH_OPTION: ReadonlySet<PurchaseColumn> = new Set([
  'channel',
  'currency',
  'configuration_version',
  'member_tier',
]);

/** Describes a wrong cell: its column, what it must contain, and what was found. */
export function describeCell(
  row: PurchaseRow,
  column: PurchaseColumn,
  rule = RULES[column] ?? 'is wrong',
): string {
  const text = row[column] ?? '';
  if (text === '') {
    return `${column} ${rule} (${WITH_OPTION.has(column) ? `--${column.replace('_', '-')} is not` : 'found nothing'})`;
  }
  const shown = text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text;
  return `${column} ${rule} (found ${JSON.stringify(shown)})`;
}

/** Describes how a row's input violates the contract, by column. */
export function describeViolations(details: readonly Detail[], row: PurchaseRow): string {
  return describeDetails(details, row, (column, message) => RULES[column] ?? message);
}

/** Describes why a row's purchase was refused, and what to change. @param enrolls whether the import enrolls customers */
export function describeRefusal(refusal: Refusal, row: PurchaseRow, enrolls: boolean): string {
  switch (refusal.code) {
    case 'idempotency_key_reused':
      return (
        'source_reference was used by an earlier row or import with another amount_minor, customer or other column. ' +
        'An order is one row: correct the reference, or leave the row out; what was recorded first stays'
      );
    case 'source_reference_conflict':
      return (
        'source_reference is that of an order that was recorded already, and not by an import of this row: ' +
        'correct the reference, or leave the row out'
      );
    case 'member_not_found':
      return enrolls
        ? 'external_customer_id is that of a member who is not active'
        : 'external_customer_id is that of no active member; --enroll --notice-version VERSION makes those who are not there';
    case 'enrollment_required':
      return enrolls
        ? `external_customer_id: ${refusal.message}`
        : 'external_customer_id is that of a member who is not enrolled in the program; --enroll --notice-version VERSION ' +
            'enrolls those who never were';
    default:
      // The cells have the right format, so the message of the refusal is used and not that of RULES.
      return refusal.details && refusal.details.length > 0
        ? describeDetails(refusal.details, row, (_column, message) => message)
        : inColumns(refusal.message);
  }
}

function describeDetails(
  details: readonly Detail[],
  row: PurchaseRow,
  ruleOf: (column: PurchaseColumn, message: string) => string,
): string {
  return details
    .map(({ path, message }) => {
      const column = COLUMN_OF_PATH[path];
      return column ? describeCell(row, column, ruleOf(column, message)) : `${path} ${message}`.trim();
    })
    .join('; ');
}

/** Replaces the contract's field names in a message by the columns' names. */
function inColumns(message: string): string {
  return Object.entries(COLUMN_OF_PATH)
    .toSorted(([one], [other]) => other.length - one.length)
    .reduce((text, [path, column]) => text.replaceAll(path, column), message);
}
