import { createHash } from 'node:crypto';
import type { PurchaseEarnInput } from '../contract/generated/types.ts';
import { parseStrictJson } from '../http/strict-json.ts';
import { describeCell } from './describe-rejection.ts';
import type { PurchaseRow } from './purchase-columns.ts';

/** What holds for every row that does not say otherwise. */
export interface RowDefaults {
  programId: string;
  channel: 'web' | 'store' | 'app';
  /** Null: the program's own. */
  currency: string | null;
  /** Evaluates each purchase as of its occurred_at; the columns of the same names win. Null: as of now. */
  atEventTime: { configurationVersion: number | null; memberTier: string | null } | null;
}

/** A row as a purchase that is yet to be validated, or what keeps it from being one. */
export type ReadRow = { ok: true; input: PurchaseEarnInput } | { ok: false; message: string };

const NEEDED = 'is needed to evaluate at event time';
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const INTEGER = /^\d{1,16}$/;
const VISIBLE_ASCII = /^[\x21-\x7e]+$/;

/**
 * Reads one row. Texts become what the API takes, and nothing more: bounds and formats are the contract's to check.
 * The idempotency key follows from the order's reference, so that a second run sends the very same commands.
 */
export function readPurchaseRow(row: PurchaseRow, defaults: RowDefaults): ReadRow {
  const amount = row.amount_minor ?? '';
  if (!INTEGER.test(amount)) {
    return { ok: false, message: describeCell(row, 'amount_minor') };
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
  if (row.occurred_at)
    input.occurredAt = DATE.test(row.occurred_at) ? `${row.occurred_at}T00:00:00Z` : row.occurred_at;
  if (row.items) {
    const read = readItems(row.items);
    if (!read.ok) return read;
    input.items = read.items;
  }
  return defaults.atEventTime ? pin(input, row, defaults.atEventTime) : { ok: true, input };
}

/** An idempotency key for a name: the name itself where a key may be written so (visible ASCII), else its hash. */
export function importKey(name: string): string {
  if (VISIBLE_ASCII.test(name)) return `import:${name}`;
  return hashKey(name);
}

/** The idempotency key of a customer's enrollment in a program; no two pairs share one, whatever they contain. */
export function importEnrollmentKey(programId: string, externalCustomerId: string): string {
  return hashKey(JSON.stringify([programId, externalCustomerId]));
}

function hashKey(text: string): string {
  return `import-sha256:${createHash('sha256').update(text).digest('hex')}`;
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

/** As strictly as a request body, by which the same purchase could have come. */
function readItems(
  cell: string,
): { ok: true; items: NonNullable<PurchaseEarnInput['items']> } | { ok: false; message: string } {
  const parsed = parseStrictJson(Buffer.from(`{"items":${cell}}`));
  if (!parsed.ok) return { ok: false, message: parsed.message.replace('The body', 'items') };
  const { items, ...others } = parsed.value;
  // A cell such as `[],"more":1` would be JSON only within the braces put around it.
  if (!Array.isArray(items) || Object.keys(others).length > 0) {
    return { ok: false, message: 'items must be a JSON array of cart items' };
  }
  const [violation] = parsed.violations;
  if (violation) return { ok: false, message: `${violation.path} ${violation.message}` };
  return { ok: true, items };
}
