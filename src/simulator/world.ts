import type { Caller } from '../commands/caller.ts';
import type { Outcome } from '../ledger/command.ts';
import { Crash, type Fault, LockWait, MemoryStore, type OpenBatch } from '../ledger/memory-store.ts';
import { ConstraintViolation } from '../ledger/memory-tables.ts';
import { isRefusal } from '../refusal.ts';
import { audit } from './auditor.ts';
import { answerName, type Intent, predictIntent } from './intent.ts';
import { findDifference } from './judge.ts';
import { Model, type Prediction } from './model.ts';
import type { PlainVersion } from './plain-program.ts';
import { Random } from './random.ts';
import { publishedVersion, Workload } from './workload.ts';

/** What a world has been through. Outcomes are counted by operation and code, `done` or `replayed`. */
export interface Figures {
  commands: number;
  batches: number;
  races: number;
  lockWaits: number;
  violations: number;
  crashes: number;
  publications: number;
  outcomes: Map<string, number>;
}

/** What went wrong, after how many commands. */
export class SimulationFailure extends Error {
  override name = 'SimulationFailure';
  readonly step: number;

  constructor(step: number, message: string, cause?: unknown) {
    super(message, { cause });
    this.step = step;
  }
}

/** So that a world sees the turn of a year, and the end of a leap February, while it is young. */
const FIRST_DAY = Date.UTC(2027, 9, 15, 9);
const MAX_BATCH = 24;

/** One environment in memory, two processes that write to it, clients that try again, and a model beside it. */
export class World {
  readonly figures: Figures = {
    commands: 0,
    batches: 0,
    races: 0,
    lockWaits: 0,
    violations: 0,
    crashes: 0,
    publications: 0,
    outcomes: new Map(),
  };
  readonly #random: Random;
  readonly #model = new Model();
  readonly #store: MemoryStore;
  readonly #workload: Workload;
  readonly #caller: Caller;
  /** The first receipt that a client got under each key, as text. */
  readonly #receipts = new Map<string, string>();
  /** What clients have no answer to yet. */
  #unanswered: Intent[] = [];
  #now = new Date(FIRST_DAY);

  constructor(seed: number) {
    this.#random = new Random(seed);
    const random = this.#random;
    const id = random.uuid();
    this.#caller = {
      environmentId: id,
      actor: { type: 'system', id: 'simulator' },
      requestId: 'req_simulated',
    };
    this.#store = new MemoryStore({
      environment: { id, kind: 'production', locked: false, revision: 1 },
      newId: () => random.uuid(),
      clock: () => this.#now,
    });
    this.#workload = new Workload(random, this.#model);
    for (const { programId, version } of this.#workload.firstVersions(this.#now)) {
      this.#publish(programId, version);
    }
  }

  /**
   * One step: time passes, an administrator may act, one process runs a batch or two race; then everything is audited.
   * @param most commands at most in it
   * @throws SimulationFailure
   */
  step(most: number): void {
    const step = this.figures.commands;
    try {
      this.#passTime();
      this.#administer();
      const size = Math.min(most, this.#random.between(1, MAX_BATCH));
      const intents = this.#gather(size);
      if (size > 1 && this.#random.chance(0.4)) {
        const cut = this.#random.between(1, size - 1);
        this.#race(intents.slice(0, cut), intents.slice(cut));
      } else {
        this.#runWhole(intents, this.#fault());
      }
      audit(this.#store.tables, this.#model);
    } catch (error) {
      throw error instanceof SimulationFailure
        ? error
        : new SimulationFailure(step, (error as Error).message, error);
    }
  }

  #passTime(): void {
    const random = this.#random;
    const ms = random.pickWeighted([
      { weight: 60, ms: random.below(2000) },
      { weight: 30, ms: random.below(3_600_000) },
      { weight: 10, ms: random.below(20 * 86_400_000) },
    ]).ms;
    this.#now = new Date(this.#now.getTime() + ms);
  }

  #administer(): void {
    const random = this.#random;
    if (random.chance(this.#model.locked ? 0.4 : 0.03)) {
      this.#model.locked = !this.#model.locked;
      this.#store.setLocked(this.#model.locked);
    }
    if (random.chance(0.03)) {
      const { programId, version } = this.#workload.publish(this.#now);
      this.#publish(programId, version);
      this.figures.publications += 1;
    }
  }

  #publish(programId: string, version: PlainVersion): void {
    const versions = [...(this.#model.programs.get(programId) ?? []), version];
    this.#model.programs.set(programId, versions);
    this.#store.publish({ programId, versions: versions.map(publishedVersion) });
  }

  /** What arrives together: what is sent again, what is new, and at times one thing twice. */
  #gather(size: number): Intent[] {
    const random = this.#random;
    const intents: Intent[] = [];
    while (intents.length < size) {
      const again = this.#unanswered.length > 0 && random.chance(0.5) ? this.#unanswered.shift() : undefined;
      const twice = intents.length > 0 && random.chance(0.1) ? random.pick(intents) : undefined;
      intents.push(again ?? twice ?? this.#workload.next(this.#now));
    }
    this.figures.commands += size;
    return intents;
  }

  #fault(): Fault | null {
    if (!this.#random.chance(0.06)) return null;
    return this.#random.chance(0.5) ? 'crash_before_flush' : 'crash_after_flush';
  }

  /** A batch that nobody races with. */
  #runWhole(intents: Intent[], fault: Fault | null): void {
    this.figures.batches += 1;
    const trial = this.#model.fork();
    const predictions = intents.map((intent) => predictIntent(trial, intent, this.#now));
    const commands = intents.map((intent) => intent.command(this.#caller));
    try {
      const outcomes = this.#store.runBatch(commands, this.#now, fault ?? undefined);
      trial.settle();
      this.#answer(intents, outcomes, predictions);
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
      this.#crash(intents);
      if (fault === 'crash_after_flush') trial.settle();
    }
  }

  /**
   * Two processes at once. Both decide on what was committed when they began; the second one waits where the first
   * has locked a row that it needs, and where it comes too late by a unique key, its commands are run again alone.
   */
  #race(first: Intent[], second: Intent[]): void {
    this.figures.races += 1;
    const [trialOfFirst, trialOfSecond] = [this.#model.fork(), this.#model.fork()];
    const predict = (model: Model, intents: Intent[]) =>
      intents.map((intent) => predictIntent(model, intent, this.#now));
    const [ofFirst, ofSecond] = [predict(trialOfFirst, first), predict(trialOfSecond, second)];
    const open = (intents: Intent[]): OpenBatch =>
      this.#store.open(
        intents.map((intent) => intent.command(this.#caller)),
        this.#now,
      );
    const ahead = open(first);
    let behind: OpenBatch | null = null;
    try {
      behind = open(second);
    } catch (error) {
      if (!(error instanceof LockWait)) throw error;
      this.figures.lockWaits += 1;
    }
    this.figures.batches += 1;
    const fault = this.#fault();
    if (fault === 'crash_before_flush') {
      ahead.rollback();
      this.#crash(first);
    } else {
      const outcomes = ahead.commit();
      trialOfFirst.settle();
      if (fault) this.#crash(first);
      else this.#answer(first, outcomes, ofFirst);
    }
    if (!behind) {
      this.#runWhole(second, this.#fault());
      return;
    }
    this.figures.batches += 1;
    try {
      const outcomes = behind.commit();
      trialOfSecond.settle();
      this.#answer(second, outcomes, ofSecond);
    } catch (error) {
      if (!(error instanceof ConstraintViolation) || error.code !== '23505') throw error;
      this.figures.violations += 1;
      for (const intent of second) this.#runWhole([intent], this.#fault());
    }
  }

  #crash(intents: Intent[]): void {
    this.figures.crashes += 1;
    this.#unanswered.push(...intents);
  }

  #answer(
    intents: readonly Intent[],
    outcomes: readonly Outcome[],
    predictions: readonly (Prediction & { replayed?: boolean })[],
  ): void {
    intents.forEach((intent, index) => {
      const outcome = outcomes[index] as Outcome;
      const difference = findDifference(outcome, predictions[index] as Prediction);
      if (difference) {
        throw new SimulationFailure(
          this.figures.commands,
          `${answerName(intent)} ${intent.said} at ${this.#now.toISOString()}: ${difference}`,
        );
      }
      this.#count(intent.operation, outcome);
      if (!isRefusal(outcome)) this.#compareReceipts(intent, outcome.receipt);
    });
  }

  /** Whatever happens in between, one key always gets one receipt. */
  #compareReceipts(intent: Intent, receipt: object): void {
    const name = answerName(intent);
    const text = JSON.stringify(receipt);
    const known = this.#receipts.get(name);
    if (known === undefined) this.#receipts.set(name, text);
    else if (known !== text) {
      throw new SimulationFailure(this.figures.commands, `${name} got two receipts: ${known} and ${text}`);
    }
  }

  #count(operation: string, outcome: Outcome): void {
    let code = 'done';
    if (isRefusal(outcome)) code = outcome.code;
    else if (outcome.idempotent) code = 'replayed';
    const name = `${operation} ${code}`;
    this.figures.outcomes.set(name, (this.figures.outcomes.get(name) ?? 0) + 1);
  }
}
