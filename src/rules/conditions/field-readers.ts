import {
  attributeName,
  type ConditionFieldName,
  isConditionFieldName,
  itemAttributeName,
} from '../../programs/document/condition-fields.ts';
import type { EvaluationFacts } from './evaluation-facts.ts';
import { wholeDays } from './member-facts.ts';
import type { ItemFacts } from './purchase-facts.ts';

type ValueTest = (value: unknown) => boolean;

/** Reads a field with one value, or tests whether any value of a field with several values passes. */
export type FieldReader =
  | { read(facts: EvaluationFacts): unknown }
  | { any(facts: EvaluationFacts, test: ValueTest): boolean };

const readers: Readonly<Record<ConditionFieldName, FieldReader>> = {
  'purchase.amountMinor': { read: (facts) => facts.purchase?.amountMinor },
  'purchase.channel': { read: (facts) => facts.purchase?.channel },
  'purchase.currency': {
    read: ({ purchase, programCurrency }) => purchase && (purchase.currency ?? programCurrency),
  },
  'purchase.couponCode': { read: (facts) => facts.purchase?.couponCode },
  'purchase.sourceReference': { read: (facts) => facts.purchase?.sourceReference },
  'items.lineReference': ofItems((item) => item.lineReference),
  'items.sku': ofItems((item) => item.sku),
  'items.category': ofItems((item) => item.category),
  'items.quantity': ofItems((item) => item.quantity ?? 1),
  'items.unitPriceMinor': ofItems((item) => item.unitPriceMinor),
  'items.tags': {
    any: ({ items }, test) => items?.some(({ tags }) => tags?.some(test) ?? false) ?? false,
  },
  'cart.subtotalMinor': { read: (facts) => facts.cart?.subtotalMinor },
  'cart.quantity': { read: (facts) => facts.cart?.quantity },
  'context.channel': { read: (facts) => facts.cart?.channel },
  'context.market': { read: (facts) => facts.cart?.market },
  'context.store': { read: (facts) => facts.cart?.store },
  'context.currency': { read: ({ cart, programCurrency }) => cart && (cart.currency ?? programCurrency) },
  'context.tags': { any: ({ cart }, test) => cart?.tags?.some(test) ?? false },
  'profile.tier': { read: (facts) => facts.profile?.tier },
  'profile.qualificationPoints': { read: (facts) => facts.profile?.qualificationPoints },
  'history.purchaseCount': { read: (facts) => facts.member?.purchaseCount },
  'history.purchaseAmountMinor': { read: (facts) => facts.member?.purchaseAmountMinor },
  'history.daysSinceFirstPurchase': {
    read: ({ member, at }) => wholeDays(member?.firstPurchaseAt ?? null, at),
  },
  'history.daysSinceLastPurchase': {
    read: ({ member, at }) => wholeDays(member?.lastPurchaseAt ?? null, at),
  },
  'member.tags': { any: ({ member }, test) => member?.tags.some(test) ?? false },
  'member.lists': { any: ({ member }, test) => member?.lists.some(test) ?? false },
  'time.dayOfWeek': { read: (facts) => facts.localTime().dayOfWeek },
  'time.hour': { read: (facts) => facts.localTime().hour },
  'time.dayOfMonth': { read: (facts) => facts.localTime().dayOfMonth },
  'time.month': { read: (facts) => facts.localTime().month },
  'time.date': { read: (facts) => facts.localTime().date },
};

/**
 * Finds the reader of a condition's field.
 * @throws RangeError for a field that does not exist (the document was not checked)
 */
export function fieldReader(field: string): FieldReader {
  if (isConditionFieldName(field)) return readers[field];
  const ofItem = itemAttributeName(field);
  if (ofItem !== null) return ofItems(({ attributes }) => attributeOf(attributes, ofItem));
  const attribute = attributeName(field);
  if (attribute === null) throw new RangeError(`No such condition field: ${field}`);
  return { read: ({ attributes }) => attributeOf(attributes, attribute) };
}

function ofItems(readItem: (item: ItemFacts) => unknown): FieldReader {
  return {
    any({ items }, test) {
      if (!items) return false;
      for (const item of items) if (test(readItem(item))) return true;
      return false;
    },
  };
}

function attributeOf(attributes: ItemFacts['attributes'], name: string): unknown {
  // Only own properties: every object inherits `constructor`, which is not an attribute of the event.
  return attributes && Object.hasOwn(attributes, name) ? attributes[name] : undefined;
}
