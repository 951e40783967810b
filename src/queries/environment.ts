import type { Environment } from '../contract/generated/types.ts';
import type { Connections } from '../db/pool.ts';
import { toTypeId } from '../ids.ts';
import { type EnvironmentClock, shownTime } from '../ledger/tables/environments.ts';

type Row = EnvironmentClock &
  Pick<Environment, 'kind' | 'name' | 'locked'> & { createdAt: Date; realNow: Date };

/** Reads what an environment is, whether it is locked, and what its clock shows. */
export async function readEnvironment(connections: Connections, environmentId: string): Promise<Environment> {
  const { rows } = await connections.query<Row>({
    name: 'read_environment',
    text: `select kind, name, locked, created_at as "createdAt", clock_ahead_ms as "aheadMs",
        clock_stands_at as "standsAt", date_trunc('milliseconds', clock_timestamp()) as "realNow"
      from environments
      where id = $1::uuid`,
    values: [environmentId],
  });
  const [row] = rows;
  if (!row) throw new Error(`no environment ${environmentId}: a credential outlived it`);
  const { kind, name, locked, createdAt, realNow } = row;
  const { now, state } = shownTime(row, realNow);
  return {
    environmentId: toTypeId('env', environmentId),
    ...{ kind, name, locked },
    clock: { now: now.toISOString(), realTime: realNow.toISOString(), state },
    createdAt: createdAt.toISOString(),
  };
}
