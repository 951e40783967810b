import type { State } from '../../ledger/state.ts';
import type { ProgramDocument } from '../../programs/document/program-document.ts';
import { type PublishedProgram, versionAt } from '../../programs/published/published-program.ts';
import { isRefusal, type Refusal } from '../../refusal.ts';
import type { AudienceFacts, MemberFacts } from '../../rules/conditions/member-facts.ts';
import { evaluatePurchase, type PurchaseEvaluation } from '../../rules/earning/evaluate-purchase.ts';
import { type EvaluationRequest, pickVersion } from '../../rules/earning/pick-version.ts';
import { refuseBytes, refuseSteps } from '../../rules/earning/purchase-budget.ts';
import { type Standing, standingAfter } from '../../rules/standing.ts';
import { type EarningUse, earningUse, type Purchase, type PurchaseFields } from './earning-counters.ts';

/** Who buys, before the purchase. */
export interface Buyer {
  /** The standing under the version in effect now. */
  standingIn(document: ProgramDocument): Standing;
  member: MemberFacts;
}

/** What a purchase earns, and what that was computed from. */
export interface AssessedPurchase {
  purchase: Purchase;
  /** The document in effect now, which may be another one than the purchase was evaluated under. */
  presentDocument: ProgramDocument;
  /** Before the purchase. */
  standing: Standing;
  /** After it. */
  standingAfter: Standing;
  buyerFacts: AudienceFacts & EarningUse;
  evaluation: PurchaseEvaluation;
}

/**
 * Picks the version that a purchase is evaluated under, and evaluates it. Pure: purchases and their previews get the
 * same from the same state. Refusals: those of `pickVersion` and `evaluatePurchase`, and
 * `cart_too_large`.
 */
export function assessPurchase(
  input: PurchaseFields,
  request: EvaluationRequest,
  { program, buyer }: { program: PublishedProgram; buyer: Buyer },
  state: Pick<State, 'member' | 'limitCounter' | 'sharedCounter' | 'couponCode'>,
  now: Date,
):
  | AssessedPurchase
  | Refusal<
      | 'balance_limit_exceeded'
      | 'cart_too_large'
      | 'configuration_not_effective'
      | 'currency_mismatch'
      | 'invalid_event'
      | 'member_limit_reached'
      | 'program_not_found'
      | 'unknown_tier'
    > {
  const picked = pickVersion(program, request, now);
  if (isRefusal(picked)) return picked;
  const { mode, evaluationAt, version } = picked;
  // The member's standing always follows the version in effect now, even where a late event is evaluated under another.
  const present = versionAt(program, now)?.document ?? version.document;
  const standing = buyer.standingIn(present);
  const occurredAt = request.occurredAt ?? now;
  const purchase: Purchase = { input, occurredAt, picked };
  const { qualificationPoints } = standing;
  const buyerFacts: AudienceFacts & EarningUse = {
    profile: { tier: picked.memberTier ?? standing.tier, qualificationPoints },
    member: buyer.member,
    ...earningUse(purchase, state),
  };
  const tooManySteps = refuseSteps(version.document, input.items, buyer.member);
  if (tooManySteps) return tooManySteps;
  const evaluation = evaluatePurchase({
    program: version.document,
    version: version.version,
    mode,
    evaluationAt,
    purchase: { ...input, occurredAt, attributes: input.context?.attributes },
    ...buyerFacts,
  });
  if (isRefusal(evaluation)) return evaluation;
  const tooManyBytes = refuseBytes(version.document, input.items, evaluation);
  if (tooManyBytes) return tooManyBytes;
  const earned = { points: evaluation.qualificationPoints, at: evaluationAt };
  const reached = standingAfter(present, standing, earned, now);
  return { purchase, presentDocument: present, standing, standingAfter: reached, buyerFacts, evaluation };
}

/** How a purchase asks to be evaluated. Its shape has been validated before. */
export function evaluationRequest(input: Pick<PurchaseFields, 'context' | 'occurredAt'>): EvaluationRequest {
  const request = input.context?.attributes?.svcEvaluation as EvaluationRequest | null | undefined;
  return {
    mode: request?.mode,
    configurationVersion: request?.configurationVersion,
    memberTier: request?.memberTier,
    occurredAt: input.occurredAt ? new Date(input.occurredAt) : null,
  };
}

/** Trims the coupon code: customers type codes, and some keyboards add a space. */
export function withTrimmedCode<Purchase extends Pick<PurchaseFields, 'couponCode'>>(
  purchase: Purchase,
): Purchase {
  const couponCode = purchase.couponCode?.trim();
  return couponCode === undefined || couponCode === purchase.couponCode
    ? purchase
    : { ...purchase, couponCode };
}
