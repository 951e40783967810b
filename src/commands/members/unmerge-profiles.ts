import { Book } from '../../ledger/books/book.ts';
import { noHoldChanges } from '../../ledger/books/holds.ts';
import type { DecisionPart } from '../../ledger/merge-decisions.ts';
import type { LotRecord } from '../../ledger/tables/lot-rows.ts';
import type { ProgramUndo } from '../../ledger/tables/merge-undos.ts';
import type { ProfileRecord } from '../../ledger/tables/program-profiles.ts';
import { type Refusal, refuse } from '../../refusal.ts';
import { separatedStanding, standingAt } from '../../rules/standing.ts';
import { bookedParts } from '../shared/booked-decision.ts';
import { tierChange } from '../shared/tier-change.ts';
import {
  documentOf,
  later,
  type MergedMembers,
  settledBook,
  standingOf,
  transfer,
} from './merge-profiles.ts';
import { engagementUsed } from './unmerge-engagement.ts';

/** What an unmerge gives back in one program. */
export interface UnmergedProfile {
  programId: string;
  /** Available and pending points. */
  points: number;
  lots: number;
  parts: DecisionPart[];
}

/** The merge of two profiles that is undone. */
interface Unmerging {
  undo: ProgramUndo;
  /** UUIDs of the source and of the members merged into it. */
  moved: readonly string[];
  mergedAt: Date;
}

/** The refusal where something of what was moved was used. */
export const pointsUsed = refuse(
  'merged_points_used',
  'Points of the merged account have been spent, held, returned, adjusted or have lapsed since, so that it cannot ' +
    'be given back as it was. Release what is held, or correct both accounts with adjustments.',
);

/**
 * Gives the source's profile in one program back: every lot goes back into the one that it was, and the standing and
 * history are those of before. The target keeps what came since. Refusals: `merged_points_used`,
 * `merged_engagement_used`.
 */
export function unmergeProfile(
  { source, target, state, now }: MergedMembers,
  unmerging: Unmerging,
): UnmergedProfile | Refusal<'merged_engagement_used' | 'merged_points_used'> {
  const { undo, moved, mergedAt } = unmerging;
  const { programId } = undo.source;
  const profile = state.profile(programId, target.externalCustomerId);
  const former = state.profileOf({ programId, memberId: source.id });
  if (!profile || !former) throw new Error(`a profile in ${programId} is gone that was merged`);
  const { book: giver, settled } = settledBook(profile, target, state, now);
  const lotIds = undo.lots.map(({ to }) => to);
  const lotIdSet = new Set(lotIds);
  const others = moved
    .flatMap((memberId) => state.lotsMovedFrom(programId, target.id, memberId))
    .filter(({ id }) => !lotIdSet.has(id));
  if (isUsed(giver, undo) || others.some(({ id }) => hasAnything(giver.lot(id)))) return pointsUsed;
  const document = documentOf(state, programId, now);
  const before = giver.profile;
  const standing = separatedStanding(
    document,
    standingOf(before),
    {
      target: undo.target && standingOf(undo.target),
      source: standingAt(document, standingOf(undo.source), mergedAt),
      afterMerge: standingOf(undo.left),
    },
    now,
  );
  if (!standing) return engagementUsed;
  const receiver = new Book(former, state, now);
  receiver.setProfile(restored(undo.source, before));
  const points = transfer('member.unmerged', giver, receiver, lotIds, source);
  giver.setProfile({ ...standing, ...historyWithout(before, undo, mergedAt) });
  return {
    programId,
    points,
    lots: lotIds.length,
    parts: [
      ...bookedParts(receiver, noHoldChanges),
      ...bookedParts(giver, settled),
      tierChange(before, standing),
    ],
  };
}

/** Whether a lot that was moved is not what it was, except for points that have become available. */
function isUsed(giver: Book, { lots }: ProgramUndo): boolean {
  return lots.some(({ to, points, claimed, lent }) => {
    const lot = giver.lot(to);
    const isUntouched = lot.reserved === 0 && lot.available + lot.pending === points;
    return !isUntouched || lot.claimed !== claimed || lot.lent !== lent;
  });
}

function hasAnything({ available, pending, reserved, claimed, lent }: LotRecord): boolean {
  return available + pending + reserved + claimed > 0 || lent !== 0;
}

/**
 * The source's profile as it was. What the joined account did counts as its activity, so that no lot expires at once.
 */
function restored(source: ProgramUndo['source'], { lastActivityAt }: ProfileRecord) {
  return {
    enrolled: source.enrolled,
    unenrolledAt: source.unenrolledAt,
    ...standingOf(source),
    purchaseCount: source.purchaseCount,
    purchaseAmountMinor: source.purchaseAmountMinor,
    firstPurchaseAt: source.firstPurchaseAt,
    lastPurchaseAt: source.lastPurchaseAt,
    referralCount: source.referralCount,
    lastActivityAt: later(source.lastActivityAt, lastActivityAt),
  } satisfies Partial<ProfileRecord>;
}

/** The target's history without the source's. */
function historyWithout(
  profile: ProfileRecord,
  { source, target, left }: ProgramUndo,
  mergedAt: Date,
): Partial<ProfileRecord> {
  const purchaseCount = profile.purchaseCount - source.purchaseCount;
  // The merge has kept the earlier of the two first purchases, and the later of the two last ones. Where it is that one
  // still, it was the target's own or the source's; a first one of the target's own since is not known, and is dated
  // then.
  const timeWithout = (name: 'firstPurchaseAt' | 'lastPurchaseAt'): Date | null => {
    if (purchaseCount === 0) return null;
    const same = profile[name]?.getTime() === left[name]?.getTime();
    return same ? (target?.[name] ?? mergedAt) : profile[name];
  };
  return {
    purchaseCount,
    purchaseAmountMinor: profile.purchaseAmountMinor - source.purchaseAmountMinor,
    firstPurchaseAt: timeWithout('firstPurchaseAt'),
    lastPurchaseAt: timeWithout('lastPurchaseAt'),
    referralCount: profile.referralCount - source.referralCount,
  };
}
