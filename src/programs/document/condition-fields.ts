/** The fields that conditions can name, and the types of their values. src/rules/conditions reads them. */

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

/** The type of a field's values, which decides the operators and values of conditions on it. */
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
const count: FieldType = { kind: 'integer', min: 0, max: Number.MAX_SAFE_INTEGER };
const channel: FieldType = { kind: 'choice', choices: ['web', 'store', 'app'] };

/**
 * Every field except the open ones, `attributes.<name>` and `items.attributes.<name>`. A field with several values
 * (`items.*`, `*.tags`, `member.lists`) satisfies a condition where any of the values does. The JSON Schema lists the
 * same names.
 */
export const conditionFields = {
  'purchase.amountMinor': money,
  'purchase.channel': channel,
  'purchase.currency': string,
  'purchase.couponCode': string,
  'purchase.sourceReference': string,
  'items.lineReference': string,
  'items.sku': string,
  'items.category': string,
  'items.quantity': { kind: 'integer', min: 1, max: 1_000_000 },
  'items.unitPriceMinor': money,
  // The fields from here to context.tags are of carts only.
  'items.tags': string,
  'cart.subtotalMinor': count,
  // Units of all lines together.
  'cart.quantity': count,
  'context.channel': channel,
  'context.market': string,
  'context.store': string,
  'context.currency': string,
  'context.tags': string,
  'profile.tier': { kind: 'tier' },
  'profile.qualificationPoints': count,
  // Of the member's purchases in the program, before this one.
  'history.purchaseCount': count,
  // Less what was returned.
  'history.purchaseAmountMinor': count,
  // Whole days; absent without a purchase.
  'history.daysSinceFirstPurchase': count,
  'history.daysSinceLastPurchase': count,
  'member.tags': string,
  'member.lists': string,
  'time.dayOfWeek': { kind: 'choice', choices: daysOfWeek },
  'time.hour': { kind: 'integer', min: 0, max: 23 },
  'time.dayOfMonth': { kind: 'integer', min: 1, max: 31 },
  'time.month': { kind: 'integer', min: 1, max: 12 },
  'time.date': { kind: 'date' },
} as const satisfies Record<string, FieldType>;

export type ConditionFieldName = keyof typeof conditionFields;

/** Whether a field is one of `conditionFields`. */
export function isConditionFieldName(field: string): field is ConditionFieldName {
  return Object.hasOwn(conditionFields, field);
}

const attributePrefix = 'attributes.';
const itemAttributePrefix = 'items.attributes.';

/**
 * The attribute of the event that a field of the form `attributes.<name>` names; the name is all that follows, dots
 * included.
 * @returns null for any other field
 */
export function attributeName(field: string): string | null {
  return nameAfter(attributePrefix, field);
}

/**
 * The attribute of a cart's line that a field of the form `items.attributes.<name>` names, dots included.
 * @returns null for any other field
 */
export function itemAttributeName(field: string): string | null {
  return nameAfter(itemAttributePrefix, field);
}

function nameAfter(prefix: string, field: string): string | null {
  return field.startsWith(prefix) && field.length > prefix.length ? field.slice(prefix.length) : null;
}

/** @returns null where there is no such field. */
export function fieldType(field: string): FieldType | null {
  if (isConditionFieldName(field)) return conditionFields[field];
  return attributeName(field) === null && itemAttributeName(field) === null ? null : { kind: 'any' };
}

/**
 * The part of a document that a condition belongs to, which decides the fields that it can name: `purchase` for earn
 * rules and campaigns, `purchase_lines` and `offer_lines` for the conditions of these and of offers on each line.
 */
export type ConditionContext =
  | 'purchase'
  | 'purchase_lines'
  | 'audience'
  | 'challenge'
  | 'offer'
  | 'offer_lines'
  | 'reward';

const member = ['profile.', 'history.', 'member.', 'time.'];
const itemFields = [
  'items.lineReference',
  'items.sku',
  'items.category',
  'items.quantity',
  'items.unitPriceMinor',
];
const cartItemFields = [...itemFields, 'items.tags', itemAttributePrefix];

/** The fields of a context: whole names, or prefixes that end with a dot. */
const fieldsOfContexts: Readonly<Record<ConditionContext, readonly string[]>> = {
  purchase: ['purchase.', ...itemFields, attributePrefix, ...member],
  purchase_lines: itemFields,
  audience: member,
  challenge: [attributePrefix, 'profile.', 'time.'],
  offer: ['cart.', ...cartItemFields, 'context.', ...member],
  offer_lines: cartItemFields,
  reward: ['profile.', 'time.'],
};

/** Whether conditions of a context can name a field. */
export function isFieldOf(context: ConditionContext, field: string): boolean {
  return fieldsOfContexts[context].some((allowed) =>
    allowed.endsWith('.') ? field.startsWith(allowed) : field === allowed,
  );
}

/** The fields that conditions of a context can name, `attributes.<name>` included: for messages. */
export function fieldsOf(context: ConditionContext): string[] {
  const names = Object.keys(conditionFields);
  return fieldsOfContexts[context].flatMap((allowed) => {
    if (allowed.endsWith('attributes.')) return [`${allowed}<name>`];
    return allowed.endsWith('.') ? names.filter((name) => name.startsWith(allowed)) : [allowed];
  });
}

/** The context of a condition in a program document. @param path of the condition, or of a part of it */
export function contextOf([section, ...path]: readonly (string | number)[]): ConditionContext {
  const onLines = path.includes('lines');
  switch (section) {
    case 'audiences':
      return 'audience';
    case 'challenges':
      return 'challenge';
    case 'rewards':
      return 'reward';
    case 'offers':
      return onLines ? 'offer_lines' : 'offer';
    default:
      return onLines ? 'purchase_lines' : 'purchase';
  }
}
