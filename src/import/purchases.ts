import { purchaseEarn } from '../commands/earning/purchase-earn.ts';
import type { Caller } from '../commands/shared/caller.ts';
import { normalizeDateTime } from '../contract/date-time.ts';
import type { PurchaseEarnInput } from '../contract/generated/types.ts';
import type { CommandDoor } from '../ledger/command.ts';
import type { ValidateInput } from './cells.ts';
import { describeRefusal, ofPurchases } from './describe-rejection.ts';
import { EnrollingCustomers } from './enrolling-customers.ts';
import type { ImportProgress, ReadRow, RowHandler } from './import-rows.ts';
import { PURCHASE_FILE, type PurchaseColumn, type PurchaseRow } from './purchase-columns.ts';
import { type RowDefaults, readPurchaseRow } from './purchase-row.ts';

/** Where the rows of a file of purchases go. */
export interface PurchaseImport {
  door: CommandDoor;
  caller: Caller;
  defaults: RowDefaults;
  /**
   * Creates members for unknown customers and enrolls them, with consent to this version of the notice. Null: neither.
   */
  enroll: { noticeVersion: string } | null;
  validate: ValidateInput;
}

/**
 * Makes each row a purchase.
 * @param progress its `membersCreated` is counted
 */
export function purchaseRows(
  options: PurchaseImport,
  progress: Pick<ImportProgress, 'membersCreated'>,
): RowHandler<PurchaseColumn, PurchaseEarnInput> {
  const { door, caller, enroll, validate } = options;
  const enrolling = enroll && new EnrollingCustomers({ door, caller, validate, ...enroll }, progress);
  return {
    file: PURCHASE_FILE,
    read: (cells) => readRow(cells, options),
    submit: enrolling
      ? (input) => enrolling.submit(input)
      : (input) => door.submit(purchaseEarn(input, caller)),
    pointsOf: (receipt) => (receipt as { award: { points: number } }).award.points,
    describe: (refusal, cells) => describeRefusal(refusal, cells, enroll !== null),
  };
}

/** The purchase of a row, or why the API would not accept it. */
function readRow(cells: PurchaseRow, { defaults, validate }: PurchaseImport): ReadRow<PurchaseEarnInput> {
  const read = readPurchaseRow(cells, defaults, (input) => validate('PurchaseEarnInput', input));
  if (!read.ok) return { ok: false, code: 'invalid_row', message: read.message };
  const { input } = read;
  const details = validate('PurchaseEarnInput', input);
  if (details.length > 0) {
    return { ok: false, code: 'invalid_event', message: ofPurchases.violations(details, cells) };
  }
  normalise(input);
  return { ok: true, input };
}

/** Normalizes instants and quantities as the API does, so that the same purchase through the API is the same input. */
function normalise(input: PurchaseEarnInput): void {
  if (input.occurredAt) input.occurredAt = normalizeDateTime(input.occurredAt) ?? input.occurredAt;
  for (const item of input.items ?? []) item.quantity ??= 1;
}
