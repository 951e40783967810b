import type { SandboxClock } from '../contract/generated/types.ts';
import type { Connections } from '../db/pool.ts';
import { type EnvironmentClock, readClock, shownTime } from '../ledger/tables/environments.ts';
import { type Refusal, refuse } from '../refusal.ts';

type Row = EnvironmentClock & { kind: string; realNow: Date };

/** Reads what the clock of a Sandbox shows. @returns refusal: `sandbox_required` */
export async function readSandboxClock(
  connections: Connections,
  environmentId: string,
): Promise<SandboxClock | Refusal> {
  const { rows } = await connections.query<Row>(readClock(environmentId));
  const [row] = rows;
  if (!row) throw new Error(`no environment ${environmentId}: a credential outlived it`);
  if (row.kind !== 'sandbox') {
    return refuse('sandbox_required', 'This environment is Production: it has the real time.');
  }
  const { now, state } = shownTime(row, row.realNow);
  return { now: now.toISOString(), realTime: row.realNow.toISOString(), state };
}
