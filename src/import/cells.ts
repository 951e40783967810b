import { normalizeDateTime } from '../contract/date-time.ts';
import type { Detail } from '../refusal.ts';

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const INTEGER = /^\d{1,16}$/;

/** The rule of a column of points, as messages state it. */
export const POINTS_RULE = `must be an integer of points in the smallest loyalty unit, from 1 to ${Number.MAX_SAFE_INTEGER}`;

/** Reads points. @returns null for anything but an integer from 1 to 2^53-1 in decimal digits */
export function readPoints(text: string): number | null {
  const points = INTEGER.test(text) ? Number(text) : 0;
  return points >= 1 && Number.isSafeInteger(points) ? points : null;
}

/** A date as its midnight in UTC; any other text as it is. */
export function asInstant(text: string): string {
  return DATE.test(text) ? `${text}T00:00:00Z` : text;
}

/** Reads a date, which means its midnight in UTC, or an instant with a time zone. @returns RFC 3339 in UTC, or null */
export function readInstant(text: string): string | null {
  return normalizeDateTime(asInstant(text));
}

/** Finds how an input of a type violates the contract. */
export type ValidateInput = (type: 'PurchaseEarnInput' | 'CreateMemberInput', input: object) => Detail[];

const PURCHASE = {
  idempotencyKey: 'import',
  programId: 'club',
  externalCustomerId: 'customer',
  sourceReference: 'reference',
  amountMinor: 0,
  channel: 'store',
};

/**
 * What the contract objects to in a customer's id, or in a reference, wherever an import has one: the same rules hold
 * for those of purchases.
 * @returns null where it objects to nothing
 */
export function objectionTo(
  field: 'externalCustomerId' | 'sourceReference',
  text: string,
  validate: ValidateInput,
): string | null {
  return validate('PurchaseEarnInput', { ...PURCHASE, [field]: text })[0]?.message ?? null;
}
