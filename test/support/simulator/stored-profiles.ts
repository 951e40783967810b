import type { Pool } from 'pg';
import { nameOf } from '../../../simulator/model/model.ts';
import type { ModelLot } from '../../../simulator/model/points.ts';
import type { ModelProfile } from '../../../simulator/model/profile.ts';
import { toTypeId } from '../../../src/ids.ts';

/**
 * A profile with the fields that are stored in the database; those that only the model has are left out. Each lot names
 * its order: of two purchases of one millisecond and of equal points, it alone shows which of them came first.
 */
export type StoredProfile = Omit<ModelProfile, 'holds' | 'quotes' | 'referredBy'> & {
  referred: boolean;
};

interface ProfileRow {
  name: string;
  enrolled: boolean;
  tier: string;
  points: number;
  since: Date | null;
  days: Record<string, number> | null;
  active: Date | null;
  purchases: number;
  spent: number;
  code: string | null;
  referred: boolean;
  referrals: number;
}

interface LotRow {
  name: string;
  source_reference: string | null;
  granted: number;
  pending: number;
  available: number;
  reserved: number;
  claimed: number;
  lent: number;
  activates_at: Date | null;
  expires_at: Date | null;
  inactivity_days: number | null;
  noticed: boolean;
}

const NAME = `p.program_id || ' ' || m.external_customer_id as name`;
const MEMBER = 'join members m on m.environment_id = p.environment_id and m.id = p.member_id';

/** Every profile of an environment with its lots, by the model's names. */
export async function storedProfiles(pool: Pool, environmentId: string): Promise<Map<string, StoredProfile>> {
  const profiles = await pool.query<ProfileRow>(
    `select ${NAME}, enrolled, tier, qualification_points as points, qualification_since as since,
       qualification_days as days, last_activity_at as active, purchase_count as purchases,
       purchase_amount_minor as spent, referral_code as code, referred_by is not null as referred,
       referral_count as referrals
     from program_profiles p ${MEMBER} where p.environment_id = $1`,
    [environmentId],
  );
  const lots = await pool.query<LotRow>(
    `select ${NAME}, o.source_reference, p.granted, p.pending, p.available, p.reserved, p.claimed, p.lent, p.activates_at,
       p.expires_at, p.inactivity_days, n.lot_id is not null as noticed
     from lots p ${MEMBER}
     left join expiry_notices n on n.environment_id = p.environment_id and n.lot_id = p.id
     left join orders o on o.environment_id = p.environment_id and o.transaction_id = p.transaction_id
     where p.environment_id = $1 order by p.id`,
    [environmentId],
  );
  const lotsOf = Map.groupBy(lots.rows, (row) => row.name);
  return new Map(
    profiles.rows.map(({ name, enrolled, tier, points, since, days, active, ...row }) => [
      name,
      {
        enrolled,
        tier,
        qualificationPoints: points,
        countedSince: since?.getTime() ?? null,
        earned:
          days && Object.entries(days).map(([day, earned]) => ({ day: Date.parse(day), points: earned })),
        lastActivityAt: active?.getTime() ?? null,
        purchases: row.purchases,
        spentMinor: row.spent,
        hasCode: row.code !== null,
        referred: row.referred,
        referrals: row.referrals,
        lots: (lotsOf.get(name) ?? []).map((row, index) => lotOf(row, index + 1)),
      },
    ]),
  );
}

/** The profile of the model, in the same form. */
export function storedPart(profile: ModelProfile): StoredProfile {
  const { holds: _holds, quotes: _quotes, referredBy, ...stored } = profile;
  const earned = profile.earned && byDay(profile.earned);
  return { ...stored, earned, referred: referredBy !== null };
}

function byDay(earned: NonNullable<ModelProfile['earned']>): NonNullable<ModelProfile['earned']> {
  const days = [...Map.groupBy(earned, ({ day }) => day)].sort(([a], [b]) => a - b);
  return days.map(([day, of]) => ({ day, points: of.reduce((sum, { points }) => sum + points, 0) }));
}

function lotOf(row: LotRow, rank: number): ModelLot {
  const { granted, pending, available, reserved, claimed, lent } = row;
  return {
    order: row.source_reference,
    ...{ granted, pending, available, reserved, claimed, lent },
    activatesAt: row.activates_at?.getTime() ?? null,
    expiresAt: row.expires_at?.getTime() ?? null,
    inactivityDays: row.inactivity_days,
    noticed: row.noticed,
    rank,
    origin: null,
  };
}

/** When tiers changed last, at or after `since`, by the model's names of profiles. */
export async function storedTierChanges(
  pool: Pool,
  environmentId: string,
  since: Date,
): Promise<Map<string, Date>> {
  const members = await pool.query<{ id: string; customer: string }>(
    'select id, external_customer_id as customer from members where environment_id = $1',
    [environmentId],
  );
  const customers = new Map(members.rows.map(({ id, customer }) => [toTypeId('mem', id), customer]));
  const { rows } = await pool.query<{ program: string; member: string; at: Date }>(
    `select changes ->> 'programId' as program, target_id as member, at from audit_events
     where environment_id = $1 and action = 'tier.changed' and at >= $2 order by at`,
    [environmentId, since],
  );
  return new Map(
    rows.map(({ program, member, at }) => [nameOf(program, customers.get(member) ?? ''), at] as const),
  );
}

/** Referral codes, by the model's names of profiles. */
export async function storedCodes(pool: Pool, environmentId: string): Promise<Map<string, string>> {
  const { rows } = await pool.query<{ name: string; code: string }>(
    `select ${NAME}, referral_code as code from program_profiles p ${MEMBER}
     where p.environment_id = $1 and referral_code is not null`,
    [environmentId],
  );
  return new Map(rows.map(({ name, code }) => [name, code]));
}

/** The counters of limits above zero, by the model's names. */
export async function storedCounters(
  pool: Pool,
  environmentId: string,
): Promise<{ ofMembers: Record<string, number>; shared: Record<string, number> }> {
  const ofMembers = await pool.query<{ name: string; points: number }>(
    `select p.program_id || ' ' || m.external_customer_id || ' ' || limit_id || ' ' ||
       to_char(period_start at time zone 'UTC', 'YYYY-MM-DD') as name, points
     from limit_counters p ${MEMBER} where p.environment_id = $1 and points > 0`,
    [environmentId],
  );
  const shared = await pool.query<{ name: string; points: number }>(
    `select program_id || ' ' || counter_id as name, taken as points from shared_counters
     where environment_id = $1 and taken > 0`,
    [environmentId],
  );
  const byName = (rows: { name: string; points: number }[]): Record<string, number> =>
    Object.fromEntries(rows.map(({ name, points }) => [name, points]));
  return { ofMembers: byName(ofMembers.rows), shared: byName(shared.rows) };
}

/** The lots of each profile, oldest first, by the model's names. */
export async function storedLots(
  pool: Pool,
  environmentId: string,
): Promise<Map<string, { memberId: string; lotIds: string[] }>> {
  const { rows } = await pool.query<{ name: string; memberId: string; lotIds: string[] }>(
    `select ${NAME}, p.member_id as "memberId", array_agg(p.id order by p.id) as "lotIds"
     from lots p ${MEMBER} where p.environment_id = $1 group by 1, 2`,
    [environmentId],
  );
  return new Map(rows.map(({ name, ...lots }) => [name, lots]));
}
