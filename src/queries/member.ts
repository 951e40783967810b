import type { Pool } from 'pg';
import { type MemberRow, memberOf, type ProfileRow, profileOf } from '../ledger/rows.ts';
import type { MemberView } from './queries.ts';

type Row = Omit<MemberRow, 'external_customer_id'> & { profiles: ProfileJson[] };

/** A profile as it comes inside JSON: instants are text there. */
type ProfileJson = Omit<ProfileRow, 'qualification_since' | 'enrolled_at' | 'unenrolled_at'> & {
  qualification_since: string | null;
  enrolled_at: string;
  unenrolled_at: string | null;
};

/** Reads a member with its profiles, in one statement and so in one snapshot. */
export async function findMember(
  pool: Pool,
  environmentId: string,
  externalCustomerId: string,
): Promise<MemberView | null> {
  const { rows } = await pool.query<Row>({
    name: 'find_member',
    text: `select m.id, m.display_name, m.status, m.identity_status, m.consent_status, m.notice_version,
        m.consent_at, m.created_at,
        array(
          select json_build_object('member_id', p.member_id, 'program_id', p.program_id, 'enrolled', p.enrolled,
            'tier', p.tier, 'qualification_points', p.qualification_points,
            'qualification_since', p.qualification_since, 'available', p.available, 'pending', p.pending,
            'reserved', p.reserved, 'enrolled_at', p.enrolled_at, 'unenrolled_at', p.unenrolled_at)
          from program_profiles p
          where p.environment_id = $1::uuid and p.member_id = m.id
          order by p.program_id
        ) as profiles
      from members m
      where m.environment_id = $1::uuid and m.external_customer_id = $2`,
    values: [environmentId, externalCustomerId],
  });
  const row = rows[0];
  if (!row) return null;
  return {
    member: memberOf({ ...row, external_customer_id: externalCustomerId }),
    profiles: row.profiles.map((profile) =>
      profileOf({
        ...profile,
        qualification_since: profile.qualification_since ? new Date(profile.qualification_since) : null,
        enrolled_at: new Date(profile.enrolled_at),
        unenrolled_at: profile.unenrolled_at ? new Date(profile.unenrolled_at) : null,
      }),
    ),
  };
}
