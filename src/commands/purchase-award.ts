import type { Receipt } from '../contract/receipt.ts';
import type { Decision } from '../ledger/command.ts';
import { type PublishedProgram, versionAt } from '../programs/published-program.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import { evaluatePurchase } from '../rules/evaluate-purchase.ts';
import { memberFactsOf } from '../rules/member-facts.ts';
import { standingAfter, standingAt } from '../rules/standing.ts';
import { awardDecision } from './award-decision.ts';
import { countersAfter, earningUse } from './earning-counters.ts';
import type { EvaluatedPurchase } from './purchase-receipt.ts';
import { referralOf } from './referral.ts';

/** A purchase that may earn, before its points are known. */
export interface EarningPurchase
  extends Pick<
    EvaluatedPurchase,
    'input' | 'member' | 'profile' | 'picked' | 'referrerId' | 'occurredAt' | 'state' | 'now'
  > {
  program: PublishedProgram;
}

/**
 * Evaluates a purchase and turns it into what is written. Refusals: `currency_mismatch`, `unknown_tier`,
 * `member_limit_reached`, `balance_limit_exceeded`.
 */
export function awardPurchase(purchase: EarningPurchase): Decision<Receipt<'purchaseEarn'>> | Refusal {
  const { input, program, member, profile, picked, occurredAt, state, now } = purchase;
  const { evaluationAt } = picked;
  const { document, version } = picked.version;
  // Where a member stands is the present configuration's affair, whichever one a late event is evaluated under.
  const present = versionAt(program, now)?.document ?? document;
  const standing = standingAt(present, profile, now);
  const tier = picked.memberTier ?? standing.tier;
  const { qualificationPoints } = standing;
  const use = earningUse(input, document, state, evaluationAt);
  const memberFacts = memberFactsOf(profile, member);
  const evaluation = evaluatePurchase({
    program: document,
    version,
    mode: picked.mode,
    evaluationAt,
    purchase: { ...input, occurredAt, attributes: input.context?.attributes },
    profile: { tier, qualificationPoints },
    member: memberFacts,
    ...use,
  });
  if (isRefusal(evaluation)) return evaluation;
  const referred = { ...purchase, document, evaluationAt };
  return awardDecision({
    ...referred,
    present,
    standing: standingAfter(
      present,
      standing,
      { points: evaluation.qualificationPoints, at: evaluationAt },
      now,
    ),
    evaluatedFrom: { tier, qualificationPoints, member: memberFacts, ...use },
    evaluation,
    counters: countersAfter(input, member.id, document, evaluationAt, use, evaluation),
    referral: referralOf(referred, evaluation.points),
  });
}
