import type { Connections } from '../../db/pool.ts';
import type { Statement } from '../../db/statement.ts';
import type { Owner } from '../../ledger/owner.ts';

/** What a command is about, where it names a thing and not a member. Ids are UUIDs. */
export type Owned =
  | { kind: 'order'; sourceReference: string }
  | { kind: 'quote' | 'reservation' | 'adjustment'; id: string };

interface OwnerRow {
  program_id: string;
  external_customer_id: string;
  points: number;
  reward_id: string | null;
}

const SOURCES = {
  order: 'select program_id, member_id, points, null as reward_id from orders where source_reference = $2',
  quote: 'select program_id, member_id, points, reward_id from redemption_quotes where id = $2::uuid',
  reservation:
    'select program_id, member_id, points, reward_id from redemption_reservations where id = $2::uuid',
  adjustment: 'select program_id, member_id, points, null as reward_id from adjustments where id = $2::uuid',
} as const;

/** Finds out, before a command is sent, which member's lane it belongs to and which rows it has to lock. */
export async function findOwner(
  connections: Connections,
  environmentId: string,
  owned: Owned,
): Promise<Owner | null> {
  const { rows } = await connections.query<OwnerRow>(ownerStatement(environmentId, owned));
  const row = rows[0];
  return row
    ? {
        programId: row.program_id,
        externalCustomerId: row.external_customer_id,
        points: row.points,
        rewardId: row.reward_id,
      }
    : null;
}

function ownerStatement(environmentId: string, owned: Owned): Statement {
  return {
    name: `owner_of_${owned.kind}`,
    text: `select owned.program_id, m.external_customer_id, owned.points, owned.reward_id
      from (${SOURCES[owned.kind]} and environment_id = $1::uuid) as owned
      join members m on m.environment_id = $1::uuid and m.id = owned.member_id`,
    values: [environmentId, owned.kind === 'order' ? owned.sourceReference : owned.id],
  };
}

/**
 * Whose referral code it is, in a program, before the purchase that names it is sent
 * (`readReferralCode` gives its canonical spelling).
 * @returns externalCustomerId; null where nobody has it
 */
export async function findReferrer(
  connections: Connections,
  environmentId: string,
  programId: string,
  code: string,
): Promise<string | null> {
  const { rows } = await connections.query<{ external_customer_id: string }>({
    name: 'referrer_of_code',
    text: `select m.external_customer_id
      from program_profiles p
      join members m on m.environment_id = $1::uuid and m.id = p.member_id
      where p.environment_id = $1::uuid and p.program_id = $2 and p.referral_code = $3`,
    values: [environmentId, programId, code],
  });
  return rows[0]?.external_customer_id ?? null;
}
