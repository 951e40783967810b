import type { Connections } from '../../db/pool.ts';
import type { Statement } from '../../db/statement.ts';
import type { ResourceOwner } from '../../ledger/resource-owner.ts';

/** How a command names an order, a quote, a reservation or an adjustment. Ids are UUIDs. */
export type ResourceReference =
  | { kind: 'order'; sourceReference: string }
  | { kind: 'quote' | 'reservation' | 'adjustment'; id: string };

interface OwnerRow {
  program_id: string;
  external_customer_id: string;
  points: number;
  reward_id: string | null;
}

const ownerText = (owned: string): string =>
  `select owned.program_id, m.external_customer_id, owned.points, owned.reward_id
    from (${owned}) as owned
    join members m on m.environment_id = $1::uuid and m.id = owned.member_id`;

const OWNER_TEXTS = {
  order: ownerText(`select program_id, member_id, points, null as reward_id from orders
      where environment_id = $1::uuid and source_reference = $2`),
  quote: ownerText(`select program_id, member_id, points, reward_id from redemption_quotes
      where environment_id = $1::uuid and id = $2::uuid`),
  reservation: ownerText(`select program_id, member_id, points, reward_id from redemption_reservations
      where environment_id = $1::uuid and id = $2::uuid`),
  adjustment: ownerText(`select program_id, member_id, points, null as reward_id from adjustments
      where environment_id = $1::uuid and id = $2::uuid`),
} as const;

/**
 * Looks up the owner of a resource before a command is submitted: it says which member's lane the command belongs to
 * and which rows it has to lock.
 * @returns null where the environment has no such resource
 */
export async function findResourceOwner(
  connections: Connections,
  environmentId: string,
  reference: ResourceReference,
): Promise<ResourceOwner | null> {
  const { rows } = await connections.query<OwnerRow>(ownerStatement(environmentId, reference));
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

function ownerStatement(environmentId: string, reference: ResourceReference): Statement {
  return {
    name: `owner_of_${reference.kind}`,
    text: OWNER_TEXTS[reference.kind],
    values: [environmentId, reference.kind === 'order' ? reference.sourceReference : reference.id],
  };
}

/**
 * Looks up the member who has a referral code in a program, before the purchase that names the code is submitted.
 * @param code in its canonical spelling, which `readReferralCode` gives
 * @returns externalCustomerId; null where no member has the code
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
