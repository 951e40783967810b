import { isDeepStrictEqual } from 'node:util';
import { commandName, type Intent, predictIntent } from '../../../simulator/client/intent.ts';
import type { LookupKey } from '../../../simulator/client/lookups.ts';
import { Model, nameOf } from '../../../simulator/model/model.ts';
import type { PlainVersion } from '../../../simulator/programs/program.ts';
import { Random } from '../../../simulator/random.ts';
import { findDifference } from '../../../simulator/run/judge.ts';
import { publishedVersion, Workload } from '../../../simulator/run/workload.ts';
import type { Caller } from '../../../src/commands/shared/caller.ts';
import { readReferralCode } from '../../../src/commands/shared/referral-code.ts';
import type { Writer } from '../../../src/ledger/batch/writer.ts';
import type { Outcome } from '../../../src/ledger/command.ts';
import type { ResourceOwner } from '../../../src/ledger/resource-owner.ts';
import { findReferrer, ResourceOwners } from '../../../src/queries/shared/resource-owners.ts';
import { isRefusal } from '../../../src/refusal.ts';
import type { Counter, Shop } from '../ledger/counter.ts';
import type { TimeMachine } from '../time-machine.ts';
import { engagementPart, type StoredEngagement, storedEngagement } from './stored-engagement.ts';
import { findEventDifference, type StoredEvent, storedEvents } from './stored-events.ts';
import {
  type StoredProfile,
  storedCodes,
  storedLots,
  storedPart,
  storedProfiles,
  storedTierChanges,
} from './stored-profiles.ts';

/** An intent with its outcome from a writer. */
interface Answered {
  intent: Intent;
  outcome: Outcome;
  /** Whether the look-up of what the input names found something when the command was made. */
  isFound: boolean;
  /** When it was decided; null where nothing was stored that tells. */
  at: Date | null;
}

/** When a round began and ended. Refusals, whose time is not stored, were decided in between. */
interface Span {
  startedAt: Date;
  ended: Date;
}

/** The stored state after a round. */
interface Stored {
  profiles: Map<string, StoredProfile>;
  engagement: Map<string, StoredEngagement>;
  /** Of this round. */
  events: StoredEvent[];
}

const HISTORY_MS = 50 * 86_400_000;
const DAY_MS = 86_400_000;
const MOST_AT_ONCE = 4;
/** Few, so that each one makes many commands. */
const CUSTOMERS = 7;

/**
 * Runs the simulator's workload against the real writers. In each round, a few commands of some customers are submitted
 * concurrently through both writers. Then there must be an order of each customer's commands in which the model
 * predicts every outcome and the stored profiles: the outcomes are linearizable.
 */
export class Rounds {
  readonly model = new Model();
  readonly outcomes = new Map<string, number>();
  readonly #random: Random;
  readonly #workload: Workload;
  readonly #counter: Counter;
  readonly #shop: Shop;
  readonly #writers: readonly Writer[];
  readonly #time: TimeMachine;
  #aheadMs = 0;
  /** How many events there were after the last round. */
  #events = 0;
  /** Referral codes by profile. */
  #codes = new Map<string, string>();
  /** The lots of each profile. */
  #lots: Awaited<ReturnType<typeof storedLots>> = new Map();

  constructor(seed: number, counter: Counter, shop: Shop, writers: readonly Writer[], time: TimeMachine) {
    this.#time = time;
    this.#random = new Random(seed);
    // Each member is checked separately, so shared stocks must never run out.
    this.#workload = new Workload(this.#random, this.model, {
      leastLimit: 100_000,
      referralCodeOf: (programId, customer) => this.#codes.get(nameOf(programId, customer)) ?? null,
      lotsOf: (programId, customer) => this.#lots.get(nameOf(programId, customer)) ?? null,
    });
    this.#counter = counter;
    this.#shop = shop;
    this.#writers = writers;
  }

  get caller(): Caller {
    return this.#shop.caller;
  }

  async begin(): Promise<void> {
    const since = new Date(this.#now().getTime() - HISTORY_MS);
    for (const { programId, version } of this.#workload.firstVersions(since)) {
      await this.#publish(programId, version);
    }
  }

  /** @param disturbed whether the writers' connections are cut while the commands run */
  async round(disturbed: boolean): Promise<void> {
    const random = this.#random;
    await this.#travel();
    if (random.chance(this.model.locked ? 0.7 : 0.06)) {
      this.model.locked = !this.model.locked;
      await this.#shop.setLocked(this.model.locked);
    }
    if (random.chance(0.1)) {
      const { programId, version } = this.#workload.publish(this.#now());
      await this.#publish(programId, version);
    }
    this.#codes = await storedCodes(this.#counter.database.adminPool, this.#shop.id);
    this.#lots = await storedLots(this.#counter.database.adminPool, this.#shop.id);
    const everyone = this.#workload.customers.slice(0, CUSTOMERS);
    const customers = everyone.filter(() => random.chance(0.75));
    // Each member is checked separately, so at most one customer per round may use the code of a customer who rests,
    // or return an order that this one had referred.
    const resting = everyone.filter((customer) => !customers.includes(customer));
    const groups = customers.map((customer, index) =>
      this.#invent(customer, resting.slice(index, index + 1)),
    );
    const startedAt = this.#now();
    const answers = Promise.all(
      groups.map((group) => Promise.all(group.map((intent) => this.#submit(intent)))),
    );
    if (disturbed) await this.#cut();
    const answered = await answers;
    const profiles = await storedProfiles(this.#counter.database.adminPool, this.#shop.id);
    const engagement = await storedEngagement(this.#counter.database.adminPool, this.#shop.id);
    const events = await storedEvents(this.#counter.database.adminPool, this.#shop.id, this.#events);
    this.#events += events.length;
    const times = await this.#decisionTimes();
    const changes = await storedTierChanges(this.#counter.database.adminPool, this.#shop.id, startedAt);
    const span = { startedAt, ended: this.#now() };
    for (const [index, group] of answered.entries()) {
      const timed = group.map((each) => ({ ...each, at: timeOf(each, times, changes) }));
      const concerned = [customers[index] as string, ...resting.slice(index, index + 1)];
      this.#explain(timed, concerned, { profiles, engagement, events }, { disturbed, ...span });
    }
  }

  #now(): Date {
    return new Date(Date.now() + this.#aheadMs);
  }

  async #travel(): Promise<void> {
    const random = this.#random;
    const { upTo } = random.pickWeighted([
      { weight: 77, upTo: 0 },
      { weight: 15, upTo: DAY_MS / 24 },
      { weight: 8, upTo: 12 * DAY_MS },
    ]);
    if (upTo === 0) return;
    const ms = random.below(upTo);
    this.#aheadMs += ms;
    await this.#time.travel(ms);
  }

  /** When the command of each idempotency key was decided. */
  async #decisionTimes(): Promise<Map<string, Date>> {
    const { rows } = await this.#counter.database.adminPool.query<{ name: string; at: Date }>(
      `select operation || ' ' || key as name, created_at as at from idempotency_keys where environment_id = $1`,
      [this.#shop.id],
    );
    return new Map(rows.map(({ name, at }) => [name, at]));
  }

  #invent(customer: string, referrers: readonly string[]): Intent[] {
    const intents: Intent[] = [];
    const size = this.#random.between(1, MOST_AT_ONCE);
    while (intents.length < size) {
      const twice = intents.length > 0 && this.#random.chance(0.25) ? this.#random.pick(intents) : undefined;
      const intent = twice ?? this.#workload.next(this.#now(), customer, [customer, ...referrers]);
      if (this.#staysAmong(intent, [customer, ...referrers])) intents.push(intent);
    }
    return intents;
  }

  /**
   * Whether the intent changes the points of these customers only. A purchase that is sent again may have the referral
   * code of another one, and a return takes points back from the customer who referred the buyer.
   */
  #staysAmong({ lookup }: Intent, customers: readonly string[]): boolean {
    let name: string | undefined;
    if (lookup?.kind === 'referralCode') name = this.model.names.get(`${lookup.programId} ${lookup.code}`);
    if (lookup?.kind === 'order') name = this.model.orders.get(lookup.sourceReference)?.referral?.referrer;
    return name === undefined || customers.some((customer) => name?.endsWith(` ${customer}`));
  }

  /** Submits as a client does: a command that fails is sent again with the same key to another writer. */
  async #submit(intent: Intent): Promise<Answered> {
    const first = this.#random.below(this.#writers.length);
    const owner = intent.lookup && (await this.#lookUp(intent.lookup));
    for (let attempt = 0; ; attempt++) {
      const writer = this.#writers[(first + attempt) % this.#writers.length] as Writer;
      try {
        const outcome = await writer.submit(intent.command(this.caller, owner));
        return { intent, outcome, isFound: owner !== null, at: null };
      } catch (error) {
        if (attempt === 5) throw error;
      }
    }
  }

  /** Looks up the owner as the service does before it makes a command. */
  async #lookUp(key: LookupKey): Promise<ResourceOwner | null> {
    const { adminPool } = this.#counter.database;
    if (key.kind !== 'referralCode')
      return new ResourceOwners({ of: () => adminPool }).find(this.#shop.id, key);
    const { programId, code } = key;
    const referrer = await findReferrer(adminPool, this.#shop.id, programId, readReferralCode(code));
    return referrer === null ? null : { programId, externalCustomerId: referrer, points: 0, rewardId: null };
  }

  async #cut(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, this.#random.below(15)));
    await this.#counter.database.adminPool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'rewards writer'`,
    );
  }

  /** @param customers the one whose commands they are, and one whose referral code they may have used */
  #explain(
    group: Answered[],
    customers: readonly string[],
    stored: Stored,
    { startedAt, ended, disturbed }: Span & { disturbed: boolean },
  ): void {
    const customer = customers[0] ?? '';
    const problems = new Set<string>();
    for (const order of permutations(byTime(group))) {
      for (const otherwise of [ended, startedAt]) {
        const trial = this.model.fork();
        const problem =
          findProblem(trial, order, { disturbed, otherwise }) ??
          findMismatch(trial, customer, stored) ??
          findEventDifference(trial.takeExpectedEvents().flat(), stored.events, customers);
        if (problem === null) {
          trial.commit();
          for (const answered of group) this.#take(answered);
          return;
        }
        problems.add(problem);
      }
    }
    const sent = group.map(
      ({ intent, outcome }) => `${intent.operation} ${intent.key} ${intent.input}
      → ${JSON.stringify(outcome)}`,
    );
    throw new Error(`No order explains what came of\n${sent.join('\n')}\n${[...problems].join('\n')}`);
  }

  #take({ intent, outcome }: Answered): void {
    if (!isRefusal(outcome) && intent.keyed) this.#workload.learn(intent, outcome.receipt);
    let code = 'done';
    if (isRefusal(outcome)) code = outcome.code;
    else if (outcome.idempotent) code = 'replayed';
    const name = `${intent.operation} ${code}`;
    this.outcomes.set(name, (this.outcomes.get(name) ?? 0) + 1);
  }

  async #publish(programId: string, plain: PlainVersion): Promise<void> {
    this.model.programs.set(programId, [...(this.model.programs.get(programId) ?? []), plain]);
    const { version, effectiveFrom, publishedAt, document } = publishedVersion(plain);
    const { adminPool } = this.#counter.database;
    const { id } = this.#shop;
    await adminPool.query('insert into programs values ($1, $2) on conflict do nothing', [id, programId]);
    await adminPool.query(
      `insert into program_versions values ($1, $2, $3, $4, sha256('x'), $5, $6, 'test')`,
      [id, programId, version, document, effectiveFrom, publishedAt],
    );
    await adminPool.query('update environments set revision = revision + 1 where id = $1', [id]);
  }
}

/** When it was decided: by its key, or for a re-qualification by its change of tier; null where neither is stored. */
function timeOf(
  { intent, outcome }: Answered,
  times: ReadonlyMap<string, Date>,
  changes: ReadonlyMap<string, Date>,
): Date | null {
  // A preview stores nothing, but says for which time it is.
  if (intent.operation === 'previewPurchase')
    return isRefusal(outcome) ? null : timeOfPreview(outcome.receipt);
  if (intent.operation !== 'requalifyProfile') return times.get(commandName(intent)) ?? null;
  const { programId } = JSON.parse(intent.input) as { programId: string };
  return changes.get(nameOf(programId, intent.externalCustomerId)) ?? null;
}

/** Null where it is for the time of the event instead. */
function timeOfPreview(receipt: object): Date | null {
  const { evaluationMode, evaluationAt } = receipt as { evaluationMode: string; evaluationAt: string };
  return evaluationMode === 'receipt_time_current_configuration' ? new Date(evaluationAt) : null;
}

/**
 * Applies the commands to the model in this order.
 * @returns the first outcome that differs from the prediction, or null
 */
function findProblem(
  trial: Model,
  order: readonly Answered[],
  { disturbed, otherwise }: { disturbed: boolean; otherwise: Date },
): string | null {
  for (const { intent, outcome, isFound, at } of order) {
    const now = isRefusal(outcome) ? otherwise : (at ?? otherwise);
    const predicted = predictIntent(trial, intent, { now, isFound });
    const again = predicted.replayed || ('receipt' in predicted && predicted.repeated);
    const answer =
      // Where a connection was cut after the commit, the writer's own retry gets a replay.
      disturbed && !isRefusal(outcome) && outcome.idempotent && !again
        ? { ...outcome, idempotent: false }
        : outcome;
    const difference = findDifference(answer, predicted);
    if (difference) return `${intent.operation} ${intent.key}: ${difference}`;
  }
  return null;
}

/** The first stored state that differs from the model's, or null. */
function findMismatch(trial: Model, customer: string, { profiles, engagement }: Stored): string | null {
  for (const [name, expected] of trial.profiles.ownRows) {
    const actual = profiles.get(name);
    if (!isDeepStrictEqual(actual, storedPart(expected)))
      return `${name} is ${JSON.stringify(actual)}, expected ${JSON.stringify(expected)}`;
  }
  for (const programId of trial.programs.keys()) {
    const name = nameOf(programId, customer);
    const [actual, expected] = [engagement.get(name) ?? [], engagementPart(trial, programId, customer)];
    if (!isDeepStrictEqual(actual, expected)) {
      return `${name} has ${JSON.stringify(actual)}, expected ${JSON.stringify(expected)}`;
    }
  }
  return null;
}

/**
 * The commands in the order of their decisions as far as these have left times; the others stay in their places. Of
 * several orders that explain what a round shows, the true one is so tried first: the others may differ in what is only
 * seen later, such as which of two holds took which lot.
 */
function byTime(group: readonly Answered[]): Answered[] {
  const timed = group
    .filter(({ at }) => at !== null)
    .toSorted((a, b) => (a.at?.getTime() ?? 0) - (b.at?.getTime() ?? 0));
  return group.map((answered) => (answered.at === null ? answered : (timed.shift() ?? answered)));
}

function* permutations<T>(values: readonly T[]): Generator<T[]> {
  if (values.length < 2) {
    yield [...values];
    return;
  }
  for (const [index, value] of values.entries()) {
    for (const rest of permutations(values.toSpliced(index, 1))) yield [value, ...rest];
  }
}
