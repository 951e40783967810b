import type { Refusal } from '../refusal.ts';
import { describerOf } from './describe-cells.ts';
import type { PurchaseColumn, PurchaseRow } from './purchase-columns.ts';

/** Columns with an option of the same name, whose value is used where the cell is empty. */
const WITH_OPTION: ReadonlySet<PurchaseColumn> = new Set([
  'channel',
  'currency',
  'configuration_version',
  'member_tier',
]);

/** Describes rows of purchases. Fields of items have no column: their cell has the contract's names. */
export const ofPurchases = describerOf<PurchaseColumn>({
  columnOf: {
    externalCustomerId: 'external_customer_id',
    sourceReference: 'source_reference',
    amountMinor: 'amount_minor',
    occurredAt: 'occurred_at',
    channel: 'channel',
    currency: 'currency',
    couponCode: 'coupon_code',
    'context.attributes.svcEvaluation.configurationVersion': 'configuration_version',
    'context.attributes.svcEvaluation.memberTier': 'member_tier',
  },
  rules: {
    amount_minor: 'must be an integer in minor units from 0 to 1000000000000, such as 1177 for 11.77',
    occurred_at:
      'must be a date such as 2026-01-31 (its midnight in UTC), or an ' +
      'instant with a time zone such as 2026-01-31T12:00:00Z',
  },
  absent: (column) => (WITH_OPTION.has(column) ? `--${column.replace('_', '-')} is not` : 'found nothing'),
});

/**
 * Describes why a row's purchase was refused, and what to change.
 * @param enrolls whether the import enrolls customers
 */
export function describeRefusal(refusal: Refusal, row: PurchaseRow, enrolls: boolean): string {
  switch (refusal.code) {
    case 'idempotency_key_reused':
      return (
        'source_reference was used by an earlier row or import with another amount_minor, customer or other column, or ' +
        'for a customer who has been erased. An order is one row: correct the ' +
        'reference, or leave the row out; what was recorded first stays'
      );
    case 'source_reference_conflict':
      return (
        'source_reference is that of an order that was recorded already, and not by an import of this row: ' +
        'correct the reference, or leave the row out'
      );
    case 'member_not_found':
      return enrolls
        ? 'external_customer_id is that of a member who is not active'
        : 'external_customer_id is that of no active member; --enroll ' +
            '--notice-version VERSION makes those who are not there';
    case 'enrollment_required':
      return enrolls
        ? `external_customer_id: ${refusal.message}`
        : 'external_customer_id is that of a member who is not enrolled in the program; --enroll --notice-version VERSION ' +
            'enrolls those who never were';
    default:
      return ofPurchases.refusal(refusal, row);
  }
}
