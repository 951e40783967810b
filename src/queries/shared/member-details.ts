import { arrayLiteral } from '../../db/array-literal.ts';
import type { Queryable } from '../../db/pool.ts';
import type { Statement } from '../../db/statement.ts';
import type { ProgramDocument } from '../../programs/document/program-document.ts';
import type { ProgramCatalog } from '../../programs/published/program-catalog.ts';
import { versionAt } from '../../programs/published/published-program.ts';
import { type ChallengeStanding, challengesAt, type WindowProgress } from '../../rules/challenges.ts';
import { memberFactsOf } from '../../rules/conditions/member-facts.ts';
import { type NextTier, nextTierOf, tierUntil } from '../../rules/next-tier.ts';
import {
  BY_EXTERNAL_ID,
  type LotColumns,
  type MemberProfileRow,
  memberViews,
  settledMembersWith,
} from './find-members.ts';
import type { MemberView, NextExpiry, ProfileView } from './member-view.ts';
import { requalified } from './requalified.ts';

/** The most lots, open choices and holds of a profile that are read. */
const MOST_DETAILS = 50;
/** The most instants at which points expire that are read. */
const MOST_EXPIRIES = 12;

/** A lot with points, as of the read. */
export interface LotView {
  id: string;
  transactionId: string;
  granted: number;
  available: number;
  pending: number;
  reserved: number;
  activatesAt: Date | null;
  /** When it lapses if the member does nothing more. */
  expiresAt: Date | null;
  createdAt: Date;
}

/** A hold that has not ended. */
export interface HoldView {
  id: string;
  rewardId: string;
  rewardName: string;
  sourceReference: string;
  points: number;
  reservedAt: Date;
  expiresAt: Date;
}

/** A grant of choices of which some are left. */
export interface ChoiceView {
  id: string;
  choiceSetId: string;
  /** Of the set; its id where the present version does not have it any more. */
  name: string;
  grantedBy: string;
  choices: number;
  remaining: number;
  grantedAt: Date;
  expiresAt: Date | null;
}

/** A profile with what it has and what it is on the way to. */
export interface DetailedProfile extends ProfileView {
  nextTier: NextTier | null;
  tierUntil: Date | null;
  challenges: ChallengeStanding[];
  /** Oldest first. */
  choices: ChoiceView[];
  /** Those that end first, first. */
  holds: HoldView[];
  /** Those that lapse first, first. */
  lots: LotView[];
  /** Whether there are more than `MOST_DETAILS`. */
  hasMoreLots: boolean;
  /** The next instants at which available points lapse. */
  expirations: NextExpiry[];
  /** The present version; null where the member has left the program, and while no version is in effect. */
  document: ProgramDocument | null;
}

export type MemberDetails = Pick<MemberView, 'member'> & { profiles: DetailedProfile[] };

/** A row of JSON: as `json_build_array` writes it. */
type Row<Values extends unknown[]> = Values;
type LotRow = Row<[string, string, number, number, number, number, string | null, string | null, string]>;
type HoldRow = Row<[string, string, string, string, number, string, string]>;
type ChoiceRow = Row<[string, string, string, number, number, string, string | null]>;
type ProgressRow = Row<[string, string, number, number, string | null, WindowProgress['streak']]>;

interface DetailColumns {
  now: Date;
  /** Of the environment's programs. */
  revision: number;
  lots: LotRow[];
  expirations: Row<[string, number]>[];
  holds: HoldRow[];
  choices: ChoiceRow[];
  progress: ProgressRow[];
}

const LOTS: LotColumns = {
  ofLot:
    'l.id, l.transaction_id, l.granted, l.reserved - held.amount as reserved, l.activates_at, l.created_at, ',
  also: ' or l.reserved > 0',
  columns: `,
          (select at from present) as now,
          (select coalesce(json_agg(json_build_array(id, transaction_id, granted, available, pending, reserved, activates_at,
              lapses_at, created_at) order by coalesce(lapses_at, 'infinity'), id), '[]')
            from (
              select shown.* from present cross join lateral (
                select id, transaction_id, granted, pending, reserved, activates_at, lapses_at, created_at,
                  case when lapses_at <= present.at then 0 else available end as available
                from lot
              ) shown
              where available > 0 or pending > 0 or reserved > 0
              order by coalesce(lapses_at, 'infinity'), id
              limit ${MOST_DETAILS + 1}
            ) as first) as lots,
          (select coalesce(json_agg(json_build_array(at, points) order by at), '[]')
            from (
              select lapses_at as at, sum(available)::bigint as points from live
              where lapses_at is not null
              group by lapses_at
              order by lapses_at
              limit ${MOST_EXPIRIES}
            ) as soonest) as expirations`,
};

// Of windows, the newest that has begun: the present one is among them. Grants are looked up by member alone, so that
// the planner uses that index.
const FIND_DETAILS = settledMembersWith(
  {
    ...BY_EXTERNAL_ID,
    columns: `, e.now, e.lots, e.expirations,
        (select revision from environments where id = $1::uuid) as revision,
        (
          select coalesce(json_agg(json_build_array(id, reward_id, terms ->> 'rewardName', source_reference, points, reserved_at,
            expires_at) order by expires_at, id), '[]')
          from (
            select * from redemption_reservations r
            where r.environment_id = $1::uuid and r.member_id = p.member_id and r.program_id = p.program_id
              and r.state = 'reserved' and r.expires_at > e.now
            order by expires_at, id
            limit ${MOST_DETAILS}
          ) hold
        ) as holds,
        (
          select coalesce(json_agg(json_build_array(id, choice_set_id, granted_by, choices, remaining, granted_at, expires_at)
            order by granted_at, id), '[]')
          from (
            select g.* from (
              select * from choice_grants where environment_id = $1::uuid and member_id = m.id offset 0
            ) g
            where g.program_id = p.program_id and g.state = 'open' and coalesce(g.expires_at > e.now, true)
            order by granted_at, id
            limit ${MOST_DETAILS}
          ) choice
        ) as choices,
        (
          select coalesce(json_agg(json_build_array(challenge_id, window_start, reached, completions, goal, streak)), '[]')
          from (
            select distinct on (c.challenge_id, c.window_start = timestamptz 'epoch') c.*
            from challenge_progress c
            where c.environment_id = $1::uuid and c.member_id = p.member_id and c.program_id = p.program_id
              and c.window_start <= e.now
            order by c.challenge_id, c.window_start = timestamptz 'epoch', c.window_start desc
          ) newest
        ) as progress`,
  },
  LOTS,
);

/** A member with the details of its profiles, with what is due by now counted as posted. */
export function findMemberDetails(environmentId: string, externalCustomerId: string): Statement {
  return {
    name: 'find_member_details',
    text: FIND_DETAILS,
    values: [environmentId, arrayLiteral([externalCustomerId])],
  };
}

/**
 * Reads a member with what its profiles have and are on the way to, in one statement and so at one instant. Balances,
 * lots and tiers are those of that instant, even where what time has done is not posted yet.
 * @returns null where the environment has no such member
 */
export async function readMemberDetails(
  connections: Queryable,
  catalog: ProgramCatalog,
  environmentId: string,
  externalCustomerId: string,
): Promise<MemberDetails | null> {
  const statement = findMemberDetails(environmentId, externalCustomerId);
  const { rows } = await connections.query<MemberProfileRow & DetailColumns>(statement);
  const [first] = rows;
  const view = memberViews(rows).get(1);
  if (!first || !view) return null;
  const at = first.now;
  const programs = await catalog.programsOf(connections, environmentId, first.revision);
  const { member, profiles } = requalified(view, { programs, at });
  return {
    member,
    profiles: profiles.map((profile, index) => {
      const program = profile.enrolled ? programs.get(profile.programId) : undefined;
      const version = program && versionAt(program, at);
      const row = rows[index] ?? first;
      return { ...profile, ...progressOf(member, profile, version?.document ?? null, row), ...held(row) };
    }),
  };
}

/** What follows from the program's document. */
function progressOf(
  member: MemberView['member'],
  profile: ProfileView,
  document: ProgramDocument | null,
  { now, choices, progress }: DetailColumns,
): Pick<DetailedProfile, 'nextTier' | 'tierUntil' | 'challenges' | 'choices' | 'document'> {
  const nameOf = (setId: string): string =>
    document?.choiceSets?.find(({ id }) => id === setId)?.name ?? setId;
  const windows = progress.map(([challengeId, windowStart, reached, completions, goal, streak]) => ({
    challengeId,
    windowStart: new Date(windowStart),
    ...{ reached, completions, goal, streak },
  }));
  return {
    document,
    nextTier: document && nextTierOf(document, profile),
    tierUntil: document && tierUntil(document, profile),
    challenges: document
      ? challengesAt(
          document,
          { profile, member: memberFactsOf(profile, member) },
          (id) => windows.filter(({ challengeId }) => challengeId === id),
          now,
        )
      : [],
    choices: choices.map(([id, choiceSetId, grantedBy, all, remaining, grantedAt, expiresAt]) => ({
      ...{ id, choiceSetId, name: nameOf(choiceSetId), grantedBy, choices: all, remaining },
      grantedAt: new Date(grantedAt),
      expiresAt: expiresAt === null ? null : new Date(expiresAt),
    })),
  };
}

/** The points of a profile, by lot and by hold. */
function held({
  lots,
  holds,
  expirations,
}: DetailColumns): Pick<DetailedProfile, 'lots' | 'hasMoreLots' | 'holds' | 'expirations'> {
  const dateOf = (text: string | null): Date | null => (text === null ? null : new Date(text));
  return {
    lots: lots
      .slice(0, MOST_DETAILS)
      .map(
        ([id, transactionId, granted, available, pending, reserved, activatesAt, expiresAt, createdAt]) => ({
          ...{ id, transactionId, granted, available, pending, reserved },
          activatesAt: dateOf(activatesAt),
          expiresAt: dateOf(expiresAt),
          createdAt: new Date(createdAt),
        }),
      ),
    hasMoreLots: lots.length > MOST_DETAILS,
    holds: holds.map(([id, rewardId, rewardName, sourceReference, points, reservedAt, expiresAt]) => ({
      ...{ id, rewardId, rewardName, sourceReference, points },
      reservedAt: new Date(reservedAt),
      expiresAt: new Date(expiresAt),
    })),
    expirations: expirations.map(([at, points]) => ({ at: new Date(at), points })),
  };
}
