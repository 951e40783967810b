import type { PurchaseEarnInput } from '../contract/generated/types.ts';
import type { State } from '../ledger/command.ts';
import { wouldOverflow } from '../ledger/posting.ts';
import type { MemberRecord, ProfileRecord } from '../ledger/records.ts';
import type { ProgramDocument } from '../programs/program-document.ts';
import { decideReferral, type ReferralAward, type ReferralFacts } from '../rules/referral.ts';
import type { RuleDecision } from '../rules/rule-decision.ts';
import { readReferralCode, referralCodeOf } from './referral-code.ts';

/** A purchase as far as a referral goes. */
export interface ReferredPurchase {
  input: PurchaseEarnInput;
  document: ProgramDocument;
  /** The referee's, before the purchase. */
  profile: ProfileRecord;
  /** externalCustomerId of the member whose code came, as it was found out before the command was sent. */
  referrerId: string | null;
  occurredAt: Date;
  evaluationAt: Date;
  state: State;
  now: Date;
}

/** What was decided on the code that came with a purchase. */
export interface Referral {
  /** Kept as evidence: what the decision was made from. */
  facts: ReferralFacts;
  award: ReferralAward | null;
  decision: RuleDecision;
  /** Null where there is no award. */
  referrer: { member: MemberRecord; profile: ProfileRecord } | null;
}

/**
 * Decides on the code that came with a purchase, under the locks on both profiles.
 * @param points that the referee earns with the purchase itself
 * @returns null where none came
 */
export function referralOf(purchase: ReferredPurchase, points: number): Referral | null {
  const { input, document, profile } = purchase;
  const typed = referralCodeOf(input.context?.attributes);
  if (typed === null) return null;
  const section = document.referral ?? null;
  const code = readReferralCode(typed);
  const referrer = referrerOf(purchase, code);
  const objection =
    profile.referralCode === code
      ? "It is the member's own code."
      : (whyNotRewarded(referrer, section?.referrerPoints ?? 0) ??
        (wouldOverflow(profile, points + (section?.refereePoints ?? 0)) ? BEYOND : null));
  const facts: ReferralFacts = {
    code: typed,
    objection,
    purchaseCount: profile.purchaseCount,
    amountMinor: input.amountMinor,
    referralCount: referrer?.profile.referralCount ?? 0,
  };
  const { award, decision } = decideReferral(section, facts);
  return { facts, award, decision, referrer: award && referrer };
}

const BEYOND = 'A balance would exceed 2^53-1 points.';

/** The member whose code it is. */
function referrerOf({ input, referrerId, state }: ReferredPurchase, code: string): Referral['referrer'] {
  if (referrerId === null || referrerId === input.externalCustomerId) return null;
  const member = state.member(referrerId);
  const profile = state.profile(input.programId, referrerId);
  return member && profile?.referralCode === code ? { member, profile } : null;
}

function whyNotRewarded(referrer: Referral['referrer'], points: number): string | null {
  if (!referrer) return 'Unknown code.';
  const { member, profile } = referrer;
  if (member.status !== 'active' || !profile.enrolled) return 'The referrer is no longer in the program.';
  return wouldOverflow(profile, points) ? BEYOND : null;
}
