import type { ClientBase } from 'pg';
import type { Pool } from '../src/db/pool.ts';
import { verifyLedger } from '../src/ledger/controls/verify.ts';

/** What the service has acknowledged in an environment, counted from its responses, plus what was filled in before. */
export interface Acknowledged {
  purchases: number;
  /** Points awarded. */
  points: number;
  /** Events of purchases. Those of the baseline have none. */
  events: number;
  quotes: number;
  /** Redemptions that were reserved and committed. */
  redemptions: number;
  redeemedPoints: number;
  returns: number;
  clawedBackPoints: number;
}

export const NOTHING: Acknowledged = {
  purchases: 0,
  points: 0,
  events: 0,
  quotes: 0,
  redemptions: 0,
  redeemedPoints: 0,
  returns: 0,
  clawedBackPoints: 0,
};

export interface AuditedEnvironment {
  name: string;
  /** UUID. */
  environmentId: string;
  acknowledged: Acknowledged;
}

/** One line for each difference; empty where everything is as acknowledged. */
export type Problems = string[];

/** Verifies the whole ledger, and compares what was acknowledged with the stored rows. */
export async function audit(pool: Pool, environments: readonly AuditedEnvironment[]): Promise<Problems> {
  const problems: Problems = [];
  const client = await pool.connect();
  try {
    for (const control of await verifyLedger(client)) {
      if (control.passed) continue;
      const [example] = control.examples;
      problems.push(
        `${control.title}: it does not, ${control.differences} times, such as ${JSON.stringify(example)}`,
      );
    }
    for (const environment of environments) problems.push(...(await compare(client, environment)));
  } finally {
    client.release();
  }
  return problems;
}

/** The expected number of each kind of row. Kinds that are not named here must not exist. */
function expected(acknowledged: Acknowledged): Record<string, number> {
  const { purchases, points, events, quotes, redemptions, redeemedPoints, returns, clawedBackPoints } =
    acknowledged;
  return {
    'purchase.completed transactions': purchases,
    'redemption.reserved transactions': redemptions,
    'redemption.committed transactions': redemptions,
    'order.returned transactions': returns,
    'purchaseEarn keys': purchases,
    'quoteRedemption keys': quotes,
    'reserveRedemption keys': redemptions,
    'commitRedemption keys': redemptions,
    'recordReturn keys': returns,
    'purchase.completed audit events': purchases,
    'order.returned audit events': returns,
    'points.earned events': events,
    orders: purchases,
    returns,
    quotes,
    'committed reservations': redemptions,
    'points of orders': points,
    'points clawed back': clawedBackPoints,
    'points redeemed': redeemedPoints,
    'points available': points - clawedBackPoints - redeemedPoints,
  };
}

const FOUND = `
  select event_type || ' transactions' as kind, count(*) as found
  from transactions where environment_id = $1 group by event_type
  union all
  select operation || ' keys', count(*) from idempotency_keys where environment_id = $1 group by operation
  union all
  select action || ' audit events', count(*) from audit_events
  where environment_id = $1 and action in ('purchase.completed', 'order.returned') group by action
  union all
  select type || ' events', count(*) from events
  where environment_id = $1 and type = 'points.earned' group by type
  union all
  select 'returns', count(*) from returns where environment_id = $1
  union all
  select 'quotes', count(*) from redemption_quotes where environment_id = $1
  union all
  select kind, found::bigint
  from (
    select count(*), coalesce(sum(points), 0), coalesce(sum(clawed_back), 0) from orders where environment_id = $1
  ) as sums (orders, points, clawed_back)
  cross join lateral (values ('orders', orders), ('points of orders', points), ('points clawed back', clawed_back))
    as sum (kind, found)
  union all
  select kind, found::bigint
  from (
    select count(*), coalesce(sum(points), 0) from redemption_reservations
    where environment_id = $1 and state = 'committed'
  ) as sums (reservations, points)
  cross join lateral (values ('committed reservations', reservations), ('points redeemed', points))
    as sum (kind, found)
  union all
  select kind, found::bigint
  from (
    select coalesce(sum(available), 0), coalesce(sum(pending), 0), coalesce(sum(reserved), 0)
    from program_profiles where environment_id = $1
  ) as sums (available, pending, reserved)
  cross join lateral (values ('points available', available), ('points pending', pending),
    ('points reserved', reserved)) as sum (kind, found)`;

async function compare(
  client: ClientBase,
  { name, environmentId, acknowledged }: AuditedEnvironment,
): Promise<Problems> {
  const { rows } = await client.query<{ kind: string; found: number }>(FOUND, [environmentId]);
  const found = new Map(rows.map((row) => [row.kind, row.found]));
  const wanted = expected(acknowledged);
  return [...new Set([...Object.keys(wanted), ...found.keys()])]
    .filter((kind) => (found.get(kind) ?? 0) !== (wanted[kind] ?? 0))
    .map((kind) => `${name}: ${kind}: acknowledged ${wanted[kind] ?? 0}, there ${found.get(kind) ?? 0}`);
}
