import type { PublishedProgram } from '../../programs/published/published-program.ts';
import { type BatchTrail, decideBatch } from '../batch/decide-batch.ts';
import { duePoints, fetchesFor, keysOf, needsOf, subjectsOf } from '../batch/load-plan.ts';
import { WorkingSet } from '../batch/working-set.ts';
import type { Command, CommandDoor, Outcome, Subject, WebhookEvent } from '../command.ts';
import type { AnyWanted } from '../tables/all-tables.ts';
import type { EnvironmentRecord } from '../tables/environments.ts';
import { keyOf } from '../tables/key-of.ts';
import { checkRows } from './constraints.ts';
import { createMemoryTables, storedIn, writeRows } from './memory-tables.ts';

/** Where a process can die: with its batch decided and not written, or written and not answered. */
export type Fault = 'crash_before_flush' | 'crash_after_flush';

/** What a fault throws: the client never hears what became of its commands. */
export class Crash extends Error {
  override name = 'Crash';
}

/** What is thrown where Postgres would make a batch wait for the locks of another one. */
export class LockWait extends Error {
  override name = 'LockWait';
}

export interface MemoryStoreOptions {
  environment: EnvironmentRecord;
  newId: () => string;
  /** The time of what comes through `submit`. */
  clock: () => Date;
}

/** A batch that has its locks and its decisions, and has written nothing yet. */
export interface OpenBatch {
  outcomes: readonly Outcome[];
  /** Writes all of it or, where a constraint is violated, nothing, and throws. Gives the locks back either way. */
  commit(): Outcome[];
  rollback(): void;
}

/**
 * The one door over tables in memory: the same working set and the same `decideBatch` as over Postgres, the same
 * constraints, no I/O and no clock of its own. Holds one environment.
 */
export class MemoryStore implements CommandDoor {
  readonly tables = createMemoryTables();
  readonly webhookEvents: WebhookEvent[] = [];
  readonly #programs = new Map<string, PublishedProgram>();
  readonly #locked = new Set<string>();
  readonly #newId: () => string;
  readonly #clock: () => Date;
  #environment: EnvironmentRecord;

  constructor({ environment, newId, clock }: MemoryStoreOptions) {
    this.#environment = environment;
    this.#newId = newId;
    this.#clock = clock;
  }

  get environment(): EnvironmentRecord {
    return this.#environment;
  }

  setLocked(locked: boolean): void {
    this.#environment = { ...this.#environment, locked, revision: this.#environment.revision + 1 };
  }

  /** Sets a program with all of its versions. */
  publish(program: PublishedProgram): void {
    this.#programs.set(program.programId, program);
    this.#environment = { ...this.#environment, revision: this.#environment.revision + 1 };
  }

  /** A batch of one, whose failure is the caller's. */
  async submit(command: Command): Promise<Outcome> {
    return this.runBatch([command], this.#clock())[0] as Outcome;
  }

  /**
   * Runs a batch as a whole, or not at all.
   * @throws ConstraintViolation, Crash where a fault was asked for, LockWait where another batch is open on its rows
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
   * Locks, loads and decides a batch on what is committed now, as a process does that another one races with.
   * @throws LockWait where a row that it locks is locked by a batch still open
   */
  open(commands: readonly Command[], now: Date): OpenBatch {
    const working = new WorkingSet(this.#environment, this.#programs, this.#newId);
    const locks = this.#load(working, commands, now);
    for (const lock of locks) {
      if (this.#locked.has(lock)) throw new LockWait(lock.replaceAll('\u0000', ' '));
    }
    const trail = decideBatch(working, commands, now);
    for (const lock of locks) this.#locked.add(lock);
    const release = (): void => {
      for (const lock of locks) this.#locked.delete(lock);
    };
    return {
      outcomes: trail.outcomes,
      commit: () => {
        try {
          this.#flush(working, trail);
        } finally {
          release();
        }
        return trail.outcomes;
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
    const subjects = subjectsOf(commands);
    for (const subject of subjects) working.admit(subject);
    this.#loadRound(working, [...subjects, ...keysOf(commands)], now, locks);
    const due = duePoints(working, subjects, now);
    for (const subject of due) working.admit(subject);
    this.#loadRound(working, due, now, locks);
    this.#loadRound(working, needsOf(working, [...subjects, ...due]), now, locks);
    return locks;
  }

  #loadRound(
    working: WorkingSet,
    wanted: readonly (AnyWanted | Subject)[],
    now: Date,
    locks: Set<string>,
  ): void {
    const stored = storedIn(this.tables);
    for (const fetch of fetchesFor(wanted)) {
      const { table, lookUp } = fetch;
      const found = fetch.wanted.flatMap((one) => [...lookUp.find(stored, one, now)]);
      working.fill(fetch, found);
      if (lookUp.locks) for (const row of found) locks.add(keyOf(table.name, table.keyOf(row)));
    }
  }

  #flush(working: WorkingSet, { webhookEvents }: BatchTrail): void {
    checkRows(working, this.tables);
    // Nothing below throws: all of it is written.
    writeRows(this.tables, working);
    this.webhookEvents.push(...webhookEvents);
  }
}
