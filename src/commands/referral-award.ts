import { toTypeId } from '../ids.ts';
import { Book } from '../ledger/book.ts';
import type { Decision } from '../ledger/command.ts';
import type { HoldChanges } from '../ledger/holds.ts';
import type { MemberRecord } from '../ledger/records.ts';
import { expireLapsed, settle } from '../ledger/settle.ts';
import { lotDates } from '../rules/lot-dates.ts';
import type { EvaluatedPurchase } from './purchase-receipt.ts';
import type { Referral, ReferredPurchase } from './referral.ts';

/** What a decision does to another member's page. */
type OtherPage = Pick<Decision, 'inserts' | 'updates' | 'audits' | 'webhookEvents'>;

/** Posts a referral's points to both members. @returns what is written beside the referee's own page, or null */
export function referredDecision(
  purchase: EvaluatedPurchase,
  book: Book,
  settled: HoldChanges,
): OtherPage | null {
  const { referral, member, profile } = purchase;
  if (!referral?.award || !referral.referrer) return null;
  const { referrerPoints, refereePoints } = referral.award;
  const [referrerId, refereeId] = [
    toTypeId('mem', referral.referrer.member.id),
    toTypeId('mem', profile.memberId),
  ];
  const receipt = { referral: { code: referral.facts.code, referrerId, refereeId } };
  book.setProfile({ referredBy: referral.referrer.member.id });
  const own = postReferral(book, purchase, member, refereePoints, receipt);
  const other = rewardReferrer(purchase, referral.referrer, referrerPoints, receipt, settled);
  return {
    ...other,
    audits: [...own.audits, ...other.audits],
    webhookEvents: [...own.webhookEvents, ...other.webhookEvents],
  };
}

/** Lays what a decision does to another member's page beside the rest of it. */
export function joined(decision: Decision, other: OtherPage): Decision {
  const { inserts, updates } = decision;
  const both = <R>(one: readonly R[] = [], more: readonly R[] = []): R[] => [...one, ...more];
  return {
    ...decision,
    inserts: {
      ...inserts,
      transactions: both(inserts.transactions, other.inserts.transactions),
      lots: both(inserts.lots, other.inserts.lots),
      postings: both(inserts.postings, other.inserts.postings),
    },
    updates: {
      ...updates,
      profiles: both(updates.profiles, other.updates.profiles),
      lots: both(updates.lots, other.updates.lots),
      orders: both(updates.orders, other.updates.orders),
    },
    audits: both(decision.audits, other.audits),
    webhookEvents: both(decision.webhookEvents, other.webhookEvents),
  };
}

/**
 * Posts what a referral gives to one of the two: a transaction with a lot of its own, under the program's policies.
 * Nothing for no points.
 */
function postReferral(
  book: Book,
  { input, document, occurredAt, evaluationAt, now }: ReferredPurchase,
  member: MemberRecord,
  points: number,
  receipt: object,
): Pick<Decision, 'audits' | 'webhookEvents'> {
  if (points === 0) return { audits: [], webhookEvents: [] };
  const { programId, sourceReference } = input;
  const entry = book.open({ eventType: 'referral.awarded', sourceReference, occurredAt });
  const dates = lotDates(document, occurredAt, evaluationAt);
  const lot = book.addLot(entry, points, dates);
  const pending = dates.activatesAt !== null && dates.activatesAt > now;
  book.move(entry, lot.id, 'program.issuance', pending ? 'member.pending' : 'member.available', points);
  const { id } = book.close(entry, receipt);
  expireLapsed(book, [lot.id]);
  const transactionId = toTypeId('txn', id);
  return {
    audits: [
      {
        action: 'referral.awarded',
        targetType: 'transaction',
        targetId: transactionId,
        changes: { programId, sourceReference, points },
      },
    ],
    webhookEvents: [
      {
        type: 'points.earned',
        data: {
          transactionId,
          programId,
          memberId: toTypeId('mem', member.id),
          externalCustomerId: member.externalCustomerId,
          sourceReference,
          points,
          basePoints: 0,
          campaignPoints: 0,
          occurredAt: occurredAt.toISOString(),
        },
      },
    ],
  };
}

/** What a referral changes on the referrer's side. */
function rewardReferrer(
  purchase: ReferredPurchase,
  { member, profile }: NonNullable<Referral['referrer']>,
  points: number,
  receipt: object,
  settled: HoldChanges,
): OtherPage {
  const { input, state, now } = purchase;
  const book = new Book(profile, state, now);
  const holding = state.dueHolding(input.programId, member.externalCustomerId);
  if (holding) settle(book, holding, state, settled);
  book.setProfile({ referralCount: profile.referralCount + 1, lastActivityAt: now });
  const { audits, webhookEvents } = postReferral(book, purchase, member, points, receipt);
  return {
    ...book.written(),
    audits: [...book.audits, ...audits],
    webhookEvents: [...book.webhookEvents, ...webhookEvents],
  };
}
