import type { Pool } from '../src/db/pool.ts';
import { verifyLedger } from '../src/ledger/verify.ts';

/** What was acknowledged in an environment, from the answers alone. */
export interface Acknowledged {
  purchases: number;
  points: number;
}

/** What is wrong, one line each; empty where every point is where it should be. */
export type Problems = string[];

/** Verifies the whole ledger, and compares what was acknowledged with the rows that are there. */
export async function audit(
  pool: Pool,
  environments: readonly { name: string; environmentId: string; acknowledged: Acknowledged }[],
): Promise<Problems> {
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
    for (const { name, environmentId, acknowledged } of environments) {
      const { rows } = await client.query<Record<string, string>>(
        `select (select count(*) from transactions where environment_id = $1)::text as transactions,
           (select count(*) from orders where environment_id = $1)::text as orders,
           (select count(*) from idempotency_keys where environment_id = $1)::text as keys,
           (select count(*) from audit_events
             where environment_id = $1 and action = 'purchase.completed')::text as audits,
           (select coalesce(sum(points), 0) from orders where environment_id = $1)::text as points,
           (select coalesce(sum(available), 0) from program_profiles where environment_id = $1)::text as balances`,
        [environmentId],
      );
      const { points, balances, ...counts } = rows[0] ?? {};
      for (const [table, count] of Object.entries(counts)) {
        if (Number(count) !== acknowledged.purchases) {
          problems.push(`${name}: ${acknowledged.purchases} purchases were acknowledged, ${table}: ${count}`);
        }
      }
      for (const sum of [points, balances]) {
        if (Number(sum) !== acknowledged.points) {
          problems.push(`${name}: ${acknowledged.points} points were acknowledged, ${sum} are there`);
        }
      }
    }
  } finally {
    client.release();
  }
  return problems;
}
