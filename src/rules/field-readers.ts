import { attributeName, type PurchaseFieldName } from '../programs/condition-fields.ts';
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

/** Reads a field: of the purchase as a whole, or of each of its lines. */
export type FieldReader = { read(facts: EvaluationFacts): unknown } | { readItem(item: ItemFacts): unknown };

type ReadableFieldName = Exclude<PurchaseFieldName, `history.${string}` | `member.${string}`>;

const readers: Readonly<Record<ReadableFieldName, FieldReader>> = {
  'purchase.amountMinor': { read: (facts) => facts.purchase.amountMinor },
  'purchase.channel': { read: (facts) => facts.purchase.channel },
  'purchase.currency': { read: (facts) => facts.purchase.currency ?? facts.programCurrency },
  'purchase.couponCode': { read: (facts) => facts.purchase.couponCode },
  'purchase.sourceReference': { read: (facts) => facts.purchase.sourceReference },
  'items.lineReference': { readItem: (item) => item.lineReference },
  'items.sku': { readItem: (item) => item.sku },
  'items.category': { readItem: (item) => item.category },
  'items.quantity': { readItem: (item) => item.quantity ?? 1 },
  'items.unitPriceMinor': { readItem: (item) => item.unitPriceMinor },
  'profile.tier': { read: (facts) => facts.profile.tier },
  'profile.qualificationPoints': { read: (facts) => facts.profile.qualificationPoints },
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
  if (isReadable(field)) return readers[field];
  const attribute = attributeName(field);
  if (attribute === null) throw new RangeError(`No such condition field: ${field}`);
  return {
    read({ purchase: { attributes } }) {
      // Own properties alone: `attributes.constructor` is no attribute of an event that does not send one.
      return attributes && Object.hasOwn(attributes, attribute) ? attributes[attribute] : undefined;
    },
  };
}

function isReadable(field: string): field is ReadableFieldName {
  return Object.hasOwn(readers, field);
}
