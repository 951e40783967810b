import type { Connections } from '../../db/pool.ts';
import type { Statement } from '../../db/statement.ts';
import type { ReferralReward, ResourceOwner } from '../../ledger/resource-owner.ts';

/** How a command names an order, a quote, a reservation or an adjustment. Ids are UUIDs. */
export type ResourceReference =
  | { kind: 'order'; sourceReference: string }
  | { kind: 'quote' | 'reservation' | 'adjustment'; id: string };

interface OwnerRow {
  program_id: string;
  external_customer_id: string;
  points: number;
  reward_id: string | null;
  referral: ReferralReward[] | null;
}

/*
 * The rewards of an order's referral, as a JSON list; null where there are none, or where the program had said that
 * both members keep them. All transactions of the reference are read first, so that no plan reads all referrals of the
 * environment.
 */
const REFERRAL = `(
        select json_agg(json_build_object('memberId', t.member_id, 'externalCustomerId', m.external_customer_id,
          'transactionId', t.id)
          order by t.id)
        from (
          select id, member_id, event_type, receipt from transactions
          where environment_id = $1::uuid and source_reference = $2
          offset 0
        ) t
        join members rewarded on rewarded.environment_id = $1::uuid and rewarded.id = t.member_id
        join members m on m.environment_id = $1::uuid and m.id = coalesce(rewarded.merged_into, rewarded.id)
        where t.event_type = 'referral.awarded' and t.receipt #>> '{referral,onReturn}' is distinct from 'keep'
      )`;

const ownerText = (owned: string, referral = 'null'): string =>
  `select owned.program_id, m.external_customer_id, owned.points, owned.reward_id, ${referral} as referral
    from (${owned}) as owned
    join members o on o.environment_id = $1::uuid and o.id = owned.member_id
    join members m on m.environment_id = $1::uuid and m.id = coalesce(o.merged_into, o.id)`;

const OWNER_TEXTS = {
  order: ownerText(
    `select program_id, member_id, points, null as reward_id from orders
      where environment_id = $1::uuid and source_reference = $2`,
    REFERRAL,
  ),
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
        ...(row.referral && { referral: row.referral }),
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
 * Looks up the names of the two members of a merge, before a decision on it is submitted.
 * @param id UUID
 * @returns null where the environment has no such merge
 */
export async function findMergeNames(
  connections: Connections,
  environmentId: string,
  id: string,
): Promise<{ source: string; target: string } | null> {
  const { rows } = await connections.query<{ source: string; target: string }>({
    name: 'names_of_merge',
    text: `select source.external_customer_id as source, target.external_customer_id as target
      from member_merges g
      join members source on source.environment_id = $1::uuid and source.id = g.source_member_id
      join members target on target.environment_id = $1::uuid and target.id = g.target_member_id
      where g.environment_id = $1::uuid and g.id = $2::uuid`,
    values: [environmentId, id],
  });
  return rows[0] ?? null;
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
