import type { ProgramDocument } from '../programs/document/program-document.ts';
import type { PurchaseReceipt } from '../queries/transactions/recorded-award.ts';
import { type ConditionValues, conditionValuesOf } from './condition-values.ts';
import { ERASED, type Forgotten } from './forgotten.ts';

/**
 * The receipt of an erased member's purchase. Of attributes, tags, lists and codes only that remains which the
 * conditions of the program can tell from anything else, so that `verify award` computes the same award from it.
 * @param document of the version that the purchase was evaluated under; null where it is unknown
 */
export function forgottenPurchase(
  receipt: PurchaseReceipt,
  document: ProgramDocument | null,
  forgotten: Forgotten,
): PurchaseReceipt {
  const read: ConditionValues = document ? conditionValuesOf(document) : new Map();
  const { evidence, coupon, referral, ruleDecisions, ...others } = receipt;
  const codes = new Set([
    ...(document?.coupons ?? []).map(({ code }) => code),
    ...(read.get('purchase.couponCode') ?? []),
  ]);
  const { poolCode } = evidence;
  // Of the code of a pool, its beginning goes; the decision names the pool.
  const forgetsCoupon = coupon !== null && (poolCode !== undefined || !codes.has(coupon.code));
  const code = wordBeside(codes);
  const forgetsReferral = evidence.referral !== undefined && referral === null;
  return {
    ...forgotten.json(others),
    coupon: forgetsCoupon ? { ...coupon, code } : coupon,
    referral,
    ruleDecisions: ruleDecisions.map((entry) => {
      const decision = entry.lines ? { ...entry, lines: forgotten.json(entry.lines) } : entry;
      if (decision.kind === 'coupon' && forgetsCoupon && !poolCode) return { ...decision, id: code };
      return decision.kind === 'referral' && forgetsReferral ? { ...decision, id: ERASED } : decision;
    }),
    evidence: {
      ...evidence,
      ...(poolCode && { poolCode: { ...poolCode, shown: code } }),
      attributes: evidence.attributes && forgottenAttributes(evidence.attributes, read),
      ...(evidence.member && {
        member: {
          ...evidence.member,
          tags: forgottenLabels(evidence.member.tags, read.get('member.tags')),
          lists: forgottenLabels(evidence.member.lists, read.get('member.lists')),
        },
      }),
      ...(evidence.referral && forgetsReferral && { referral: { ...evidence.referral, code: ERASED } }),
    },
  };
}

/** Attributes that no condition reads go. Others keep what conditions can tell from anything else. */
function forgottenAttributes(
  attributes: Readonly<Record<string, unknown>>,
  read: ConditionValues,
): Record<string, unknown> {
  const remaining = Object.entries(attributes).flatMap(([name, value]): [string, unknown][] => {
    const values = read.get(`attributes.${name}`);
    return values ? [[name, forgottenAttribute(value, values)]] : [];
  });
  return Object.fromEntries(remaining);
}

/**
 * Numbers and values that conditions name stay. A text becomes one that comes between the same two texts of conditions
 * (dates are compared as texts); a list or an object becomes an empty object: it is there and equals nothing.
 */
function forgottenAttribute(value: unknown, values: ReadonlySet<unknown>): unknown {
  if (values.has(value) || (typeof value !== 'string' && typeof value !== 'object') || value === null)
    return value;
  if (typeof value !== 'string') return {};
  const before = [...values]
    .filter((text) => typeof text === 'string' && text < value)
    .sort()
    .at(-1);
  return before === undefined ? '' : `${before}\u0001`;
}

/** Tags or lists that conditions name, and one word in place of all others. */
function forgottenLabels(labels: readonly string[], names: ReadonlySet<unknown> = new Set()): string[] {
  const word = wordBeside(names);
  const remaining = labels.filter((label) => label === word || names.has(label));
  return remaining.length === labels.length ? remaining : [...remaining, word];
}

/** A word in place of others, which the document does not name. */
function wordBeside(names: ReadonlySet<unknown>): string {
  let word = ERASED;
  while (names.has(word)) word += '-';
  return word;
}
