import { setTimeout as sleep } from 'node:timers/promises';
import type { Connections, Pool, Queryable } from '../../db/pool.ts';
import { isConnectionFailure } from '../../ledger/batch/sqlstate.ts';

/** Where a read was made that may go to the replica: there, or on the primary for a reason. */
export type ReplicaOutcome = 'replica' | 'lagging' | 'unreachable' | 'not_a_replica' | 'cancelled';

/**
 * Runs a read that decides nothing, such as a report, on connections to the replica or to the primary. It may run the
 * read a second time.
 */
export type ReportReads = <T>(work: (connections: Connections) => Promise<T>) => Promise<T>;

export interface ReplicaOptions {
  /** Connections to the replica; they should give up on it soon. */
  pool: Pool;
  /** How long a read waits for the replica to show what was committed before. Default: 3,000. */
  patienceMs?: number;
  /** Called with the outcome of each read. */
  onRead?: (outcome: ReplicaOutcome) => void;
}

const PATIENCE_MS = 3_000;
const PAUSE_MS = 20;
/** How long a replica is left alone that could not be reached: each try may take seconds. */
const LEFT_ALONE_MS = 5_000;
/** SQLSTATE of a read that was cancelled because the replica had to remove what it was reading. */
const RECOVERY_CONFLICT = '40001';

/**
 * A streaming replica for reads that decide nothing. A read begins there only once the replica shows everything that
 * was committed on the primary before the read, so that no acknowledged change is missing; otherwise it is made on the
 * primary.
 */
export class Replica {
  readonly pool: Pool;
  readonly #patienceMs: number;
  readonly #onRead: (outcome: ReplicaOutcome) => void;
  #aloneUntil = 0;

  constructor({ pool, patienceMs = PATIENCE_MS, onRead = () => {} }: ReplicaOptions) {
    this.pool = pool;
    this.#patienceMs = patienceMs;
    this.#onRead = onRead;
  }

  /**
   * Runs a read on the replica, or on the primary where the replica cannot show everything in time.
   * @param ownConnections the connections to the replica that the read may use
   */
  async read<T>(
    primary: Connections,
    ownConnections: Connections,
    work: (connections: Connections) => Promise<T>,
  ): Promise<T> {
    const outcome = await this.#catchUp(primary);
    if (outcome !== 'replica') {
      this.#onRead(outcome);
      return work(primary);
    }
    try {
      const result = await work(ownConnections);
      this.#onRead('replica');
      return result;
    } catch (error) {
      const cancelled = (error as { code?: unknown }).code === RECOVERY_CONFLICT;
      if (!cancelled && !isConnectionFailure(error)) throw error;
      this.#onRead(cancelled ? 'cancelled' : 'unreachable');
      return work(primary);
    }
  }

  /** The replica's connections once it shows everything that was committed before; else those of the primary. */
  async caughtUp(primary: Pool): Promise<Pool> {
    const outcome = await this.#catchUp(primary);
    this.#onRead(outcome);
    return outcome === 'replica' ? this.pool : primary;
  }

  /** Waits until the replica has replayed what the primary has written by now. @throws where the primary fails */
  async #catchUp(primary: Queryable): Promise<ReplicaOutcome> {
    if (performance.now() < this.#aloneUntil) return 'unreachable';
    const { rows } = await primary.query<Position>({ name: 'primary_position', text: POSITION, values: [] });
    const deadline = performance.now() + this.#patienceMs;
    try {
      for (;;) {
        const shown = await this.pool.query<Shown>({
          name: 'replica_position',
          text: SHOWN,
          values: [rows[0]?.written, rows[0]?.cluster],
        });
        const { standby, same, replayed } = shown.rows[0] ?? {};
        if (!standby || !same) return 'not_a_replica';
        if (replayed) return 'replica';
        if (performance.now() > deadline) return 'lagging';
        await sleep(PAUSE_MS);
      }
    } catch {
      // Whatever is wrong with the replica, such as its login, the primary can answer.
      this.#aloneUntil = performance.now() + LEFT_ALONE_MS;
      return 'unreachable';
    }
  }
}

interface Position {
  written: string;
  cluster: string;
}

interface Shown {
  standby: boolean;
  same: boolean;
  replayed: boolean | null;
}

// The position of what was inserted last covers every commit, also with synchronous_commit off.
const POSITION = `
  select pg_current_wal_insert_lsn()::text as written,
    (select system_identifier::text from pg_control_system()) as cluster`;

const SHOWN = `
  select pg_is_in_recovery() as standby, pg_last_wal_replay_lsn() >= $1::pg_lsn as replayed,
    (select system_identifier::text from pg_control_system()) = $2::text as same`;
