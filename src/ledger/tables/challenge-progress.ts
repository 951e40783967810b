import { arrayLiteral } from '../../db/array-literal.ts';
import { ENVIRONMENT_TIME } from '../../db/environment-time.ts';
import { OF_MEMBERS } from './handling.ts';
import { MEMBER_WANTED, ofMember } from './members.ts';
import type { FormerAccountNeed } from './needs.ts';
import { setTable } from './table.ts';

/** The progress of a member in a challenge: in one window, or in all windows of a streak. */
export interface ChallengeProgressRecord {
  programId: string;
  memberId: string;
  challengeId: string;
  windowStart: Date;
  /** A count of events; a sum, in thousandths; or the windows of a streak that are filled in a row. */
  reached: number;
  completions: number;
  /** The goal that was counted toward (src/rules/challenges.ts); null where it was not recorded. */
  goal: string | null;
  /**
   * What was reached in each window of a streak (src/rules/streaks.ts): in the windows that can still change and those
   * that a run with them can have, so it is bounded. Null for other challenges.
   */
  streak: { first: string; reached: readonly number[] } | null;
}

/**
 * A member's progress in every program: in the lifetime window, and in windows that began within the last 800 days. An
 * event counts for up to 400 days (EVENT_LIFE_DAYS) and the longest window is 366 days, so no older window can change.
 */
export interface ChallengeProgressSubject {
  kind: 'challengeProgress';
  externalCustomerId: string;
}

const ofOneMember = { properties: ['memberId'] } as const;

export const challengeProgress = setTable<
  ChallengeProgressRecord,
  ChallengeProgressSubject | FormerAccountNeed
>({
  name: 'challenge_progress',
  handling: {
    owner: { members: ['member_id'] },
    exported: { ids: { member_id: 'mem' }, order: ['program_id', 'challenge_id', 'window_start'] },
    erasure: 'nothing',
    ...OF_MEMBERS,
  },
  columns: {
    programId: 'text',
    memberId: 'uuid',
    challengeId: 'text',
    windowStart: 'timestamptz',
    reached: 'bigint',
    completions: 'bigint',
    goal: 'text',
    streak: 'json',
  },
  primaryKey: ['memberId', 'programId', 'challengeId', 'windowStart'],
  constant: [],
  knownBy: {
    properties: ['programId', 'memberId', 'challengeId', 'windowStart'],
    constraint: 'challenge_progress_pkey',
  },
  checks: { challenge_progress_reached_check: (row) => row.reached >= 0 && row.completions >= 0 },
  lookUps: [
    {
      name: 'load_challenge_progress',
      keyProperties: { challengeProgress: ['externalCustomerId'] },
      text: (select) => `select ${select('c')}
      from unnest($2::text[]) as wanted(external_customer_id)
      cross join lateral (${MEMBER_WANTED}) m
      cross join lateral (
        select * from challenge_progress
        where environment_id = $1::uuid and member_id = m.id
          and (window_start = timestamptz 'epoch' or window_start > ${ENVIRONMENT_TIME} - interval '800 days')
        offset 0
      ) c`,
      values: (keys: readonly ChallengeProgressSubject[]) => [
        arrayLiteral(keys.map(({ externalCustomerId }) => externalCustomerId)),
      ],
      // In memory: all of it.
      find: (stored, { externalCustomerId }: ChallengeProgressSubject): ChallengeProgressRecord[] =>
        ofMember(stored, challengeProgress, ofOneMember, externalCustomerId),
    },
    {
      name: 'load_former_progress',
      keyProperties: { formerAccount: ['memberId'] },
      text: (select) => `select ${select('c')}
      from unnest($2::uuid[]) as wanted(member_id)
      cross join lateral (
        select * from challenge_progress where environment_id = $1::uuid and member_id = wanted.member_id offset 0
      ) c`,
      values: (keys: readonly FormerAccountNeed[]) => [arrayLiteral(keys.map(({ memberId }) => memberId))],
      find: (stored, { memberId }: FormerAccountNeed): ChallengeProgressRecord[] =>
        stored(challengeProgress).by(ofOneMember, memberId),
    },
  ],
});
