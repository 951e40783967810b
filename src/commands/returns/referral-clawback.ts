import type { ReferralClawback as ReferralReceipt } from '../../contract/generated/types.ts';
import { toTypeId } from '../../ids.ts';
import { Book } from '../../ledger/books/book.ts';
import type { HoldChanges } from '../../ledger/books/holds.ts';
import { settleDue } from '../../ledger/books/settle.ts';
import type { Subject } from '../../ledger/command.ts';
import type { DecisionPart } from '../../ledger/merge-decisions.ts';
import type { ReferralReward, ResourceOwner } from '../../ledger/resource-owner.ts';
import type { State } from '../../ledger/state.ts';
import { type Clawback, pointsClawedBack, type ReturnReferences, takeBack } from './take-back.ts';

/** What a return takes back of the referral that its order had qualified. */
export interface ReferralClawback {
  /** As the receipt shows it; null where the order has no rewards that can be taken back. */
  receipt: ReferralReceipt | null;
  /** Of both members together. */
  total: Clawback;
  /** The hold changes from settling the buyer's profile, and then the referrer's. */
  settled: HoldChanges;
  /** Everything that is written, except the buyer's book. */
  parts: DecisionPart[];
}

/** A return, as far as it concerns the referral of its order. */
interface ReturnedReferral extends ReturnReferences {
  owner: ResourceOwner;
  /** The points that this return makes due of an award of so many points. */
  dueOf(points: number): number;
  /** The buyer's book: the buyer is the referee. */
  book: Book;
  /** The hold changes from settling the buyer's profile. */
  settled: HoldChanges;
  state: State;
}

const nothing: Clawback = { clawedBack: 0, shortfall: 0 };

/** The rows that a return locks and loads for the rewards of its order's referral. */
export function referralSubjects({ programId, externalCustomerId, referral = [] }: ResourceOwner): Subject[] {
  return referral.flatMap((reward): Subject[] => {
    const { transactionId, memberId } = reward;
    const lots: Subject = { kind: 'transactionLots', transactionId, memberId };
    const rewarded = { programId, externalCustomerId: reward.externalCustomerId };
    if (reward.externalCustomerId === externalCustomerId) return [lots];
    return [
      { kind: 'member', externalCustomerId: reward.externalCustomerId },
      { kind: 'profile', ...rewarded },
      { kind: 'due', ...rewarded },
      lots,
    ];
  });
}

/**
 * Takes the points of a referral back from both members, in the same proportion as the points of its purchase: the
 * referee's in the book of the return, the referrer's in a book of the referrer's profile, which is settled first.
 * Where points are taken, the member gets a transaction `order.returned` of its own.
 */
export function clawBackReferral(returned: ReturnedReferral): ReferralClawback {
  const { owner, book, state } = returned;
  const { programId, externalCustomerId, referral = [] } = owner;
  let { settled } = returned;
  const parts: DecisionPart[] = [];
  let [referrer, referee] = [nothing, nothing];
  for (const reward of referral) {
    if (reward.externalCustomerId === externalCustomerId) {
      const clawback = takeReward(returned, reward, book, parts);
      // Where the two have been merged since, both rewards are in the buyer's book: the referee's was posted first.
      if (referee === nothing) referee = clawback;
      else referrer = clawback;
      continue;
    }
    const profile = state.profile(programId, reward.externalCustomerId);
    if (!profile) throw new Error(`a referral rewarded ${reward.externalCustomerId}, who has no profile`);
    const other = new Book(profile, state, book.now);
    settled = settleDue(other, reward.externalCustomerId, state, settled);
    referrer = takeReward(returned, reward, other, parts);
    const { audits, webhookEvents } = other;
    parts.push({ ...other.changes(), audits, webhookEvents });
  }
  const receipt =
    referral.length === 0
      ? null
      : {
          referrerPointsClawedBack: referrer.clawedBack,
          referrerShortfall: referrer.shortfall,
          refereePointsClawedBack: referee.clawedBack,
          refereeShortfall: referee.shortfall,
        };
  const total = {
    clawedBack: referrer.clawedBack + referee.clawedBack,
    shortfall: referrer.shortfall + referee.shortfall,
  };
  return { receipt, total, settled, parts };
}

/** Takes one of the two rewards back, in the book of the member who had it. Adds the audit entry and the
 * event to `parts`. */
function takeReward(
  returned: ReturnedReferral,
  { transactionId }: ReferralReward,
  book: Book,
  parts: DecisionPart[],
): Clawback {
  const { sourceReference, returnReference, dueOf, state } = returned;
  const lotId = state.postingsOf(transactionId)[0]?.lotId;
  if (!lotId) throw new Error(`referral ${transactionId} has no lot`);
  const entry = book.open({ eventType: 'order.returned', sourceReference });
  const clawback = takeBack(book, entry, [lotId], dueOf(book.lot(lotId).granted));
  parts.push({ webhookEvents: pointsClawedBack(book, entry, returned, clawback) });
  if (clawback.clawedBack === 0) return clawback;
  const rewardId = toTypeId('txn', transactionId);
  const { programId, id } = book.close(entry, { referral: { returnReference, rewardId } });
  const changes = { programId, rewardId, points: clawback.clawedBack };
  const target = { targetType: 'transaction', targetId: toTypeId('txn', id) };
  parts.push({ audits: [{ action: 'referral.clawed_back', ...target, changes }] });
  return clawback;
}
