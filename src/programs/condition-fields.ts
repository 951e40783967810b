/** The fields that conditions can name, and what values they have. How they are read is the rules' business. */

export const daysOfWeek = [
  'sunday',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
] as const;

export type DayOfWeek = (typeof daysOfWeek)[number];

/** What values a field has, which says what operators and values a condition on it may have. */
export type FieldType =
  | { kind: 'integer'; min: number; max: number }
  | { kind: 'string' }
  /** One of a closed list. */
  | { kind: 'choice'; choices: readonly string[] }
  /** A tier id of the document. */
  | { kind: 'tier' }
  /** `YYYY-MM-DD`. */
  | { kind: 'date' }
  /** Whatever the merchant sends. */
  | { kind: 'any' };

const string: FieldType = { kind: 'string' };
const money: FieldType = { kind: 'integer', min: 0, max: 1_000_000_000_000 };

/** Every field but the open `attributes.<name>`. The JSON Schema lists the same names. */
export const conditionFields = {
  'purchase.amountMinor': money,
  'purchase.channel': { kind: 'choice', choices: ['web', 'store', 'app'] },
  'purchase.currency': string,
  'purchase.couponCode': string,
  'purchase.sourceReference': string,
  'items.lineReference': string,
  'items.sku': string,
  'items.category': string,
  'items.quantity': { kind: 'integer', min: 1, max: 1_000_000 },
  'items.unitPriceMinor': money,
  'profile.tier': { kind: 'tier' },
  'profile.qualificationPoints': { kind: 'integer', min: 0, max: Number.MAX_SAFE_INTEGER },
  'time.dayOfWeek': { kind: 'choice', choices: daysOfWeek },
  'time.hour': { kind: 'integer', min: 0, max: 23 },
  'time.dayOfMonth': { kind: 'integer', min: 1, max: 31 },
  'time.month': { kind: 'integer', min: 1, max: 12 },
  'time.date': { kind: 'date' },
} as const satisfies Record<string, FieldType>;

export type ConditionFieldName = keyof typeof conditionFields;

/** Whether a field is one of the named ones. */
export function isConditionFieldName(field: string): field is ConditionFieldName {
  return Object.hasOwn(conditionFields, field);
}

const attributePrefix = 'attributes.';

/**
 * The attribute that a field of the form `attributes.<name>` names; the name is all that follows, dots included.
 * @returns null for any other field
 */
export function attributeName(field: string): string | null {
  return field.startsWith(attributePrefix) && field.length > attributePrefix.length
    ? field.slice(attributePrefix.length)
    : null;
}

/** @returns null where there is no such field. */
export function fieldType(field: string): FieldType | null {
  if (isConditionFieldName(field)) return conditionFields[field];
  return attributeName(field) === null ? null : { kind: 'any' };
}

/** Whether a field says something of the member or the time, and nothing of a purchase. */
export function isMemberField(field: string): boolean {
  return isConditionFieldName(field) && (field.startsWith('profile.') || field.startsWith('time.'));
}
