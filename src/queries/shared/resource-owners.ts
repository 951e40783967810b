import { arrayLiteral } from '../../db/array-literal.ts';
import type { Connections } from '../../db/pool.ts';
import type { Statement } from '../../db/statement.ts';
import type { ReferralReward, ResourceOwner } from '../../ledger/resource-owner.ts';
import { Gatherer, type Reader } from './gatherer.ts';

/** How a command names an order, a quote, a reservation or an adjustment. Ids are UUIDs. */
export type ResourceReference =
  | { kind: 'order'; sourceReference: string }
  | { kind: 'quote' | 'reservation' | 'adjustment'; id: string };

type ReferenceKind = ResourceReference['kind'];

interface OwnerRow {
  /** Which of the wanted resources it is of, from 1 on. */
  ordinal: number;
  program_id: string;
  external_customer_id: string;
  points: number;
  reward_id: string | null;
  reserve_transaction_id: string | null;
  referral: ReferralReward[] | null;
}

type OwnerReaders = readonly Reader<string, ResourceOwner | null>[];

/**
 * Looks up owners of resources before a command is submitted: the owner says which member's lane the command belongs to
 * and which rows it has to lock. Owners that are wanted at the same time are read together, those of each kind by a
 * statement of their own.
 */
export class ResourceOwners {
  readonly #gatherers: { readonly [K in ReferenceKind]: Gatherer<string, ResourceOwner | null> };

  constructor(reads: { of(environmentId: string): Connections }) {
    const gathererOf = (kind: ReferenceKind) =>
      new Gatherer<string, ResourceOwner | null>((environmentId, readers) =>
        readOwners(reads.of(environmentId), environmentId, kind, readers),
      );
    this.#gatherers = {
      order: gathererOf('order'),
      quote: gathererOf('quote'),
      reservation: gathererOf('reservation'),
      adjustment: gathererOf('adjustment'),
    };
  }

  /** @returns null where the environment has no such resource */
  find(environmentId: string, reference: ResourceReference): Promise<ResourceOwner | null> {
    const name = reference.kind === 'order' ? reference.sourceReference : reference.id;
    return this.#gatherers[reference.kind].find(environmentId, name);
  }
}

async function readOwners(
  connections: Connections,
  environmentId: string,
  kind: ReferenceKind,
  readers: OwnerReaders,
): Promise<void> {
  const names = readers.map(({ key }) => key);
  const { rows } = await connections.query<OwnerRow>(findOwners(environmentId, kind, names));
  const owners = new Map(rows.map((row) => [row.ordinal, ownerOf(row)]));
  readers.forEach((reader, index) => {
    reader.resolve(owners.get(index + 1) ?? null);
  });
}

function ownerOf(row: OwnerRow): ResourceOwner {
  const { program_id, external_customer_id, points, reward_id, reserve_transaction_id, referral } = row;
  return {
    programId: program_id,
    externalCustomerId: external_customer_id,
    points,
    rewardId: reward_id,
    ...(reserve_transaction_id && { reserveTransactionId: reserve_transaction_id }),
    ...(referral && { referral }),
  };
}

/*
 * The rewards of an order's referral, as a JSON list; null where there are none, or where the program had said that
 * both members keep them. All transactions of the reference but the purchase are read first, as the index has them, so
 * that no plan reads all referrals of the environment.
 */
const REFERRAL = `(
        select json_agg(json_build_object('memberId', t.member_id, 'externalCustomerId', m.external_customer_id,
          'transactionId', t.id)
          order by t.id)
        from (
          select id, member_id, event_type, receipt from transactions
          where environment_id = $1::uuid and source_reference = wanted.name and event_type <> 'purchase.completed'
          offset 0
        ) t
        join members rewarded on rewarded.environment_id = $1::uuid and rewarded.id = t.member_id
        join members m on m.environment_id = $1::uuid and m.id = coalesce(rewarded.merged_into, rewarded.id)
        where t.event_type = 'referral.awarded' and t.receipt #>> '{referral,onReturn}' is distinct from 'keep'
      )`;

/** @param names SQL type of what the resources are named by */
const ownerText = (names: string, owned: string, referral = 'null'): string =>
  `select wanted.ordinal::integer, owned.program_id, m.external_customer_id, owned.points, owned.reward_id,
      owned.reserve_transaction_id, ${referral} as referral
    from unnest($2::${names}[]) with ordinality as wanted(name, ordinal)
    cross join lateral (${owned} limit 1) as owned
    cross join lateral (
      select coalesce(merged_into, id) as id from members
      where environment_id = $1::uuid and id = owned.member_id
      limit 1
    ) as present
    cross join lateral (
      select external_customer_id from members where environment_id = $1::uuid and id = present.id limit 1
    ) as m`;

const OWNER_TEXTS = {
  order: ownerText(
    'text',
    `select program_id, member_id, points, null as reward_id, null::uuid as reserve_transaction_id from orders
      where environment_id = $1::uuid and source_reference = wanted.name`,
    REFERRAL,
  ),
  quote: ownerText(
    'uuid',
    `select program_id, member_id, points, reward_id, null::uuid as reserve_transaction_id from redemption_quotes
      where environment_id = $1::uuid and id = wanted.name`,
  ),
  reservation: ownerText(
    'uuid',
    `select program_id, member_id, points, reward_id, reserve_transaction_id from redemption_reservations
      where environment_id = $1::uuid and id = wanted.name`,
  ),
  adjustment: ownerText(
    'uuid',
    `select program_id, member_id, points, null as reward_id, null::uuid as reserve_transaction_id from adjustments
      where environment_id = $1::uuid and id = wanted.name`,
  ),
} as const;

/** Looks up whose resources of a kind are, in the order of their names. Pure. */
export function findOwners(environmentId: string, kind: ReferenceKind, names: readonly string[]): Statement {
  return {
    name: `owners_by_${kind}`,
    text: OWNER_TEXTS[kind],
    values: [environmentId, arrayLiteral(names)],
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
