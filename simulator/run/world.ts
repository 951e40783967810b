import type { Caller } from '../../src/commands/shared/caller.ts';
import type { Command, Outcome } from '../../src/ledger/command.ts';
import { ConstraintViolation } from '../../src/ledger/memory/constraints.ts';
import {
  Crash,
  type Fault,
  LockWait,
  MemoryStore,
  type OpenBatch,
} from '../../src/ledger/memory/memory-store.ts';
import type { ResourceOwner } from '../../src/ledger/resource-owner.ts';
import { MemberMergedMeanwhile } from '../../src/ledger/tables/members.ts';
import { isRefusal } from '../../src/refusal.ts';
import { Auditor } from '../auditor/auditor.ts';
import { add } from '../auditor/sums.ts';
import { commandName, type Intent, predictIntent } from '../client/intent.ts';
import { lotsIn, ownerIn, referralCodeIn } from '../client/lookups.ts';
import { Model, type Prediction } from '../model/model.ts';
import type { PlainVersion } from '../programs/program.ts';
import { Random } from '../random.ts';
import { apart, runsAlone } from './apart.ts';
import { type Administration, addCode, COUPON_SECRET, disableCode } from './codes.ts';
import { instantsAfter } from './instants.ts';
import { findDifference } from './judge.ts';
import { eventFacts, purchaseFacts } from './receipt-facts.ts';
import { publishedVersion, Workload } from './workload.ts';

/** An intent that is being sent, with the owner that was looked up for it. */
interface Request {
  intent: Intent;
  owner: ResourceOwner | null;
}

type Predicted = Prediction & { replayed?: boolean };

/** What has happened in a world. Outcomes are counted by operation and refusal code, `done` or `replayed`. */
export interface Figures {
  commands: number;
  batches: number;
  races: number;
  lockWaits: number;
  violations: number;
  crashes: number;
  publications: number;
  outcomes: Map<string, number>;
  /**
   * Transactions by event type; `claim paid` where points that came back paid a clawback claim; `lent points repaid`
   * where they were passed on by the lot of a reversed credit; and the facts of receipts, such as `one campaign`.
   */
  events: Map<string, number>;
}

/** A failed check, with the number of commands before it. */
export class SimulationFailure extends Error {
  override name = 'SimulationFailure';
  readonly step: number;

  constructor(step: number, message: string, cause?: unknown) {
    super(message, { cause });
    this.step = step;
  }
}

/** A world reaches the turn of a year and a 29 February soon after this day. */
const FIRST_DAY = Date.UTC(2027, 9, 15, 9);
const MAX_BATCH = 24;
/** In how many batches it is compared once what a member is on the way to: that looks a year ahead. */
const OUTLOOK_EVERY = 4;

/** One environment in memory, two processes that write to it, clients that retry, and a model to compare with. */
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
    events: new Map(),
  };
  readonly #random: Random;
  readonly #model = new Model();
  readonly #store: MemoryStore;
  readonly #workload: Workload;
  readonly #auditor: Auditor;
  readonly #caller: Caller;
  /** The first receipt of each idempotency key, as text. */
  readonly #receipts = new Map<string, string>();
  /** Intents whose outcome was lost in a crash; clients send them again. */
  #unanswered: Intent[] = [];
  /** The codes of all pools. */
  readonly #codes: string[] = [];
  #ids = 0;
  #now = new Date(FIRST_DAY);

  constructor(seed: number) {
    this.#random = new Random(seed);
    const random = this.#random;
    const id = random.uuid();
    this.#caller = {
      environmentId: id,
      actor: { type: 'api_key', id: 'simulator' },
      requestId: 'req_simulated',
    };
    this.#store = new MemoryStore({
      environment: { id, kind: 'production', locked: false, revision: 1 },
      couponSecret: COUPON_SECRET,
      newId: () => this.#newId(),
      clock: () => this.#now,
    });
    this.#auditor = Auditor.beside(this.#store.tables, this.#model);
    const { tables } = this.#store;
    this.#workload = new Workload(random, this.#model, {
      referralCodeOf: (programId, customer) => referralCodeIn(tables, programId, customer),
      lotsOf: (programId, customer) => lotsIn(tables, programId, customer),
      codes: this.#codes,
    });
    for (const { programId, version } of this.#workload.firstVersions(this.#now)) {
      this.#publish(programId, version);
    }
  }

  /**
   * One step: time passes, an administrator may act, one process runs a batch or two race; then all changes are
   * audited.
   * @param most the most commands in it
   * @throws SimulationFailure
   */
  step(most: number): void {
    const step = this.figures.commands;
    try {
      this.#passTime();
      this.#administer();
      const size = Math.min(most, this.#random.between(1, MAX_BATCH));
      const intents = this.#gather(size);
      if (intents.some(runsAlone)) for (const part of apart(intents)) this.#runWhole(part, this.#fault());
      else if (size > 1 && this.#random.chance(0.4)) {
        const cut = this.#random.between(1, size - 1);
        this.#race(intents.slice(0, cut), intents.slice(cut));
      } else {
        this.#runWhole(intents, this.#fault());
      }
      this.#auditor.audit();
      if (this.figures.batches % OUTLOOK_EVERY === 0) this.#auditor.auditOutlook(this.#now);
    } catch (error) {
      throw error instanceof SimulationFailure
        ? error
        : new SimulationFailure(step, (error as Error).message, error);
    }
  }

  /** Audits all rows once more, from the first to the last. */
  finish(): void {
    try {
      Auditor.readAll(this.#store.tables, this.#model);
      this.#countEvents();
    } catch (error) {
      throw new SimulationFailure(this.figures.commands, (error as Error).message, error);
    }
  }

  #countEvents(): void {
    const { events } = this.figures;
    const { transactions, postings } = this.#store.tables;
    for (const { eventType, reversalOf, receipt } of transactions.values()) {
      add(events, eventType, 1);
      if (eventType === 'adjustment.reversed' && reversalOf === null) add(events, 'lent points repaid', 1);
      if (eventType === 'purchase.completed') for (const what of purchaseFacts(receipt)) add(events, what, 1);
    }
    for (const { type } of this.#store.tables.events.values()) add(events, `told of ${type}`, 1);
    const { customEvents, choiceGrants } = this.#store.tables;
    for (const { receipt } of customEvents.values())
      for (const what of eventFacts(receipt)) add(events, what, 1);
    for (const { grantedBy, state } of choiceGrants.values()) {
      add(events, `choices by ${grantedBy.startsWith('tier:') ? 'tier' : 'challenge'}, ${state}`, 1);
    }
    for (const { lent } of this.#store.tables.lots.values()) if (lent > 0) add(events, 'lent points left', 1);
    for (const { transactionId, debitAccount, creditAccount } of postings.values()) {
      const repaid = debitAccount === 'program.adjustment';
      if (creditAccount === 'program.issuance' && repaid) add(events, 'claim paid with repaid points', 1);
      const { eventType, receipt } = transactions.get(transactionId) ?? {};
      const returned = eventType === 'order.returned';
      if (returned && receipt && 'referral' in receipt) add(events, 'referral clawed back', 1);
      if (creditAccount === 'program.issuance' && !returned) add(events, 'claim paid', 1);
    }
  }

  /** Each id sorts after the one before, like the service's UUIDs of version 7. */
  #newId(): string {
    this.#ids += 1;
    return `${this.#ids.toString(16).padStart(8, '0')}${this.#random.uuid().slice(8)}`;
  }

  #passTime(): void {
    const random = this.#random;
    const { upTo } = random.pickWeighted([
      { weight: 80, upTo: 2_000 },
      { weight: 12, upTo: 3_600_000 },
      { weight: 4, upTo: 20 * 86_400_000 },
      { weight: 8, upTo: null },
    ]);
    const now = this.#now.getTime();
    if (upTo === null) {
      const soon = instantsAfter(this.#model, this.#now, 10);
      const at = soon.length > 0 ? random.pick(soon) + random.pick([0, 0, -1, 1]) : now;
      this.#now = new Date(Math.max(at, now));
    } else {
      this.#now = new Date(now + random.below(upTo));
    }
  }

  #administer(): void {
    const random = this.#random;
    if (random.chance(this.#model.locked ? 0.4 : 0.03)) {
      this.#model.locked = !this.#model.locked;
      this.#store.setLocked(this.#model.locked);
    }
    if (random.chance(0.15)) addCode({ ...this.#administration(), codes: this.#codes });
    if (random.chance(0.01)) disableCode(this.#administration());
    if (random.chance(0.03)) {
      const { programId, version } = this.#workload.publish(this.#now);
      this.#publish(programId, version);
      this.figures.publications += 1;
    }
  }

  #administration(): Administration {
    return { random: this.#random, model: this.#model, tables: this.#store.tables, now: this.#now };
  }

  #publish(programId: string, version: PlainVersion): void {
    const versions = [...(this.#model.programs.get(programId) ?? []), version];
    this.#model.programs.set(programId, versions);
    this.#store.publish({ programId, versions: versions.map(publishedVersion) });
  }

  /** The intents of one step: those sent again, new ones, and at times the same one twice. */
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

  /** Runs a batch without a concurrent one. */
  #runWhole(intents: Intent[], fault: Fault | null): void {
    this.figures.batches += 1;
    const trial = this.#model.fork();
    const requests = this.#lookUp(intents);
    const predictions = this.#predict(trial, requests);
    try {
      const outcomes = this.#store.runBatch(this.#commands(requests), this.#now, fault ?? undefined);
      trial.commit();
      this.#deliver(intents, outcomes, predictions);
    } catch (error) {
      // A command named a member that one before it in the batch has merged: each is run again in a batch of its own.
      if (error instanceof MemberMergedMeanwhile) {
        for (const intent of intents) this.#runWhole([intent], null);
        return;
      }
      if (!(error instanceof Crash)) throw error;
      this.#crash(intents);
      if (fault === 'crash_after_flush') trial.commit();
    }
  }

  /**
   * Runs two batches concurrently. Both decide on what was committed when they began. The second one runs after the
   * first where the first has locked a row that it needs. Where it violates a unique key, its commands are run again
   * one by one.
   */
  #race(first: Intent[], second: Intent[]): void {
    this.figures.races += 1;
    const [trialOfFirst, trialOfSecond] = [this.#model.fork(), this.#model.fork()];
    const [requestsOfFirst, requestsOfSecond] = [this.#lookUp(first), this.#lookUp(second)];
    const ofFirst = this.#predict(trialOfFirst, requestsOfFirst);
    const ofSecond = this.#predict(trialOfSecond, requestsOfSecond);
    const open = (requests: Request[]): OpenBatch => this.#store.open(this.#commands(requests), this.#now);
    const ahead = openedOrNull(() => open(requestsOfFirst));
    if (!ahead) {
      for (const intent of [...first, ...second]) this.#runWhole([intent], null);
      return;
    }
    let behind: OpenBatch | null = null;
    try {
      behind = openedOrNull(() => open(requestsOfSecond));
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
      trialOfFirst.commit();
      if (fault) this.#crash(first);
      else this.#deliver(first, outcomes, ofFirst);
    }
    if (!behind) {
      this.#runWhole(second, this.#fault());
      return;
    }
    this.figures.batches += 1;
    try {
      const outcomes = behind.commit();
      trialOfSecond.commit();
      this.#deliver(second, outcomes, ofSecond);
    } catch (error) {
      if (!(error instanceof ConstraintViolation) || error.code !== '23505') throw error;
      this.figures.violations += 1;
      for (const intent of second) this.#runWhole([intent], this.#fault());
    }
  }

  /** Looks up the owner of what each input names, as the service does before it makes a command. */
  #lookUp(intents: readonly Intent[]): Request[] {
    const { tables } = this.#store;
    return intents.map((intent) => ({ intent, owner: intent.lookup && ownerIn(tables, intent.lookup) }));
  }

  #predict(model: Model, requests: readonly Request[]): Predicted[] {
    const now = this.#now;
    return requests.map(({ intent, owner }) =>
      predictIntent(model, intent, { now, isFound: owner !== null }),
    );
  }

  #commands(requests: readonly Request[]): Command[] {
    return requests.map(({ intent, owner }) => intent.command(this.#caller, owner));
  }

  #crash(intents: Intent[]): void {
    this.figures.crashes += 1;
    this.#unanswered.push(...intents);
  }

  #deliver(
    intents: readonly Intent[],
    outcomes: readonly Outcome[],
    predictions: readonly Predicted[],
  ): void {
    intents.forEach((intent, index) => {
      const outcome = outcomes[index] as Outcome;
      const difference = findDifference(outcome, predictions[index] as Predicted);
      if (difference) {
        throw new SimulationFailure(
          this.figures.commands,
          `${commandName(intent)} ${intent.input} at ${this.#now.toISOString()}: ${difference}`,
        );
      }
      this.#count(intent.operation, outcome);
      if (isRefusal(outcome) || !intent.keyed) return;
      this.#compareReceipts(intent, outcome.receipt);
      this.#workload.learn(intent, outcome.receipt);
    });
  }

  /** Every replay of an idempotency key must give the first receipt, byte for byte. */
  #compareReceipts(intent: Intent, receipt: object): void {
    const name = commandName(intent);
    const text = JSON.stringify(receipt);
    const first = this.#receipts.get(name);
    if (first === undefined) this.#receipts.set(name, text);
    else if (first !== text) {
      throw new SimulationFailure(this.figures.commands, `${name} got two receipts: ${first} and ${text}`);
    }
  }

  #count(operation: string, outcome: Outcome): void {
    let code = 'done';
    if (isRefusal(outcome)) code = outcome.code;
    else if (outcome.idempotent) code = 'replayed';
    add(this.figures.outcomes, `${operation} ${code}`, 1);
  }
}

/** An opened batch; null where one of its commands names a member that one before it has merged. */
function openedOrNull(open: () => OpenBatch): OpenBatch | null {
  try {
    return open();
  } catch (error) {
    if (error instanceof MemberMergedMeanwhile) return null;
    throw error;
  }
}
