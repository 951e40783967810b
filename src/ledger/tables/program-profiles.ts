import { arrayLiteral } from '../../db/array-literal.ts';
import { OF_MEMBERS } from './handling.ts';
import { MEMBER_WANTED, type MemberSubject, targetOf } from './members.ts';
import type { FormerAccountNeed } from './needs.ts';
import { updatedTable } from './table.ts';

export interface ProfileRecord {
  memberId: string;
  programId: string;
  enrolled: boolean;
  tier: string;
  qualificationPoints: number;
  /**
   * Start of the year that qualificationPoints are counted in. With a rolling window, the UTC day of enrollment or of
   * the last fall to a lower tier. Null where the window is the lifetime.
   */
  qualificationSince: Date | null;
  /** With a rolling window, qualificationPoints by UTC day (`2026-03-15`), ascending; otherwise null. */
  qualificationDays: Readonly<Record<string, number>> | null;
  /** When qualification points next leave the window or the tier may next fall; null for never. */
  requalifyAt: Date | null;
  available: number;
  pending: number;
  reserved: number;
  enrolledAt: Date;
  unenrolledAt: Date | null;
  /**
   * The next instant at which time changes the points: an activation, an expiry, the end of a hold. It may be earlier
   * than the true instant and is never later. Null where no change is to come.
   */
  nextDueAt: Date | null;
  /** When the member last earned or redeemed. The days of an inactivity policy count from here. */
  lastActivityAt: Date | null;
  /** Purchases in the program. */
  purchaseCount: number;
  /** Their amounts less what was returned, in minor currency units. */
  purchaseAmountMinor: number;
  firstPurchaseAt: Date | null;
  lastPurchaseAt: Date | null;
  /** The member's own code; null where the program had no referral when the member enrolled. */
  referralCode: string | null;
  /** UUID of the member who referred this one; set by the purchase that rewards both. */
  referredBy: string | null;
  /** The number of members that this one was rewarded for referring. */
  referralCount: number;
  /** Counts the writes of the profile, from 1. `WorkingSet.apply` raises it, and nothing else does. */
  version: number;
}

/** Profiles, locked: one of a member, or all of them. With `member`. */
export type ProfileSubject =
  | { kind: 'profile'; programId: string; externalCustomerId: string }
  /** Each profile is loaded as by a `due` subject. */
  | { kind: 'profiles'; externalCustomerId: string };

type NamedProfiles = ProfileSubject | Extract<MemberSubject, { kind: 'changedMember' }>;

const ofOneMember = { properties: ['memberId'] } as const;

export const profiles = updatedTable<ProfileRecord, NamedProfiles | FormerAccountNeed>({
  name: 'program_profiles',
  handling: {
    owner: { members: ['member_id'] },
    exported: { ids: { member_id: 'mem', referred_by: 'mem' }, order: ['program_id'] },
    erasure: 'own_step',
    ...OF_MEMBERS,
  },
  columns: {
    memberId: 'uuid',
    programId: 'text',
    enrolled: 'boolean',
    tier: 'text',
    qualificationPoints: 'bigint',
    qualificationSince: 'timestamptz',
    qualificationDays: 'json',
    requalifyAt: 'timestamptz',
    available: 'bigint',
    pending: 'bigint',
    reserved: 'bigint',
    enrolledAt: 'timestamptz',
    unenrolledAt: 'timestamptz',
    nextDueAt: 'timestamptz',
    lastActivityAt: 'timestamptz',
    purchaseCount: 'bigint',
    purchaseAmountMinor: 'bigint',
    firstPurchaseAt: 'timestamptz',
    lastPurchaseAt: 'timestamptz',
    referralCode: 'text',
    referredBy: 'uuid',
    referralCount: 'bigint',
    version: 'bigint',
  },
  primaryKey: ['memberId', 'programId'],
  constant: [],
  // Of redemptions, and of purchases.
  inPlace: [
    ['available', 'pending', 'reserved', 'nextDueAt', 'lastActivityAt', 'version'],
    [
      ...([
        'qualificationPoints',
        'qualificationSince',
        'available',
        'pending',
        'nextDueAt',
        'lastActivityAt',
      ] as const),
      ...(['purchaseCount', 'purchaseAmountMinor', 'firstPurchaseAt', 'lastPurchaseAt', 'version'] as const),
    ],
  ],
  knownBy: { properties: ['programId', 'memberId'], constraint: 'program_profiles_pkey' },
  unique: [{ properties: ['programId', 'referralCode'], constraint: 'program_profiles_referral_code' }],
  checks: {
    program_profiles_balances_check: (row) =>
      Math.min(row.available, row.pending, row.reserved) >= 0 &&
      Math.max(row.available, row.pending, row.reserved) <= Number.MAX_SAFE_INTEGER,
    points_only_while_enrolled: (row) =>
      row.enrolled || (row.available === 0 && row.pending === 0 && row.reserved === 0),
    program_profiles_qualification_points_check: (row) => row.qualificationPoints >= 0,
    program_profiles_enrolled_check: (row) => row.enrolled === (row.unenrolledAt === null),
    program_profiles_counts_check: (row) => row.purchaseCount >= 0 && row.referralCount >= 0,
    program_profiles_purchase_amount_check: (row) =>
      row.purchaseAmountMinor >= 0 && row.purchaseAmountMinor <= Number.MAX_SAFE_INTEGER,
  },
  references: [
    {
      to: 'program_profiles',
      constraint: 'program_profiles_referred_by_fkey',
      properties: { programId: 'programId', memberId: 'referredBy' },
    },
  ],
  lookUps: [
    {
      name: 'lock_profiles',
      keyProperties: {
        profile: ['programId', 'externalCustomerId'],
        profiles: ['externalCustomerId'],
        changedMember: ['externalCustomerId'],
      },
      locks: true,
      givesCtids: true,
      // Locked in the order of their keys. A subject without a program stands for every profile of the member.
      text: (select) => `select ${select('p')}
      from (
        select distinct m.id as member_id, named.program_id
        from unnest($2::text[], $3::text[]) as wanted(program_id, external_customer_id)
        cross join lateral (${MEMBER_WANTED}) m
        cross join lateral (
          select wanted.program_id where wanted.program_id is not null
          union all
          select program_id from program_profiles
          where wanted.program_id is null and environment_id = $1::uuid and member_id = m.id
        ) named
        order by 1, 2
      ) key
      cross join lateral (
        select ctid, * from program_profiles
        where environment_id = $1::uuid and member_id = key.member_id and program_id = key.program_id
        limit 1
        for update
      ) p`,
      values: (keys: readonly NamedProfiles[]) => [
        arrayLiteral(keys.map((one) => (one.kind === 'profile' ? one.programId : null))),
        arrayLiteral(keys.map((one) => one.externalCustomerId)),
      ],
      find(stored, key: NamedProfiles): ProfileRecord[] {
        const member = targetOf(stored, key.externalCustomerId);
        if (!member) return [];
        const ofMember = stored(profiles).by(ofOneMember, member.id);
        if (key.kind !== 'profile') return ofMember;
        return ofMember.filter(({ programId }) => programId === key.programId);
      },
    },
    {
      // Of a merged member: nobody writes them but a merge or an unmerge, which runs alone.
      name: 'load_former_profiles',
      keyProperties: { formerAccount: ['memberId'] },
      text: (select) => `select ${select('p')}
      from unnest($2::uuid[]) as wanted(member_id)
      cross join lateral (
        select * from program_profiles where environment_id = $1::uuid and member_id = wanted.member_id offset 0
      ) p`,
      values: (keys: readonly FormerAccountNeed[]) => [arrayLiteral(keys.map(({ memberId }) => memberId))],
      find: (stored, { memberId }: FormerAccountNeed): ProfileRecord[] =>
        stored(profiles).by(ofOneMember, memberId),
    },
  ],
});
