import type { PublishedProgram } from '../programs/published-program.ts';
import type { Command, CommandDoor, Outcome, Subject, WebhookEvent } from './command.ts';
import { type BatchTrail, decideBatch } from './decide-batch.ts';
import { checkRows, MemoryTables } from './memory-tables.ts';
import type { EnvironmentRecord } from './records.ts';
import { keyOf, WorkingSet } from './working-set.ts';

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
  readonly tables = new MemoryTables();
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

  /** @returns the rows that Postgres would lock: profiles and orders, where they exist. */
  #load(working: WorkingSet, commands: readonly Command[], now: Date): Set<string> {
    const locks = new Set<string>();
    for (const command of commands) {
      if (command.environmentId !== this.#environment.id) {
        throw new Error(`no environment ${command.environmentId} in this store`);
      }
      for (const subject of command.subjects) {
        working.admit(subject);
        this.#loadSubject(working, subject, now, locks);
      }
      const name = keyOf(command.operation, command.idempotencyKey);
      const stored = this.tables.idempotency.get(name);
      if (stored) working.idempotency.load(stored);
    }
    return locks;
  }

  #loadSubject(working: WorkingSet, subject: Subject, now: Date, locks: Set<string>): void {
    const { members, profiles, orders, limitCounters } = this.tables;
    if (subject.kind === 'order') {
      const order = orders.get(subject.sourceReference);
      if (!order) return;
      working.orders.load(order);
      locks.add(keyOf('order', order.sourceReference));
      return;
    }
    const member = members.get(subject.externalCustomerId);
    if (!member) return;
    if (subject.kind === 'member') {
      working.members.load(member);
    } else if (subject.kind === 'profile') {
      const name = keyOf(subject.programId, member.id);
      const profile = profiles.get(name);
      if (!profile) return;
      working.profiles.load(profile);
      locks.add(keyOf('profile', name));
    } else {
      for (const counter of limitCounters.values()) {
        if (counter.programId !== subject.programId || counter.memberId !== member.id) continue;
        if (holds(counter.periodStart, subject.at ?? now)) working.limitCounters.load(counter);
      }
    }
  }

  #flush(working: WorkingSet, { audits, webhookEvents }: BatchTrail): void {
    const { tables } = this;
    checkRows(working, tables);
    // Nothing below throws: all of it is written.
    for (const [key, row] of working.members.inserted) tables.members.set(key, Object.freeze(row));
    for (const [key, row] of working.profiles.inserted) tables.profiles.set(key, Object.freeze(row));
    for (const [key, row] of working.profiles.updated) tables.profiles.set(key, Object.freeze(row));
    for (const row of working.consents) tables.consents.set(row.id, Object.freeze(row));
    for (const row of working.transactions) tables.transactions.set(row.id, Object.freeze(row));
    for (const [key, row] of working.lots.inserted) tables.lots.set(key, Object.freeze(row));
    for (const [key, row] of working.lots.updated) tables.lots.set(key, Object.freeze(row));
    for (const row of working.postings) {
      tables.postings.set(keyOf(row.transactionId, String(row.line)), Object.freeze(row));
    }
    for (const [key, row] of working.orders.inserted) tables.orders.set(key, Object.freeze(row));
    for (const [key, row] of working.orders.updated) tables.orders.set(key, Object.freeze(row));
    for (const [key, row] of working.limitCounters.inserted) {
      tables.limitCounters.set(key, Object.freeze(row));
    }
    for (const [key, row] of working.limitCounters.updated) tables.limitCounters.set(key, Object.freeze(row));
    for (const [key, row] of working.idempotency.inserted) {
      // As a database gives it back: what is no JSON value is lost, and nobody else holds this object.
      const receipt = JSON.parse(JSON.stringify(row.receipt)) as object;
      tables.idempotency.set(key, Object.freeze({ ...row, receipt }));
    }
    for (const row of audits) tables.audits.set(row.id, Object.freeze(row));
    this.webhookEvents.push(...webhookEvents);
  }
}

/** Whether a UTC day, ISO week, month, year or the lifetime that begins then holds the instant. */
function holds(periodStart: Date, at: Date): boolean {
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()];
  const monday = day - ((at.getUTCDay() + 6) % 7);
  return [
    0,
    Date.UTC(year, 0),
    Date.UTC(year, month),
    Date.UTC(year, month, monday),
    Date.UTC(year, month, day),
  ].includes(periodStart.getTime());
}
