import type { ClientBase } from 'pg';
import { loadMembers } from '../ledger/load-statements.ts';
import { type MemberRow, memberOf, type ProfileRow, profileOf } from '../ledger/rows.ts';
import type { KnownCustomer } from './try-purchase.ts';

/**
 * Reads a member as a purchase would find it, without locking anything.
 * @param environmentId UUID
 * @returns null for an unknown customer
 */
export async function readCustomer(
  client: Pick<ClientBase, 'query'>,
  environmentId: string,
  programId: string,
  externalCustomerId: string,
): Promise<KnownCustomer | null> {
  const [row] = (await client.query<MemberRow>(loadMembers(environmentId, [externalCustomerId]))).rows;
  if (!row) return null;
  const profiles = await client.query<ProfileRow>(
    `select * from program_profiles
      where environment_id = $1::uuid and member_id = $2::uuid and program_id = $3`,
    [environmentId, row.id, programId],
  );
  const counters = await client.query<{ limit_id: string; period_start: Date; points: number }>(
    `select limit_id, period_start, points from limit_counters
      where environment_id = $1::uuid and member_id = $2::uuid and program_id = $3`,
    [environmentId, row.id, programId],
  );
  const shared = await client.query<{ counter_id: string; taken: number }>(
    'select counter_id, taken from shared_counters where environment_id = $1::uuid and program_id = $2',
    [environmentId, programId],
  );
  const [profile] = profiles.rows;
  return {
    member: memberOf(row),
    profile: profile ? profileOf(profile) : null,
    counters: counters.rows.map(({ limit_id, period_start, points }) => ({
      limitId: limit_id,
      periodStart: period_start,
      points,
    })),
    shared: shared.rows.map(({ counter_id, taken }) => ({ counterId: counter_id, taken })),
  };
}
