import { purchaseEarn } from '../commands/earning/purchase-earn.ts';
import { createMember } from '../commands/members/create-member.ts';
import type { Caller } from '../commands/shared/caller.ts';
import { normalizeDateTime } from '../contract/date-time.ts';
import type { PurchaseEarnInput } from '../contract/generated/types.ts';
import type { CommandDoor, Outcome } from '../ledger/command.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import type { ValidateInput } from './cells.ts';
import { describeRefusal, ofPurchases } from './describe-rejection.ts';
import { importEnrollment } from './import-enrollment.ts';
import { importKey } from './import-keys.ts';
import type { ImportProgress, ReadRow, RowHandler } from './import-rows.ts';
import { PURCHASE_FILE, type PurchaseColumn, type PurchaseRow } from './purchase-columns.ts';
import { type RowDefaults, readPurchaseRow } from './purchase-row.ts';

/** Where the rows of a file of purchases go. */
export interface PurchaseImport {
  door: CommandDoor;
  caller: Caller;
  defaults: RowDefaults;
  /** Creates members for unknown customers and enrolls them, with consent to this version of the notice. Null: neither. */
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
  const { door, caller, enroll } = options;
  return {
    file: PURCHASE_FILE,
    read: (cells) => readRow(cells, options),
    customerOf: ({ externalCustomerId }) => externalCustomerId,
    submitFirst: (input) => sendFirst(input, options, progress),
    submit: (input) => door.submit(purchaseEarn(input, caller)),
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

/** Submits a purchase. If the customer is unknown or not enrolled: creates and enrolls the member, and submits it again. */
async function sendFirst(
  input: PurchaseEarnInput,
  { door, caller, enroll, validate }: PurchaseImport,
  progress: Pick<ImportProgress, 'membersCreated'>,
): Promise<Outcome> {
  const outcome = await door.submit(purchaseEarn(input, caller));
  if (!enroll || !isRefusal(outcome)) return outcome;
  if (!isOutside(outcome)) return outcome;
  const { externalCustomerId, programId } = input;
  const { noticeVersion } = enroll;
  if (outcome.code === 'member_not_found') {
    const member = {
      idempotencyKey: importKey(externalCustomerId),
      externalCustomerId,
      consentStatus: 'opted_in' as const,
      noticeVersion,
    };
    const details = validate('CreateMemberInput', member);
    if (details.length > 0)
      throw new Error(`no member can be created: ${ofPurchases.violations(details, {})}`);
    const command = createMember(member, caller);
    const created = isRefusal(command) ? command : await door.submit(command);
    // Somebody else has created the member meanwhile: go on to the enrollment, which checks the member's state.
    if (isRefusal(created) && !isTaken(created)) return created;
    if (!isRefusal(created) && !created.idempotent) progress.membersCreated += 1;
  }
  const enrolled = await door.submit(
    importEnrollment({ programId, externalCustomerId, noticeVersion }, caller),
  );
  if (isRefusal(enrolled) && isTaken(enrolled)) return outcome;
  if (isRefusal(enrolled) && enrolled.code !== 'enrollment_required') return enrolled;
  // Submitted again even where the enrollment was refused, because the member may have enrolled meanwhile. Where the
  // enrollment was only replayed, the member has left since: the second attempt is refused too, and the row is rejected.
  const second = await door.submit(purchaseEarn(input, caller));
  const stillOutside = isRefusal(second) && isOutside(second);
  return stillOutside && isRefusal(enrolled) ? enrolled : second;
}

/** Whether the customer is no active member, or not enrolled. */
function isOutside({ code }: Refusal): boolean {
  return code === 'member_not_found' || code === 'enrollment_required';
}

/** Whether an earlier run submitted the command with another notice version, or the member exists already. */
function isTaken({ code }: Refusal): boolean {
  return code === 'member_exists' || code === 'idempotency_key_reused';
}

/** Normalizes instants and quantities as the API does, so that the same purchase through the API is the same input. */
function normalise(input: PurchaseEarnInput): void {
  if (input.occurredAt) input.occurredAt = normalizeDateTime(input.occurredAt) ?? input.occurredAt;
  for (const item of input.items ?? []) item.quantity ??= 1;
}
