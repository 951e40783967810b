import type { ProgramDocument } from '../programs/document/program-document.ts';
import type { PurchaseReceipt } from '../queries/transactions/recorded-award.ts';
import { type ConditionValues, conditionValuesOf } from './condition-values.ts';
import { ERASED, type Forgotten } from './forgotten.ts';

/**
 * The receipt of an erased member's purchase. Of attributes, tags, lists and codes only that remains which the conditions
 * of the program can tell from anything else, so that `verify award` computes the same award from it.
 * @param document of the version that the purchase was evaluated under; null where it is unknown
 */
export function forgottenPurchase(
  receipt: PurchaseReceipt,
  document: ProgramDocument | null,
  forgotten: Forgotten,
): PurchaseReceipt {
  const read: ConditionValues = document ? conditionValuesOf(document) : new Map();
  const { evidence, coupon, referral, ruleDecisions, ...others } = receipt;
  const isKnown = (code: string): boolean =>
    (document?.coupons?.some((known) => known.code === code) ?? false) ||
    (read.get('purchase.couponCode')?.values.has(code) ?? false);
  const forgetsCoupon = coupon !== null && !isKnown(coupon.code);
  const forgetsReferral = evidence.referral !== undefined && referral === null;
  return {
    ...forgotten.json(others),
    coupon: forgetsCoupon ? { ...coupon, code: ERASED } : coupon,
    referral,
    ruleDecisions: ruleDecisions.map((decision) =>
      (decision.kind === 'coupon' && forgetsCoupon) || (decision.kind === 'referral' && forgetsReferral)
        ? { ...decision, id: ERASED }
        : decision,
    ),
    evidence: {
      ...evidence,
      attributes: evidence.attributes && forgottenAttributes(evidence.attributes, read),
      ...(evidence.member && {
        member: {
          ...evidence.member,
          tags: forgottenLabels(evidence.member.tags, read.get('member.tags')?.values),
          lists: forgottenLabels(evidence.member.lists, read.get('member.lists')?.values),
        },
      }),
      ...(evidence.referral && forgetsReferral && { referral: { ...evidence.referral, code: ERASED } }),
    },
  };
}

/**
 * Attributes that no condition reads go. Others keep numbers, and texts that conditions name or compare as dates; in place
 * of anything else stands an empty object, which equals nothing, as it did not before, and is there, as it was.
 */
function forgottenAttributes(
  attributes: Readonly<Record<string, unknown>>,
  read: ConditionValues,
): Record<string, unknown> {
  const kept = Object.entries(attributes).flatMap(([name, value]): [string, unknown][] => {
    const compared = read.get(`attributes.${name}`);
    if (!compared) return [];
    const isKept =
      value === null ||
      typeof value === 'number' ||
      typeof value === 'boolean' ||
      compared.values.has(value) ||
      (typeof value === 'string' && compared.ordered);
    return [[name, isKept ? value : {}]];
  });
  return Object.fromEntries(kept);
}

/** Tags or lists that conditions name, and one word in place of all others. */
function forgottenLabels(labels: readonly string[], named: ReadonlySet<unknown> = new Set()): string[] {
  const kept = labels.filter((label) => label === ERASED || named.has(label));
  return kept.length === labels.length ? kept : [...kept, ERASED];
}
