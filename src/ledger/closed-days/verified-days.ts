import { ENVIRONMENT_TIME } from '../../db/environment-time.ts';
import type { Queryable } from '../../db/pool.ts';
import type { Statement } from '../../db/statement.ts';

/** The closed days of an environment at the time of a run, from the first one on. */
export interface ClosedDays {
  /** UUID. */
  environmentId: string;
  /** The last one, `YYYY-MM-DD` in UTC. */
  through: string;
  /** How many rows of `ledger_days` they have. */
  rows: number;
  /** SHA-256 of these rows. */
  digest: Buffer;
}

/**
 * Keeps that every control has found the closed days of environments right. Later runs may begin after them.
 * @param connections of the owner: the server's role may not write this
 */
export async function keepVerified(connections: Queryable, closed: readonly ClosedDays[]): Promise<void> {
  for (const days of closed) await connections.query(keepStatement(days));
}

function keepStatement({ environmentId, through, rows, digest }: ClosedDays): Statement {
  return {
    name: 'keep_verified_days',
    text: `insert into ledger_verifications (environment_id, verified_through, closed_rows, digest, at)
      select $1::uuid, $2::date, $3::bigint, $4::bytea, ${ENVIRONMENT_TIME}
      on conflict (environment_id) do update set verified_through = excluded.verified_through,
        closed_rows = excluded.closed_rows, digest = excluded.digest, at = excluded.at`,
    values: [environmentId, through, rows, digest],
  };
}

/**
 * Forgets which days of environments were verified, because a run over all days has found a difference.
 * @param connections of the owner
 */
export async function forgetVerified(
  connections: Queryable,
  environments: readonly Pick<ClosedDays, 'environmentId'>[],
): Promise<void> {
  for (const { environmentId } of environments) {
    await connections.query({
      name: 'forget_verified_days',
      text: 'delete from ledger_verifications where environment_id = $1::uuid',
      values: [environmentId],
    });
  }
}
