import { arrayLiteral } from '../../db/array-literal.ts';
import { MEMBER_WANTED, members } from './members.ts';
import { updatedTable } from './table.ts';

export interface ProfileRecord {
  memberId: string;
  programId: string;
  enrolled: boolean;
  tier: string;
  qualificationPoints: number;
  /**
   * Start of the year that qualificationPoints are counted in; where the window is rolling, the UTC day of enrollment
   * or of the last fall; null where the window is the lifetime.
   */
  qualificationSince: Date | null;
  /** qualificationPoints by UTC day (`2026-03-15`), ascending, where the window is rolling; null elsewhere. */
  qualificationDays: Readonly<Record<string, number>> | null;
  /** When points next leave the window, or the tier may fall next; null where nothing is to come. */
  requalifyAt: Date | null;
  available: number;
  pending: number;
  reserved: number;
  enrolledAt: Date;
  unenrolledAt: Date | null;
  /**
   * The first instant at which points may change by themselves: an activation, an expiry, the end of a hold. Never later
   * than the true one; null where nothing is to come.
   */
  nextDueAt: Date | null;
  /** The last time that the member earned or redeemed: points under an inactivity policy live on from here. */
  lastActivityAt: Date | null;
  /** Purchases in the program, and their amounts in minor currency units. */
  purchaseCount: number;
  purchaseAmountMinor: number;
  firstPurchaseAt: Date | null;
  lastPurchaseAt: Date | null;
  /** The member's own; null where the program had no referral when the member enrolled. */
  referralCode: string | null;
  /** Id of the member who referred this one, once a purchase has paid for it. */
  referredBy: string | null;
  /** Members that this one was rewarded for. */
  referralCount: number;
}

/** Profiles, locked: one, or every one of a member. With `member`. */
export type ProfileSubject =
  | { kind: 'profile'; programId: string; externalCustomerId: string }
  /** Each comes with what `due` brings along. */
  | { kind: 'profiles'; externalCustomerId: string };

const ofOneMember = { properties: ['memberId'] } as const;

export const profiles = updatedTable<ProfileRecord, ProfileSubject>({
  name: 'program_profiles',
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
  },
  primaryKey: ['memberId', 'programId'],
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
  },
  lookUps: [
    {
      name: 'lock_profiles',
      wantedBy: { profile: ['programId', 'externalCustomerId'], profiles: ['externalCustomerId'] },
      locks: true,
      // In the order of their keys; of a member who is named without a program, every one.
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
        select * from program_profiles
        where environment_id = $1::uuid and member_id = key.member_id and program_id = key.program_id
        limit 1
        for update
      ) p`,
      values: (wanted) => [
        arrayLiteral(wanted.map((one) => (one.kind === 'profile' ? one.programId : null))),
        arrayLiteral(wanted.map((one) => one.externalCustomerId)),
      ],
      find(stored, wanted): ProfileRecord[] {
        const member = stored(members).get(wanted.externalCustomerId);
        if (!member) return [];
        const ofMember = stored(profiles).by(ofOneMember, member.id);
        if (wanted.kind === 'profiles') return ofMember;
        return ofMember.filter(({ programId }) => programId === wanted.programId);
      },
    },
  ],
});
