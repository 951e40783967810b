import { isDeepStrictEqual } from 'node:util';
import type { EarnedLine } from '../../contract/generated/types.ts';
import type { ProgramDocument } from '../../programs/document/program-document.ts';
import { isRefusal } from '../../refusal.ts';
import type { MemberFacts } from '../../rules/conditions/member-facts.ts';
import {
  evaluatePurchase,
  type PurchaseEvaluation,
  type PurchaseEvaluationInput,
} from '../../rules/earning/evaluate-purchase.ts';
import { decideReferral } from '../../rules/earning/referral.ts';
import { explainAward } from '../../rules/explain/explain-award.ts';
import type { RuleDecision } from '../../rules/shared/rule-decision.ts';
import type { OrderLines, PurchaseReceipt, RecordedAward } from './recorded-award.ts';

/** A value that was computed again and differs from the stored one. */
export interface AwardDifference {
  /** Such as `award.points`, or `postings`. */
  what: string;
  computed: unknown;
  stored: unknown;
}

/** The result of computing a past award again. */
export interface AwardVerdict {
  /** Sentences that say what was evaluated, and under which version. */
  circumstances: string[];
  /** Sentences that explain how the points were computed; empty where the evidence cannot be evaluated. */
  steps: string[];
  differences: AwardDifference[];
}

// The kinds of decisions that are compared together. Those of a coupon and of a referral are compared separately.
const EVALUATED: ReadonlySet<string> = new Set([
  'earn_rule',
  'tier',
  'campaign',
  'campaign_cap',
  'campaign_holdout',
  'member_limit',
]);

/**
 * Computes a past award again from its stored evidence, its order's lines and its pinned configuration, and compares
 * it with the receipt and with what was posted (decisions, "Earning"). Pure.
 */
export function verifyAward(award: RecordedAward): AwardVerdict {
  // Receipts are stored JSON that somebody may have changed in the database, so fields may be missing.
  const { evidence, ruleDecisions } = award.receipt as Partial<RecordedAward['receipt']>;
  if (!evidence?.profile || !award.receipt.award || !Array.isArray(ruleDecisions)) {
    const lacking = { what: 'evidence', computed: null, stored: evidence ?? null };
    return { circumstances: [], steps: [], differences: [lacking] };
  }
  const circumstances = circumstancesOf(award);
  const input = evaluationInput(award);
  if (!input) {
    const { configurationVersion } = award.receipt;
    const missing = { what: 'configurationVersion', computed: null, stored: configurationVersion };
    return { circumstances, steps: [], differences: [missing] };
  }
  const evaluation = evaluatePurchase(input);
  if (isRefusal(evaluation)) {
    const refused = { what: 'award', computed: evaluation.message, stored: award.receipt.award };
    return { circumstances, steps: [], differences: [refused] };
  }
  const referral = referralOf(award, input.program);
  return {
    circumstances,
    steps: explainAward(
      input,
      evaluation,
      referral?.decision ?? ofKind(award.receipt.ruleDecisions, 'referral'),
    ),
    differences: compare(award, evaluation, referral),
  };
}

/** The input that the command evaluated; null where there is no document of the version that the receipt names. */
function evaluationInput(award: RecordedAward): PurchaseEvaluationInput | null {
  const { receipt, document } = award;
  if (!document) return null;
  const { evidence } = receipt;
  const { limitUsed, ...profile } = evidence.profile;
  return {
    program: document,
    version: receipt.configurationVersion,
    mode: receipt.evaluationMode,
    evaluationAt: new Date(receipt.evaluationAt),
    purchase: {
      amountMinor: evidence.amountMinor,
      currency: evidence.currency,
      channel: evidence.channel,
      sourceReference: award.sourceReference,
      couponCode: receipt.coupon?.code,
      occurredAt: new Date(evidence.occurredAt),
      items: award.lines,
      attributes: evidence.attributes,
    },
    profile,
    limitUsed,
    ...(evidence.member && { member: memberOf(evidence.member) }),
    capsUsed: new Map(evidence.capsUsed?.map(({ campaignId, ...use }) => [campaignId, use])),
    heldOut: new Set(evidence.heldOut),
    ...(evidence.couponUsed && { couponUsed: evidence.couponUsed }),
    ...(evidence.poolCode && { poolCode: evidence.poolCode }),
  };
}

function memberOf(member: NonNullable<PurchaseReceipt['evidence']['member']>): MemberFacts {
  const at = (text: string | null): Date | null => (text === null ? null : new Date(text));
  return {
    ...member,
    firstPurchaseAt: at(member.firstPurchaseAt),
    lastPurchaseAt: at(member.lastPurchaseAt),
  };
}

/** The decision on the referral code that came with the purchase; null where it had none. */
function referralOf({ receipt }: RecordedAward, program: ProgramDocument) {
  const facts = receipt.evidence.referral;
  return facts ? decideReferral(program.referral ?? null, facts) : null;
}

function circumstancesOf({ receipt, programId, externalCustomerId, ...award }: RecordedAward): string[] {
  const { evidence, evaluationMode, evaluationAt, configurationVersion } = receipt;
  const { tier, qualificationPoints, limitUsed } = evidence.profile;
  const lines = award.lines?.length ?? 0;
  const pinned = evaluationMode === 'event_time_pinned_configuration';
  const under =
    award.draftName === undefined
      ? `version ${configurationVersion} of ${programId} (${
          pinned
            ? 'as the event asked: the version and tier of that time'
            : 'the one in force when the event was received'
        })`
      : `the draft ${award.draftName} of ${programId}${pinned ? ' (as the event asked: at its own time)' : ''}`;
  return [
    `Order ${award.sourceReference} of ${externalCustomerId} at ${evidence.occurredAt}: ${evidence.amountMinor} minor ` +
      `units of ${award.currency}, channel ${evidence.channel}, ${lines} ${lines === 1 ? 'line' : 'lines'}.`,
    `Evaluated at ${evaluationAt} under ${under}.`,
    `The member was in tier ${tier} with ${qualificationPoints} qualification points${
      award.document?.memberLimit ? `; ${limitUsed} points counted against the member limit` : ''
    }.`,
  ];
}

function compare(
  award: RecordedAward,
  evaluation: PurchaseEvaluation,
  referral: ReturnType<typeof decideReferral> | null,
): AwardDifference[] {
  const { receipt, posted, amountMinor } = award;
  const { points, basePoints, campaignPoints, loyaltyUnitPrecision, campaigns, coupon } = evaluation;
  const pairs: [what: string, computed: unknown, stored: unknown][] = [
    ['award.points', points, receipt.award.points],
    ['award.basePoints', basePoints, receipt.award.basePoints],
    ['award.campaignPoints', campaignPoints, receipt.award.campaignPoints],
    ['loyaltyUnitPrecision', loyaltyUnitPrecision, receipt.loyaltyUnitPrecision],
    ['ruleDecisions', evaluated(evaluation.ruleDecisions), evaluated(receipt.ruleDecisions)],
    ['campaigns', campaigns, receipt.campaigns],
    ['lines', evaluation.lines, receipt.lines ?? null],
    ['order.lines', pointsOfItems(evaluation.lines), keptPoints(award.lines)],
    [
      'coupon',
      coupon && { code: coupon.code, valid: coupon.valid, redeemed: coupon.redeemed },
      receipt.coupon,
    ],
    [
      'ruleDecisions.coupon',
      ofKind(evaluation.ruleDecisions, 'coupon'),
      ofKind(receipt.ruleDecisions, 'coupon'),
    ],
    [
      'referral',
      referral?.award ? { code: receipt.evidence.referral?.code, ...referral.award } : null,
      receipt.referral,
    ],
    ['transaction', points, posted.transaction],
    ['postings', points, posted.postings],
    ['lots', points, posted.lots],
    ['order', points, posted.order],
    ['order.amountMinor', receipt.evidence.amountMinor, amountMinor],
  ];
  // A purchase from before referrals existed has no such evidence, but may have a decision that its code gave nothing.
  if (referral) {
    pairs.push(['ruleDecisions.referral', referral.decision, ofKind(receipt.ruleDecisions, 'referral')]);
  }
  return pairs
    .filter(([, computed, stored]) => !isDeepStrictEqual(computed, stored))
    .map(([what, computed, stored]) => ({ what, computed, stored }));
}

/** The points of each item of a purchase; null where the program does not earn by line, or without items. */
function pointsOfItems(lines: readonly EarnedLine[] | null): number[] | null {
  const items = lines?.filter(({ index }) => index !== null) ?? [];
  return items.length > 0 ? items.map(({ points }) => points) : null;
}

/** The points that the order keeps of each of its lines; null where it keeps none. */
function keptPoints(lines: OrderLines): (number | undefined)[] | null {
  return lines?.some(({ points }) => points !== undefined) ? lines.map(({ points }) => points) : null;
}

function evaluated(decisions: readonly RuleDecision[]): RuleDecision[] {
  return decisions.filter(({ kind }) => EVALUATED.has(kind));
}

function ofKind(decisions: readonly RuleDecision[], kind: RuleDecision['kind']): RuleDecision | null {
  return decisions.find((decision) => decision.kind === kind) ?? null;
}
