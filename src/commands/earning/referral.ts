import type { PurchaseEarnInput } from '../../contract/generated/types.ts';
import { toTypeId } from '../../ids.ts';
import { Book, type EntryHeader, issueLot } from '../../ledger/books/book.ts';
import type { HoldChanges } from '../../ledger/books/holds.ts';
import { wouldOverflow } from '../../ledger/books/posting.ts';
import { expireLapsed, settleDue } from '../../ledger/books/settle.ts';
import type { DecisionPart } from '../../ledger/merge-decisions.ts';
import type { State } from '../../ledger/state.ts';
import { isActive, type MemberRecord } from '../../ledger/tables/members.ts';
import type { ProfileRecord } from '../../ledger/tables/program-profiles.ts';
import type { ReferralSection } from '../../programs/document/campaign-document.ts';
import { type LotDates, lotDates } from '../../rules/calendar/lot-dates.ts';
import { decideReferral, type ReferralAward, type ReferralFacts } from '../../rules/earning/referral.ts';
import type { RuleDecision } from '../../rules/shared/rule-decision.ts';
import { pointsEarned } from '../shared/points-earned.ts';
import { readReferralCode, referralCodeOf } from '../shared/referral-code.ts';
import type { Purchase } from './earning-counters.ts';

/** The member whose referral code came with a purchase. The member who makes the purchase is the referee. */
export interface Referrer {
  member: MemberRecord;
  profile: ProfileRecord;
}

/** What was decided on the code that came with a purchase. */
export interface Referral {
  /** The facts that the decision was made from; stored as evidence. */
  facts: ReferralFacts;
  award: ReferralAward | null;
  decision: RuleDecision;
  /** Null where there is no award. */
  referrer: Referrer | null;
}

// An objection and not a rule of `decideReferral`, so that `verify award` agrees with the receipts of purchases of no
// value that were rewarded before there was this reason.
const NO_VALUE = 'A purchase of no value qualifies nobody.';
const BEYOND = 'A balance would exceed 2^53-1 points.';

/**
 * @param referrerId externalCustomerId of the member who has the code, as looked up before the command was submitted
 * @returns null where there is no such member, or where it is the member who buys
 */
export function referrerOf(
  { programId, externalCustomerId }: Pick<PurchaseEarnInput, 'programId' | 'externalCustomerId'>,
  referrerId: string | null,
  state: Pick<State, 'member' | 'profile'>,
): Referrer | null {
  const member = referrerId === null ? null : state.member(referrerId);
  if (!member || referrerId === null || member.externalCustomerId === externalCustomerId) return null;
  const profile = state.profile(programId, referrerId);
  return profile && { member, profile };
}

/**
 * Decides on the referral code that came with a purchase. Pure. Both profiles are locked.
 * @param section the program's referral section; null where it has none
 * @param referee the buyer's profile before the purchase, and the points that the purchase itself earns
 * @param candidate the member who had the code when it was looked up
 * @returns null where the purchase has no code
 */
export function referralOf(
  { amountMinor, context }: Pick<PurchaseEarnInput, 'amountMinor' | 'context'>,
  section: ReferralSection | null,
  referee: { profile: ProfileRecord; points: number },
  candidate: Referrer | null,
): Referral | null {
  const typed = referralCodeOf(context?.attributes);
  if (typed === null) return null;
  const code = readReferralCode(typed);
  const referrer = candidate?.profile.referralCode === code ? candidate : null;
  const { profile, points } = referee;
  const objection =
    profile.referralCode === code
      ? "It is the member's own code."
      : (whyNotRewarded(referrer, profile, section?.referrerPoints ?? 0) ??
        (amountMinor === 0 && section?.minimumAmountMinor === undefined ? NO_VALUE : null) ??
        (wouldOverflow(profile, points + (section?.refereePoints ?? 0)) ? BEYOND : null));
  const facts: ReferralFacts = {
    code: typed,
    objection,
    purchaseCount: profile.purchaseCount,
    amountMinor,
    referralCount: referrer?.profile.referralCount ?? 0,
  };
  const { award, decision } = decideReferral(section, facts);
  return { facts, award, decision, referrer: award && referrer };
}

function whyNotRewarded(referrer: Referrer | null, referee: ProfileRecord, points: number): string | null {
  if (!referrer) return 'Unknown code.';
  const { member, profile } = referrer;
  if (profile.referredBy === referee.memberId) return 'The referrer was referred by this member.';
  if (!isActive(member) || !profile.enrolled) return 'The referrer is no longer in the program.';
  return wouldOverflow(profile, points) ? BEYOND : null;
}

/** What was posted for a referral. */
export interface AwardedReferral {
  /** The hold changes from settling the referee's profile, and then the referrer's. */
  settled: HoldChanges;
  /** Everything that is written, except the referee's book. */
  parts: DecisionPart[];
}

/**
 * Posts a referral's points to both members: the referee's in the book of the purchase, the referrer's in the book of
 * the referrer's profile, which is settled first. Each member gets a transaction with its own lot, under the program's
 * policies.
 * @param referee the member who buys, with the book of the purchase and the hold changes from settling it
 */
export function awardReferral(
  { award, facts, referrer }: Referral,
  { input, occurredAt, picked }: Purchase,
  referee: { member: MemberRecord; book: Book; settled: HoldChanges },
  state: State,
): AwardedReferral {
  if (!award || !referrer) return { settled: referee.settled, parts: [] };
  const { sourceReference = null } = input;
  const header = { eventType: 'referral.awarded', sourceReference, occurredAt } as const;
  const dates = lotDates(picked.version.document, occurredAt, picked.evaluationAt);
  const referrerId = toTypeId('mem', referrer.member.id);
  const refereeId = toTypeId('mem', referee.member.id);
  const isKept = picked.version.document.referral?.onReturn === 'keep';
  const receipt = {
    referral: { code: facts.code, referrerId, refereeId, ...(isKept && { onReturn: 'keep' }) },
  };
  const posting = { header, dates, receipt };

  referee.book.setProfile({ referredBy: referrer.member.id });
  const refereePart = postReferral(referee.book, award.refereePoints, posting);

  const book = new Book(referrer.profile, state, referee.book.now);
  const settled = settleDue(book, referrer.member.externalCustomerId, state, referee.settled);
  book.setProfile({ referralCount: referrer.profile.referralCount + 1, lastActivityAt: book.now });
  const other = postReferral(book, award.referrerPoints, posting);
  const { audits, webhookEvents } = book;
  return { settled, parts: [refereePart, { ...book.changes(), audits, webhookEvents }, other] };
}

/**
 * Posts the points that a referral gives to one of the two members; posts nothing for 0 points.
 * @returns the audit entry and the webhook event
 */
function postReferral(
  book: Book,
  points: number,
  { header, dates, receipt }: { header: EntryHeader; dates: LotDates; receipt: object },
): DecisionPart {
  if (points === 0) return {};
  const entry = book.open(header);
  const lot = issueLot(book, entry, points, dates);
  const transaction = book.close(entry, receipt);
  expireLapsed(book, [lot.id]);
  const { programId } = transaction;
  const transactionId = toTypeId('txn', transaction.id);
  return {
    audits: [
      {
        action: 'referral.awarded',
        targetType: 'transaction',
        targetId: transactionId,
        changes: { programId, points },
      },
    ],
    webhookEvents: pointsEarned(transaction, {
      basePoints: 0,
      campaignPoints: 0,
      activatesAt: lot.activatesAt,
    }),
  };
}
