import type { DecisionPart } from '../../ledger/merge-decisions.ts';
import type { ChallengeProgressRecord } from '../../ledger/tables/challenge-progress.ts';
import type { ChoiceGrantRecord } from '../../ledger/tables/choice-grants.ts';
import { keyOf } from '../../ledger/tables/key-of.ts';
import type { LimitCounterRecord } from '../../ledger/tables/limit-counters.ts';
import type { MergeUndo } from '../../ledger/tables/merge-undos.ts';
import { isRefusal, type Refusal, refuse } from '../../refusal.ts';
import { mergeGrants, tierGrants } from '../shared/open-grants.ts';
import { movedGrant } from './merge-engagement.ts';
import type { MergedMembers } from './merge-profiles.ts';

/**
 * Gives the source of a merge back what of limits and challenges it had, and what is left of its choices. Refusal:
 * `merged_engagement_used` where joined progress has gone on, or a choice that was moved was claimed.
 */
export function unmergeEngagement(
  members: MergedMembers,
  undo: MergeUndo,
): DecisionPart | Refusal<'merged_engagement_used'> {
  const { source, target, state } = members;
  const name = target.externalCustomerId;
  const limitCounters = partedCounters(
    undo.counters,
    state.rowsOf('limitCounters', { externalCustomerId: name }),
    target.id,
  );
  if (isRefusal(limitCounters)) return limitCounters;
  const challengeProgress = partedProgress(
    undo,
    state.rowsOf('challengeProgress', { externalCustomerId: name }),
  );
  if (isRefusal(challengeProgress)) return challengeProgress;
  const moved = mergeGrants(state, name).filter(({ id }) => undo.grants.includes(id));
  if (moved.some(({ remaining, choices }) => remaining < choices)) return engagementUsed;
  const open = moved.filter((grant) => grant.state === 'open');
  const milestones = tierGrants(state, name).filter(({ id }) => undo.milestones.includes(id));
  return {
    inserts: { choiceGrants: open.map((grant) => movedGrant(source.id, state, grant)) },
    updates: {
      limitCounters,
      challengeProgress,
      choiceGrants: [
        ...open.map((grant) => ({ ...grant, state: 'expired' as const })),
        ...milestones.map(forgotten),
      ],
    },
  };
}

/**
 * Where the target reaches the tier by its own points, it is granted what it would have been granted without the merge.
 */
function forgotten(grant: ChoiceGrantRecord): ChoiceGrantRecord {
  return { ...grant, grantedBy: `unmerged:${grant.id}` };
}

/** The counters of both members, the target's without what the source had counted. */
function partedCounters(
  rows: readonly LimitCounterRecord[],
  counters: readonly LimitCounterRecord[],
  targetId: string,
): LimitCounterRecord[] | Refusal<'merged_engagement_used'> {
  const keyOfCounter = ({ programId, limitId, periodStart }: LimitCounterRecord): string =>
    keyOf(programId, limitId, periodStart.toISOString());
  const targetPoints = new Map(counters.map((row) => [keyOfCounter(row), row.points]));
  const parted: LimitCounterRecord[] = [];
  for (const row of rows) {
    const remaining = (targetPoints.get(keyOfCounter(row)) ?? 0) - row.points;
    if (remaining < 0) return engagementUsed;
    parted.push(row, { ...row, memberId: targetId, points: remaining });
  }
  return parted;
}

/** The progress of both members as it was before. */
function partedProgress(
  { progress }: MergeUndo,
  rows: readonly ChallengeProgressRecord[],
): ChallengeProgressRecord[] | Refusal<'merged_engagement_used'> {
  const keyOfWindow = ({ programId, challengeId, windowStart }: ChallengeProgressRecord): string =>
    keyOf(programId, challengeId, windowStart.toISOString());
  const targetRows = new Map(rows.map((row) => [keyOfWindow(row), row]));
  const parted: ChallengeProgressRecord[] = [];
  for (const { source, target, left } of progress) {
    // A window that is too old to be loaded is too old to have changed.
    const present = targetRows.get(keyOfWindow(left));
    if (present && !isSame(present, left)) return engagementUsed;
    parted.push(source, target ?? { ...left, reached: 0, completions: 0, streak: null });
  }
  return parted;
}

function isSame(a: ChallengeProgressRecord, b: ChallengeProgressRecord): boolean {
  return (
    a.reached === b.reached &&
    a.completions === b.completions &&
    a.goal === b.goal &&
    JSON.stringify(a.streak) === JSON.stringify(b.streak)
  );
}

/** The refusal where what the two accounts had reached together was used. */
export const engagementUsed = refuse(
  'merged_engagement_used',
  'Challenges, choices or the tier rest on both accounts together by now, so that they ' +
    'cannot be parted. Correct what has to be corrected with adjustments.',
);
