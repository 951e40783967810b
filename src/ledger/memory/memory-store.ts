import type { PublishedProgram } from '../../programs/published/published-program.ts';
import { decideBatch } from '../batch/decide-batch.ts';
import { eventData } from '../batch/event-record.ts';
import {
  admitTargets,
  claimsOf,
  fetchesFor,
  keysOf,
  keysOfSubjects,
  laterSubjects,
  needsOf,
  openReservationsOf,
  subjectsOf,
  withPrerequisites,
} from '../batch/load-plan.ts';
import { WorkingSet } from '../batch/working-set.ts';
import type { Command, CommandDoor, Outcome, Subject, WebhookEvent } from '../command.ts';
import { withoutRetry } from '../retry.ts';
import type { AnyLookUpKey } from '../tables/all-tables.ts';
import type { EnvironmentRecord } from '../tables/environments.ts';
import { keyOf } from '../tables/key-of.ts';
import { checkRows } from './constraints.ts';
import { createMemoryTables, storedIn, writeRows } from './memory-tables.ts';

/**
 * Where a process crashes: after it decided a batch and before it wrote it, or after it wrote it and before it replied.
 */
export type Fault = 'crash_before_flush' | 'crash_after_flush';

/** A fault was injected, so the client gets no outcome of its commands. */
export class Crash extends Error {
  override name = 'Crash';
}

/** In Postgres the batch would have to wait for the locks of another one. */
export class LockWait extends Error {
  override name = 'LockWait';
}

export interface MemoryStoreOptions {
  environment: EnvironmentRecord;
  /** With which codes of pools are hashed, in hexadecimal; there are none where absent. */
  couponSecret?: string;
  newId: () => string;
  /** Gives the time of commands that are run with `submit`. */
  clock: () => Date;
}

/** A batch that has taken its locks and decided its commands, and has not written anything yet. */
export interface OpenBatch {
  outcomes: readonly Outcome[];
  /** Writes the whole batch and releases its locks. @throws ConstraintViolation; then nothing is written */
  commit(): Outcome[];
  rollback(): void;
}

/**
 * Runs commands on tables in memory, for one environment: with the same working set, the same `decideBatch` and the
 * same constraints as on Postgres, without I/O and without a clock of its own.
 */
export class MemoryStore implements CommandDoor {
  readonly tables = createMemoryTables();
  readonly #programs = new Map<string, PublishedProgram>();
  readonly #locked = new Set<string>();
  readonly #couponSecret: string | null;
  readonly #newId: () => string;
  readonly #clock: () => Date;
  #environment: EnvironmentRecord;

  constructor({ environment, couponSecret, newId, clock }: MemoryStoreOptions) {
    this.#couponSecret = couponSecret ?? null;
    this.#environment = environment;
    this.#newId = newId;
    this.#clock = clock;
  }

  get environment(): EnvironmentRecord {
    return this.#environment;
  }

  /** Every event that commands have reported, oldest first. */
  get webhookEvents(): WebhookEvent[] {
    const members = new Map([...this.tables.members.values()].map((member) => [member.id, member]));
    return [...this.tables.events.values()].map((event) => {
      const member = members.get(event.memberId ?? '');
      return { type: event.type, data: eventData(event, member?.externalCustomerId ?? null) };
    });
  }

  setLocked(locked: boolean): void {
    this.#environment = { ...this.#environment, locked };
  }

  /** Says how far the times that are given to batches are ahead of the real time, in milliseconds. */
  setClockAhead(clockAheadMs: number): void {
    this.#environment = { ...this.#environment, clockAheadMs };
  }

  /** Sets a program with all of its versions. */
  publish(program: PublishedProgram): void {
    this.#programs.set(program.programId, program);
    this.#environment = { ...this.#environment, revision: this.#environment.revision + 1 };
  }

  /** Runs a batch of one command. A failure is not tried again. @throws what `runBatch` throws */
  async submit(command: Command): Promise<Outcome> {
    return this.runBatch([command], this.#clock())[0] as Outcome;
  }

  /**
   * Runs a batch as a whole, or not at all.
   * @throws ConstraintViolation; Crash where a fault is given; LockWait where an open batch has locked one of its rows
   */
  runBatch(commands: readonly Command[], now: Date, fault?: Fault): Outcome[] {
    const batch = this.open(commands, now);
    if (fault === 'crash_before_flush') {
      batch.rollback();
      throw new Crash(fault);
    }
    const outcomes = batch.commit();
    if (fault === 'crash_after_flush') throw new Crash(fault);
    return outcomes;
  }

  /**
   * Locks, loads and decides a batch on the rows that are committed now, and leaves it open, so that tests can
   * interleave the batches of several processes.
   * @throws LockWait where an open batch has locked one of its rows
   */
  open(commands: readonly Command[], now: Date): OpenBatch {
    const working = new WorkingSet(this.#environment, this.#programs, this.#newId, {
      couponSecret: this.#couponSecret,
    });
    const locks = this.#load(working, commands, now);
    for (const lock of locks) {
      if (this.#locked.has(lock)) throw new LockWait(lock.replaceAll('\u0000', ' '));
    }
    const outcomes = decideBatch(working, commands, now).map(withoutRetry);
    for (const lock of locks) this.#locked.add(lock);
    const release = (): void => {
      for (const lock of locks) this.#locked.delete(lock);
    };
    return {
      outcomes,
      commit: () => {
        try {
          this.#flush(working);
        } finally {
          release();
        }
        return outcomes;
      },
      rollback: release,
    };
  }

  /** @returns the rows that Postgres would lock: those of the look-ups that lock, where they exist. */
  #load(working: WorkingSet, commands: readonly Command[], now: Date): Set<string> {
    for (const { environmentId } of commands) {
      if (environmentId !== this.#environment.id)
        throw new Error(`no environment ${environmentId} in this store`);
    }
    const locks = new Set<string>();
    const all = withPrerequisites(commands);
    const subjects = subjectsOf(all);
    for (const subject of subjects) working.admit(subject);
    this.#loadRound(working, [...keysOfSubjects(subjects), ...keysOf(all)], now, locks);
    const due = laterSubjects(working, subjects, now);
    for (const subject of due) working.admit(subject);
    const allSubjects = [...subjects, ...due];
    admitTargets(working, allSubjects);
    this.#loadRound(
      working,
      [...keysOfSubjects(due), ...openReservationsOf(working, allSubjects)],
      now,
      locks,
    );
    this.#loadRound(working, needsOf(working, allSubjects, now), now, locks);
    this.#loadRound(working, claimsOf(working), now, locks);
    return locks;
  }

  #loadRound(
    working: WorkingSet,
    keys: readonly (AnyLookUpKey | Subject)[],
    now: Date,
    locks: Set<string>,
  ): void {
    const stored = storedIn(this.tables);
    for (const fetch of fetchesFor(keys)) {
      const { table, lookUp } = fetch;
      const rows = fetch.keys.flatMap((one) => [...lookUp.find(stored, one, now)]);
      working.fill(fetch, rows);
      if (lookUp.locks) for (const row of rows) locks.add(keyOf(table.name, table.keyOf(row)));
    }
  }

  #flush(working: WorkingSet): void {
    checkRows(working, this.tables);
    // Nothing after this line throws, so the batch is written as a whole.
    writeRows(this.tables, working);
  }
}
