import { arrayLiteral } from '../../db/array-literal.ts';
import { MEMBER_WANTED, ofMember } from './members.ts';
import { setTable } from './table.ts';

/** How far a member is in a challenge, in one window. */
export interface ChallengeProgressRecord {
  programId: string;
  memberId: string;
  challengeId: string;
  windowStart: Date;
  /** Count; or sum, in thousandths. */
  reached: number;
  completions: number;
  /** What it was counted toward (src/rules/challenges.ts); null where that was not noted. */
  goal: string | null;
}

/**
 * A member's progress in every program: of the lifetime, and in windows that events of the last 400 days may count in,
 * of which the longest is of 366 days.
 */
export interface ChallengeProgressSubject {
  kind: 'challengeProgress';
  externalCustomerId: string;
}

const ofOneMember = { properties: ['memberId'] } as const;

export const challengeProgress = setTable<ChallengeProgressRecord, ChallengeProgressSubject>({
  name: 'challenge_progress',
  columns: {
    programId: 'text',
    memberId: 'uuid',
    challengeId: 'text',
    windowStart: 'timestamptz',
    reached: 'bigint',
    completions: 'bigint',
    goal: 'text',
  },
  primaryKey: ['memberId', 'programId', 'challengeId', 'windowStart'],
  knownBy: {
    properties: ['programId', 'memberId', 'challengeId', 'windowStart'],
    constraint: 'challenge_progress_pkey',
  },
  checks: { challenge_progress_reached_check: (row) => row.reached >= 0 && row.completions >= 0 },
  lookUps: [
    {
      name: 'load_challenge_progress',
      wantedBy: { challengeProgress: ['externalCustomerId'] },
      text: (select) => `select ${select('c')}
      from unnest($2::text[]) as wanted(external_customer_id)
      cross join lateral (${MEMBER_WANTED}) m
      cross join lateral (
        select * from challenge_progress
        where environment_id = $1::uuid and member_id = m.id
          and (window_start = timestamptz 'epoch' or window_start > clock_timestamp() - interval '800 days')
        offset 0
      ) c`,
      values: (wanted) => [arrayLiteral(wanted.map(({ externalCustomerId }) => externalCustomerId))],
      // All of it.
      find: (stored, { externalCustomerId }): ChallengeProgressRecord[] =>
        ofMember(stored, challengeProgress, ofOneMember, externalCustomerId),
    },
  ],
});
