import type { Caller } from '../../src/commands/caller.ts';
import type { Outcome } from '../../src/ledger/command.ts';
import type { Writer } from '../../src/ledger/writer.ts';
import { isRefusal } from '../../src/refusal.ts';
import { type Intent, predictIntent } from '../../src/simulator/intent.ts';
import { findDifference } from '../../src/simulator/judge.ts';
import { Model, type ModelProfile } from '../../src/simulator/model.ts';
import type { PlainVersion } from '../../src/simulator/plain-program.ts';
import { Random } from '../../src/simulator/random.ts';
import { publishedVersion, Workload } from '../../src/simulator/workload.ts';
import type { Counter, Shop } from '../ledger/counter.ts';

/** An intent with what a writer answered. */
interface Answered {
  intent: Intent;
  outcome: Outcome;
}

const HISTORY_MS = 50 * 86_400_000;
const MOST_AT_ONCE = 4;

/**
 * The simulator's workload against the real writers. Each round, a few commands of each of some customers go out at
 * the same moment through both writers, and then some order of each customer's commands must explain every answer and
 * the profiles that they left: the answers are those of one command after the other (linearizable).
 */
export class Rounds {
  readonly model = new Model();
  readonly outcomes = new Map<string, number>();
  readonly #random: Random;
  readonly #workload: Workload;
  readonly #counter: Counter;
  readonly #shop: Shop;
  readonly #writers: readonly Writer[];

  constructor(seed: number, counter: Counter, shop: Shop, writers: readonly Writer[]) {
    this.#random = new Random(seed);
    this.#workload = new Workload(this.#random, this.model);
    this.#counter = counter;
    this.#shop = shop;
    this.#writers = writers;
  }

  get caller(): Caller {
    return this.#shop.caller;
  }

  async begin(): Promise<void> {
    const since = new Date(Date.now() - HISTORY_MS);
    for (const { programId, version } of this.#workload.firstVersions(since)) {
      await this.#publish(programId, version);
    }
  }

  /** @param disturbed connections of the writers are cut on the way */
  async round(disturbed: boolean): Promise<void> {
    const random = this.#random;
    if (random.chance(this.model.locked ? 0.5 : 0.08)) {
      this.model.locked = !this.model.locked;
      await this.#shop.setLocked(this.model.locked);
    }
    if (random.chance(0.1)) {
      const { programId, version } = this.#workload.publish(new Date());
      await this.#publish(programId, version);
    }
    const customers = this.#workload.customers.filter(() => random.chance(0.4));
    const groups = customers.map((customer) => this.#invent(customer));
    const answers = Promise.all(
      groups.map((group) => Promise.all(group.map((intent) => this.#submit(intent)))),
    );
    if (disturbed) await this.#cut();
    const answered = await answers;
    const profiles = await this.profiles();
    for (const group of answered) this.#explain(group, profiles, disturbed);
  }

  /** Every profile as the database has it, by the model's names. */
  async profiles(): Promise<Map<string, ModelProfile>> {
    const { rows } = await this.#counter.database.adminPool.query<{
      name: string;
      enrolled: boolean;
      available: number;
      pending: number;
      tier: string;
      points: number;
      since: Date | null;
    }>(
      `select p.program_id || ' ' || m.external_customer_id as name, enrolled, available, pending, tier,
        qualification_points as points, qualification_since as since
       from program_profiles p join members m on m.environment_id = p.environment_id and m.id = p.member_id
       where p.environment_id = $1`,
      [this.#shop.id],
    );
    return new Map(
      rows.map(({ name, points, since, ...row }) => [
        name,
        { ...row, qualificationPoints: points, countedSinceYear: since?.getUTCFullYear() ?? null },
      ]),
    );
  }

  #invent(customer: string): Intent[] {
    const intents: Intent[] = [];
    const size = this.#random.between(1, MOST_AT_ONCE);
    while (intents.length < size) {
      const twice = intents.length > 0 && this.#random.chance(0.25) ? this.#random.pick(intents) : undefined;
      intents.push(twice ?? this.#workload.next(new Date(), customer));
    }
    return intents;
  }

  /** As a client does: what fails is sent again with the same key, to another process. */
  async #submit(intent: Intent): Promise<Answered> {
    const first = this.#random.below(this.#writers.length);
    for (let attempt = 0; ; attempt++) {
      const writer = this.#writers[(first + attempt) % this.#writers.length] as Writer;
      try {
        const outcome = await writer.submit(intent.command(this.caller));
        return { intent, outcome };
      } catch (error) {
        if (attempt === 5) throw error;
      }
    }
  }

  async #cut(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, this.#random.below(15)));
    await this.#counter.database.adminPool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'rewards writer'`,
    );
  }

  #explain(group: Answered[], profiles: Map<string, ModelProfile>, disturbed: boolean): void {
    const problems = new Set<string>();
    for (const order of permutations(group)) {
      const trial = this.model.fork();
      const problem = findProblem(trial, order, disturbed) ?? findMismatch(trial, profiles);
      if (problem === null) {
        trial.settle();
        for (const answered of group) this.#count(answered);
        return;
      }
      problems.add(problem);
    }
    const sent = group.map(
      ({ intent, outcome }) => `${intent.operation} ${intent.key} ${intent.said}
      → ${JSON.stringify(outcome)}`,
    );
    throw new Error(`No order explains what came of\n${sent.join('\n')}\n${[...problems].join('\n')}`);
  }

  #count({ intent, outcome }: Answered): void {
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

/** Why this order does not explain the answers, or null; the model goes on to where it leads. */
function findProblem(trial: Model, order: readonly Answered[], disturbed: boolean): string | null {
  for (const { intent, outcome } of order) {
    const predicted = predictIntent(trial, intent, timeOf(outcome));
    const answer =
      // Where an answer got lost on the way, the writer found its own work done.
      disturbed && !isRefusal(outcome) && outcome.idempotent && !predicted.replayed
        ? { ...outcome, idempotent: false }
        : outcome;
    const difference = findDifference(answer, predicted);
    if (difference) return `${intent.operation} ${intent.key}: ${difference}`;
  }
  return null;
}

/** Where the profiles that were touched are not as the order would leave them, or null. */
function findMismatch(trial: Model, profiles: Map<string, ModelProfile>): string | null {
  for (const [name, expected] of trial.profiles.own) {
    const found = profiles.get(name);
    const same =
      found && (Object.keys(expected) as (keyof ModelProfile)[]).every((key) => expected[key] === found[key]);
    if (!same) return `${name} is ${JSON.stringify(found)}, expected ${JSON.stringify(expected)}`;
  }
  return null;
}

/** The database's time of a command, as far as its receipt tells. */
function timeOf(outcome: Outcome): Date {
  if (isRefusal(outcome)) return new Date();
  const receipt = outcome.receipt as {
    evaluationMode?: string;
    evaluationAt?: string;
    member?: { consent?: { at: string } };
  };
  const at = receipt.member?.consent?.at ?? receipt.evaluationAt;
  const ownTime = receipt.evaluationMode !== 'event_time_pinned_configuration';
  return at && ownTime ? new Date(at) : new Date();
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
