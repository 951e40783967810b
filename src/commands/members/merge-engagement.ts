import type { DecisionPart } from '../../ledger/merge-decisions.ts';
import type { State } from '../../ledger/state.ts';
import type { ChallengeProgressRecord } from '../../ledger/tables/challenge-progress.ts';
import type { ChoiceGrantRecord } from '../../ledger/tables/choice-grants.ts';
import { keyOf } from '../../ledger/tables/key-of.ts';
import type { LimitCounterRecord } from '../../ledger/tables/limit-counters.ts';
import type { MergeUndo, ProgressUndo } from '../../ledger/tables/merge-undos.ts';
import { openGrants, tierGrants } from '../shared/open-grants.ts';
import type { MergedMembers } from './merge-profiles.ts';

/** What is written of limits, challenges, choices and quotes, and what an unmerge needs of it. */
export interface MergedEngagement {
  part: DecisionPart;
  undo: Pick<MergeUndo, 'counters' | 'progress' | 'grants' | 'milestones'>;
}

/**
 * What of limits, challenges, choices and quotes goes over to the target of a merge: one person has one limit, one
 * progress and one grant of each milestone. The source's counters go to 0, so that no purchase counts twice.
 */
export function mergeEngagement(members: MergedMembers): MergedEngagement {
  const { source, target, state } = members;
  const [from, to] = [source.externalCustomerId, target.externalCustomerId];
  const grants = openGrants(state, from);
  const moved = grants.map((grant) => movedGrant(target.id, state, grant));
  const milestones = knownMilestones(members);
  const counters = state
    .rowsOf('limitCounters', { externalCustomerId: from })
    .filter(({ points }) => points > 0);
  const progress = joinedProgress(
    target.id,
    state.rowsOf('challengeProgress', { externalCustomerId: from }),
    state.rowsOf('challengeProgress', { externalCustomerId: to }),
  );
  const part: DecisionPart = {
    inserts: { choiceGrants: [...milestones, ...moved] },
    updates: {
      limitCounters: joinedCounters(
        target.id,
        counters,
        state.rowsOf('limitCounters', { externalCustomerId: to }),
      ),
      challengeProgress: progress.flatMap(({ source: row, left }) => [
        left,
        { ...row, reached: 0, completions: 0, streak: null },
      ]),
      choiceGrants: grants.map((grant) => ({ ...grant, state: 'expired' as const })),
      quotes: state
        .profilesOf(from)
        .flatMap(({ programId }) => state.openQuotes(programId, from))
        .map((quote) => ({
          ...quote,
          state: quote.expiresAt <= members.now ? ('expired' as const) : ('cancelled' as const),
        })),
    },
  };
  const idOf = ({ id }: ChoiceGrantRecord): string => id;
  return {
    part,
    undo: { counters, progress, grants: moved.map(idOf), milestones: milestones.map(idOf) },
  };
}

/** The counters of both members, and the source's with nothing counted. */
function joinedCounters(
  memberId: string,
  from: readonly LimitCounterRecord[],
  to: readonly LimitCounterRecord[],
): LimitCounterRecord[] {
  const keyOfCounter = ({ programId, limitId, periodStart }: LimitCounterRecord): string =>
    keyOf(programId, limitId, periodStart.toISOString());
  const targetPoints = new Map(to.map((row) => [keyOfCounter(row), row.points]));
  return from.flatMap((row) => [
    { ...row, memberId, points: row.points + (targetPoints.get(keyOfCounter(row)) ?? 0) },
    { ...row, points: 0 },
  ]);
}

/**
 * The progress of both members, window by window. Toward the same goal it adds up; of two streaks the further one goes
 * on, because a run has to be one member's. Toward different goals only completions are kept, as where a goal is
 * changed. Completions add up in any case.
 */
function joinedProgress(
  memberId: string,
  from: readonly ChallengeProgressRecord[],
  to: readonly ChallengeProgressRecord[],
): ProgressUndo[] {
  const keyOfWindow = ({ programId, challengeId, windowStart }: ChallengeProgressRecord): string =>
    keyOf(programId, challengeId, windowStart.toISOString());
  const targetRows = new Map(to.map((row) => [keyOfWindow(row), row]));
  return from
    .filter(({ reached, completions }) => reached + completions > 0)
    .map((source) => {
      const target = targetRows.get(keyOfWindow(source)) ?? null;
      return { source, target, left: { ...(target ? joinedWindow(target, source) : source), memberId } };
    });
}

/** A goal that no challenge has: the next event counts on from the completions. */
const OTHER_GOAL = 'of merged members';

function joinedWindow(
  target: ChallengeProgressRecord,
  source: ChallengeProgressRecord,
): ChallengeProgressRecord {
  const completions = target.completions + source.completions;
  if (target.goal !== source.goal)
    return { ...target, reached: 0, completions, goal: OTHER_GOAL, streak: null };
  if (target.streak) return { ...(source.reached > target.reached ? source : target), completions };
  const reached = Math.min(target.reached + source.reached, Number.MAX_SAFE_INTEGER);
  return { ...target, reached, completions };
}

/** A grant with the choices that are left of it, for another member. @param memberId UUID */
export function movedGrant(
  memberId: string,
  state: Pick<State, 'newId'>,
  grant: ChoiceGrantRecord,
): ChoiceGrantRecord {
  const { remaining } = grant;
  return { ...grant, id: state.newId(), memberId, grantedBy: `merge:${grant.id}`, choices: remaining };
}

/**
 * The tiers whose choices the source was granted, as grants of which nothing is open: where the target reaches such a
 * tier later, it grants nothing more.
 */
function knownMilestones({ source, target, state }: MergedMembers): ChoiceGrantRecord[] {
  return tierGrants(state, source.externalCustomerId).map((grant) => ({
    ...grant,
    id: state.newId(),
    memberId: target.id,
    remaining: grant.choices,
    state: 'expired',
  }));
}
