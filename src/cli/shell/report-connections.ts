import { createPool, type Pool } from '../../db/pool.ts';
import { Replica, type ReplicaOutcome, type ReportReads } from '../../queries/shared/replica.ts';
import { hint } from './output.ts';

/** The connections of a command for what it only reads. */
export interface ReportConnections {
  /** Runs a read on the replica of READ_DATABASE_URL once it shows everything, otherwise on the primary. */
  read: ReportReads;
  /** A pool on the replica, which shows everything that was committed before; otherwise that of the primary. */
  pool(): Promise<Pool>;
  close(): Promise<void>;
}

const CONNECTIONS = 4;
const CONNECT_MS = 5_000;

const REASONS: Readonly<Record<Exclude<ReplicaOutcome, 'replica'>, string>> = {
  lagging: 'it does not show yet what was committed',
  unreachable: 'it cannot be reached',
  not_a_replica: 'it is not a replica of DATABASE_URL',
  cancelled: 'it cancelled the read',
};

/** @param url READ_DATABASE_URL; null where everything is read from the primary */
export function openReportConnections(url: string | null, primary: Pool): ReportConnections {
  if (url === null)
    return { read: (work) => work(primary), pool: async () => primary, close: async () => {} };
  const replica = new Replica({
    pool: createPool({
      ...{ url, size: CONNECTIONS, applicationName: 'rewards cli reports' },
      ...{ statementTimeoutMs: 0, connectTimeoutMs: CONNECT_MS },
    }),
    onRead(outcome) {
      if (outcome === 'replica') return;
      hint(`It is read from the primary, not from the replica of READ_DATABASE_URL: ${REASONS[outcome]}.`);
    },
  });
  return {
    read: (work) => replica.read(primary, replica.pool, work),
    pool: () => replica.caughtUp(primary),
    close: () => replica.pool.end(),
  };
}
