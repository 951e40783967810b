import type { PreviewPurchaseInput } from '../../contract/generated/types.ts';
import type { State } from '../../ledger/state.ts';
import { isActive } from '../../ledger/tables/members.ts';
import { isRefusal, programNotFound, type Refusal, type RefusalCode } from '../../refusal.ts';
import { memberFactsOf, newcomer } from '../../rules/conditions/member-facts.ts';
import { initialStanding, standingAt } from '../../rules/standing.ts';
import { refuseAmountOverflow, refuseOverflow } from '../shared/balance-limit.ts';
import { noActiveMember } from '../shared/no-active-member.ts';
import { refuseTooFarAhead } from '../shared/too-far-ahead.ts';
import { assessPurchase, type Buyer, evaluationRequest, withTrimmedCode } from './assess-purchase.ts';
import { enrollmentRequired } from './purchase-earn.ts';
import { shownAward } from './purchase-receipt.ts';
import { referralOf, referrerOf } from './referral.ts';

/** What a preview is made from: rows as one snapshot has them. */
export type PreviewState = Pick<
  State,
  'program' | 'member' | 'profile' | 'limitCounter' | 'sharedCounter' | 'couponCode'
>;

/** What a purchase would earn (SDL type PurchasePreview without requestId). */
export type Preview = ReturnType<typeof shownAward> & { personalized: boolean; tier: string };

/** Refusals of customers who are no members, or not of the program. */
const NOT_ENROLLED: ReadonlySet<RefusalCode> = new Set(['member_not_found', 'enrollment_required']);

/** Says what a purchase would earn: `previewPurchase`, or `previewForCustomer`. */
export type Previewing = typeof previewPurchase;

/**
 * Says what a purchase would earn the customer who asks. One who could not earn with it, as no member or not one of the
 * program, is told what a new member would get. Otherwise as `previewPurchase`.
 */
export function previewForCustomer(
  input: PreviewPurchaseInput,
  referrerId: string | null,
  state: PreviewState,
  now: Date,
): Preview | Refusal {
  const preview = previewPurchase(input, referrerId, state, now);
  if (!isRefusal(preview) || !NOT_ENROLLED.has(preview.code)) return preview;
  return previewPurchase({ ...input, externalCustomerId: null }, null, state, now);
}

/**
 * Says what a purchase would earn now: what `purchaseEarn` would answer to it in the same state, without ids. Pure, and
 * changes nothing. Without a customer it is what a new member in the first tier would get, without a referral, and from
 * whom no campaign is withheld.
 * Refusals: those of `purchaseEarn`, except `source_reference_conflict`.
 * @param referrerId externalCustomerId of the member whose referral code came with it; null where there is none
 */
export function previewPurchase(
  rawInput: PreviewPurchaseInput,
  referrerId: string | null,
  state: PreviewState,
  now: Date,
): Preview | Refusal {
  const input = withTrimmedCode(rawInput);
  const { programId, externalCustomerId = null } = input;
  const request = evaluationRequest(input);
  const program = state.program(programId);
  if (!program) return programNotFound;
  const member = externalCustomerId === null ? null : state.member(externalCustomerId);
  if (externalCustomerId !== null && !isActive(member)) return noActiveMember;
  const profile = externalCustomerId === null ? null : state.profile(programId, externalCustomerId);
  if (member && !profile?.enrolled) return enrollmentRequired;
  const tooFarAhead = request.occurredAt && refuseTooFarAhead('invalid_event', request.occurredAt, now);
  if (tooFarAhead) return tooFarAhead;

  const buyer: Buyer =
    member && profile
      ? {
          standingIn: (document) => standingAt(document, profile, now),
          member: memberFactsOf(profile, member),
        }
      : { standingIn: (document) => initialStanding(document, now), member: newcomer };
  const memberInput = member ? { ...input, externalCustomerId: member.externalCustomerId } : input;
  const assessed = assessPurchase(memberInput, request, { program, buyer }, state, now);
  if (isRefusal(assessed)) return assessed;
  const { purchase, standingAfter, evaluation } = assessed;
  const { points } = evaluation;
  const overflow =
    profile && (refuseOverflow(profile, points) ?? refuseAmountOverflow(profile, input.amountMinor));
  if (overflow) return overflow;
  const { referral: section = null } = purchase.picked.version.document;
  const referral =
    profile && externalCustomerId !== null
      ? referralOf(
          input,
          section,
          { profile, points },
          referrerOf(
            { programId, externalCustomerId: member?.externalCustomerId ?? externalCustomerId },
            referrerId,
            state,
          ),
        )
      : null;
  return {
    personalized: profile !== null,
    tier: standingAfter.tier,
    ...shownAward(purchase, evaluation, referral),
  };
}
