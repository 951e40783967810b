import {
  type Intent,
  type Operation,
  predictIntent,
  type Surroundings,
} from '../../../simulator/client/intent.ts';
import type { LookupKey } from '../../../simulator/client/lookups.ts';
import { Model, nameOf } from '../../../simulator/model/model.ts';
import { sumOf } from '../../../simulator/model/points.ts';
import { requalifyProfileOperation } from '../../../simulator/operations/members/requalify-profile.ts';
import { settleProfileOperation } from '../../../simulator/operations/members/settle-profile.ts';
import { Random } from '../../../simulator/random.ts';
import { findDifference } from '../../../simulator/run/judge.ts';
import { publishedVersion, Workload } from '../../../simulator/run/workload.ts';
import { readReferralCode } from '../../../src/commands/shared/referral-code.ts';
import type { Writer } from '../../../src/ledger/batch/writer.ts';
import type { Outcome } from '../../../src/ledger/command.ts';
import type { ResourceOwner } from '../../../src/ledger/resource-owner.ts';
import { findReferrer, ResourceOwners } from '../../../src/queries/shared/resource-owners.ts';
import { isRefusal } from '../../../src/refusal.ts';
import type { TestDatabase } from '../database.ts';
import type { TestEnvironment } from '../surfaces/world.ts';
import { storedCodes, storedLots } from './stored-profiles.ts';

/** What a profile has, in the service and in the model. */
export interface Standing {
  tier: string;
  available: number;
  pending: number;
  reserved: number;
}

/** Few, so that each one makes many commands. */
const CUSTOMERS = 6;

/**
 * The simulator's workload in one Sandbox whose clock stands where the test has set it, one command after the other,
 * beside the model, whose clock it is too.
 */
export class SandboxYear {
  readonly model = new Model();
  readonly outcomes = new Map<string, number>();
  readonly #random: Random;
  readonly #workload: Workload;
  readonly #database: TestDatabase;
  readonly #shop: TestEnvironment;
  readonly #writer: Writer;
  #codes = new Map<string, string>();
  #lots: Awaited<ReturnType<typeof storedLots>> = new Map();

  constructor(seed: number, database: TestDatabase, shop: TestEnvironment, writer: Writer) {
    this.#random = new Random(seed);
    this.#workload = new Workload(this.#random, this.model, {
      referralCodeOf: (programId, customer) => this.#codes.get(nameOf(programId, customer)) ?? null,
      lotsOf: (programId, customer) => this.#lots.get(nameOf(programId, customer)) ?? null,
    });
    this.#database = database;
    this.#shop = shop;
    this.#writer = writer;
  }

  get customers(): readonly string[] {
    return this.#workload.customers.slice(0, CUSTOMERS);
  }

  /** Publishes the first version of each program. */
  async begin(now: Date): Promise<void> {
    const { adminPool } = this.#database;
    for (const { programId, version: plain } of this.#workload.firstVersions(now)) {
      this.model.programs.set(programId, [plain]);
      const { version, effectiveFrom, publishedAt, document } = publishedVersion(plain);
      await adminPool.query('insert into programs values ($1, $2)', [this.#shop.id, programId]);
      await adminPool.query(
        `insert into program_versions values ($1, $2, $3, $4, sha256('x'), $5, $6, 'test')`,
        [this.#shop.id, programId, version, document, effectiveFrom, publishedAt],
      );
    }
    await adminPool.query('update environments set revision = revision + 1 where id = $1', [this.#shop.id]);
  }

  /** Time has passed: what the sweep has done in the service is done in the model. */
  sweep(now: Date): void {
    for (const name of [...this.model.profiles.ownRows.keys()]) {
      const [programId = '', customer = ''] = name.split(' ');
      this.#predictAlone(requalifyProfileOperation, programId, customer, now);
      this.#predictAlone(settleProfileOperation, programId, customer, now);
    }
    for (const [name, adjustment] of [...this.model.adjustments.ownRows]) {
      if (adjustment.state === 'requested' && adjustment.expiresAt <= now.getTime()) {
        this.model.adjustments.set(name, { ...adjustment, state: 'expired' });
      }
    }
  }

  /** Runs new commands of some customers. @throws where an outcome is not the one that the model predicts */
  async run(commands: number, now: Date): Promise<void> {
    const { adminPool } = this.#database;
    this.#codes = await storedCodes(adminPool, this.#shop.id);
    this.#lots = await storedLots(adminPool, this.#shop.id);
    for (let index = 0; index < commands; index++) {
      this.model.clockAheadMs = now.getTime() - Date.now();
      const customer = this.#random.pick(this.customers);
      const intent = this.#workload.next(now, customer, this.customers);
      const owner = intent.lookup && (await this.#lookUp(intent.lookup));
      const predicted = predictIntent(this.model, intent, { now, isFound: owner !== null });
      const caller = {
        environmentId: this.#shop.id,
        actor: { type: 'api_key' as const, id: 'simulator' },
        requestId: 'req_simulated',
      };
      const outcome = await this.#writer.submit(intent.command(caller, owner));
      const difference = findDifference(outcome, predicted);
      if (difference) {
        throw new Error(`${intent.operation} ${intent.input} at ${now.toISOString()}: ${difference}`);
      }
      this.#take(intent, outcome);
    }
  }

  /** What the model's profile has; null where the member was never enrolled. */
  standing(programId: string, customer: string): Standing | null {
    const profile = this.model.profiles.get(nameOf(programId, customer));
    if (!profile) return null;
    const [available, pending] = [sumOf(profile, 'available'), sumOf(profile, 'pending')];
    return { tier: profile.tier, available, pending, reserved: sumOf(profile, 'reserved') };
  }

  #predictAlone(operation: Operation, programId: string, customer: string, now: Date): void {
    const place = { customers: [customer], programIds: [programId] };
    const surroundings = {
      random: this.#random,
      now,
      model: this.model,
      ...place,
    } as unknown as Surroundings;
    const intent = operation.invent(surroundings, 'sweep');
    if (intent) predictIntent(this.model, intent, { now, isFound: false });
  }

  #take(intent: Intent, outcome: Outcome): void {
    if (!isRefusal(outcome) && intent.keyed) this.#workload.learn(intent, outcome.receipt);
    const code = isRefusal(outcome) ? outcome.code : outcome.idempotent ? 'replayed' : 'done';
    const name = `${intent.operation} ${code}`;
    this.outcomes.set(name, (this.outcomes.get(name) ?? 0) + 1);
  }

  async #lookUp(key: LookupKey): Promise<ResourceOwner | null> {
    const { adminPool } = this.#database;
    if (key.kind !== 'referralCode')
      return new ResourceOwners({ of: () => adminPool }).find(this.#shop.id, key);
    const { programId, code } = key;
    const referrer = await findReferrer(adminPool, this.#shop.id, programId, readReferralCode(code));
    return referrer === null ? null : { externalCustomerId: referrer, programId, points: 0, rewardId: null };
  }
}
