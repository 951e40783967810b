import type { LocalTime } from './local-time.ts';
import type { ItemFacts, ProfileFacts, PurchaseFacts } from './purchase-facts.ts';

/** What the conditions of one purchase are read from. */
export interface EvaluationFacts {
  purchase: PurchaseFacts;
  profile: ProfileFacts;
  /** The program's currency, for a purchase that names none. */
  programCurrency: string;
  /** The evaluation's instant in the program's time zone; computed when first asked for. */
  localTime(): LocalTime;
}

/** What values of a field are, which says what operators and values a condition on it may have. */
export type FieldType = 'integer' | 'string' | 'channel' | 'tier' | 'dayOfWeek' | 'date' | 'any';

/** A field that a condition can name: of the purchase as a whole, or of each of its lines. */
export type ConditionField =
  | { type: FieldType; read(facts: EvaluationFacts): unknown }
  | { type: FieldType; readItem(item: ItemFacts): unknown };

/** Every field of conditions but the open `attributes.<name>`. The JSON Schema lists the same names. */
export const conditionFields: Readonly<Record<string, ConditionField>> = {
  'purchase.amountMinor': { type: 'integer', read: (facts) => facts.purchase.amountMinor },
  'purchase.channel': { type: 'channel', read: (facts) => facts.purchase.channel },
  'purchase.currency': { type: 'string', read: (facts) => facts.purchase.currency ?? facts.programCurrency },
  'purchase.couponCode': { type: 'string', read: (facts) => facts.purchase.couponCode },
  'purchase.sourceReference': { type: 'string', read: (facts) => facts.purchase.sourceReference },
  'items.lineReference': { type: 'string', readItem: (item) => item.lineReference },
  'items.sku': { type: 'string', readItem: (item) => item.sku },
  'items.category': { type: 'string', readItem: (item) => item.category },
  'items.quantity': { type: 'integer', readItem: (item) => item.quantity ?? 1 },
  'items.unitPriceMinor': { type: 'integer', readItem: (item) => item.unitPriceMinor },
  'profile.tier': { type: 'tier', read: (facts) => facts.profile.tier },
  'profile.qualificationPoints': { type: 'integer', read: (facts) => facts.profile.qualificationPoints },
  'time.dayOfWeek': { type: 'dayOfWeek', read: (facts) => facts.localTime().dayOfWeek },
  'time.hour': { type: 'integer', read: (facts) => facts.localTime().hour },
  'time.dayOfMonth': { type: 'integer', read: (facts) => facts.localTime().dayOfMonth },
  'time.month': { type: 'integer', read: (facts) => facts.localTime().month },
  'time.date': { type: 'date', read: (facts) => facts.localTime().date },
};

const attributePrefix = 'attributes.';

/**
 * Finds a field by its name in a condition.
 * @returns null where there is no such field
 */
export function conditionField(name: string): ConditionField | null {
  if (Object.hasOwn(conditionFields, name)) return conditionFields[name] ?? null;
  if (!name.startsWith(attributePrefix) || name.length === attributePrefix.length) return null;
  const attribute = name.slice(attributePrefix.length);
  return {
    type: 'any',
    read({ purchase: { attributes } }) {
      // Own properties alone: `attributes.constructor` is no attribute of an event that does not send one.
      return attributes && Object.hasOwn(attributes, attribute) ? attributes[attribute] : undefined;
    },
  };
}
