import type { ClientBase } from 'pg';
import { type LimitCounterRecord, limitCounters } from '../ledger/tables/limit-counters.ts';
import { type MemberRecord, members } from '../ledger/tables/members.ts';
import { type ProfileRecord, profiles } from '../ledger/tables/program-profiles.ts';
import { type SharedCounterRecord, sharedCounters } from '../ledger/tables/shared-counters.ts';
import type { CustomerState } from './try-purchase.ts';

/**
 * Reads a member with its profile and counters, as a purchase would find them, without locks.
 * @param environmentId UUID
 * @returns null for an unknown customer
 */
export async function readCustomer(
  client: Pick<ClientBase, 'query'>,
  environmentId: string,
  programId: string,
  externalCustomerId: string,
): Promise<CustomerState | null> {
  const [member] = (
    await client.query<MemberRecord>(
      members.lookUp('load_members').statement(environmentId, [{ kind: 'member', externalCustomerId }]),
    )
  ).rows;
  if (!member) return null;
  const result = await client.query<ProfileRecord>(
    `select ${profiles.select('p')} from program_profiles p
      where environment_id = $1::uuid and member_id = $2::uuid and program_id = $3`,
    [environmentId, member.id, programId],
  );
  const counters = await client.query<LimitCounterRecord>(
    `select ${limitCounters.select('c')} from limit_counters c
      where environment_id = $1::uuid and member_id = $2::uuid and program_id = $3`,
    [environmentId, member.id, programId],
  );
  const shared = await client.query<SharedCounterRecord>(
    `select ${sharedCounters.select('c')} from shared_counters c
      where environment_id = $1::uuid and program_id = $2`,
    [environmentId, programId],
  );
  return {
    member,
    profile: result.rows[0] ?? null,
    counters: counters.rows.map(({ limitId, periodStart, points }) => ({ limitId, periodStart, points })),
    shared: shared.rows.map(({ counterId, taken }) => ({ counterId, taken })),
  };
}
