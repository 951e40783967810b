import type { PurchaseEarnInput } from '../contract/generated/types.ts';
import { inContractWords } from '../http/json-violations.ts';
import { parseStrictJson } from '../http/strict-json.ts';
import type { Detail } from '../refusal.ts';
import { asInstant } from './cells.ts';
import { ofPurchases } from './describe-rejection.ts';
import { importKey } from './import-keys.ts';
import type { PurchaseRow } from './purchase-columns.ts';

/** Values for every row whose own cells are empty. */
export interface RowDefaults {
  programId: string;
  channel: 'web' | 'store' | 'app';
  /** Null for the program's currency. */
  currency: string | null;
  /**
   * Evaluates each purchase as of its occurred_at, with this version and tier where the columns of the same names are
   * empty. Null to evaluate as of now.
   */
  atEventTime: { configurationVersion: number | null; memberTier: string | null } | null;
}

/** The purchase of a row, not validated yet; or a message why the row contains no purchase. */
export type ReadRow = { ok: true; input: PurchaseEarnInput } | { ok: false; message: string };

const NEEDED = 'is needed to evaluate at event time';
const INTEGER = /^\d{1,16}$/;

/**
 * Reads one row. Only converts the texts to the input of the API; the contract checks bounds and formats later.
 * The idempotency key is made from the order's reference, so that a second run submits the same commands.
 * @param validate what the contract objects to in a purchase; asked here only to describe items that no body may have
 */
export function readPurchaseRow(
  row: PurchaseRow,
  defaults: RowDefaults,
  validate: (input: object) => Detail[],
): ReadRow {
  const amount = row.amount_minor ?? '';
  if (!INTEGER.test(amount)) {
    return { ok: false, message: ofPurchases.cell(row, 'amount_minor') };
  }
  const reference = row.source_reference ?? '';
  const input: PurchaseEarnInput = {
    idempotencyKey: importKey(reference),
    programId: defaults.programId,
    externalCustomerId: row.external_customer_id ?? '',
    sourceReference: reference,
    amountMinor: Number(amount),
    channel: (row.channel || defaults.channel) as PurchaseEarnInput['channel'],
  };
  const currency = row.currency || defaults.currency;
  if (currency) input.currency = currency;
  if (row.coupon_code) input.couponCode = row.coupon_code;
  if (row.occurred_at) input.occurredAt = asInstant(row.occurred_at);
  if (row.items) {
    const read = readItems(row.items, validate);
    if (!read.ok) return read;
    input.items = read.items;
  }
  return defaults.atEventTime ? pin(input, row, defaults.atEventTime) : { ok: true, input };
}

function pin(
  input: PurchaseEarnInput,
  row: PurchaseRow,
  defaults: { configurationVersion: number | null; memberTier: string | null },
): ReadRow {
  const version = row.configuration_version || defaults.configurationVersion?.toString() || '';
  const memberTier = row.member_tier || defaults.memberTier;
  if (!input.occurredAt) return { ok: false, message: `occurred_at ${NEEDED}` };
  if (!INTEGER.test(version)) {
    return { ok: false, message: `configuration_version (a positive integer, or the option) ${NEEDED}` };
  }
  if (!memberTier) return { ok: false, message: `member_tier (or the option) ${NEEDED}` };
  const svcEvaluation = {
    mode: 'event_time_pinned_configuration',
    configurationVersion: Number(version),
    memberTier,
  };
  return { ok: true, input: { ...input, context: { attributes: { svcEvaluation } } } };
}

/** Parses the items as strictly as a request body: the same purchase could have been sent in one. */
function readItems(
  cell: string,
  validate: (input: object) => Detail[],
): { ok: true; items: NonNullable<PurchaseEarnInput['items']> } | { ok: false; message: string } {
  const parsed = parseStrictJson(Buffer.from(`{"items":${cell}}`));
  if (!parsed.ok) return { ok: false, message: parsed.message.replace('The body', 'items') };
  const { items, ...others } = parsed.value;
  // A cell such as `[],"more":1` is not JSON by itself, but the text above with braces around it is.
  if (!Array.isArray(items) || Object.keys(others).length > 0) {
    return { ok: false, message: 'items must be a JSON array of cart items' };
  }
  const [violation] = inContractWords(
    parsed.violations,
    parsed.violations.length > 0 ? validate({ items }) : [],
  );
  if (violation) return { ok: false, message: `${violation.path} ${violation.message}` };
  return { ok: true, items };
}
