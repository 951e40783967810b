import type { ErrorCode } from '../../contract/generated/error-codes.ts';
import type { PlainVersion } from '../programs/program.ts';
import type { ModelGrant } from './grant.ts';
import type { ModelPoints, Part } from './points.ts';
import type { ModelProgress } from './progress.ts';
import type { ModelOrder } from './returns.ts';

/**
 * What the model says of a command: refused with a code, or answered with a receipt that holds at least this. An
 * answer is `repeated` where it is that of an earlier command under another key.
 */
export type Prediction = { code: ErrorCode } | { receipt: object; repeated?: boolean };

export interface ModelProfile extends ModelPoints {
  enrolled: boolean;
  tier: string;
  qualificationPoints: number;
  /** Start of the year that they are counted in, or the day of enrollment or of the last fall; null over the lifetime. */
  countedSince: number | null;
  /** What they are made of, by UTC day, where the window is rolling. */
  earned: readonly { day: number; points: number }[] | null;
  /** Names of quotes that wait to be reserved. */
  quotes: readonly string[];
  /** Purchases, and what they came to, less what went back. */
  purchases: number;
  spentMinor: number;
  /** Whether there is a referral code. */
  hasCode: boolean;
  /** The name of the profile whose code the first purchase came with. */
  referredBy: string | null;
  /** Those that this one was rewarded for. */
  referrals: number;
}

/** What stands under an idempotency key. */
export interface ModelAnswer {
  /** The input, as text. */
  said: string;
  receipt: object;
  /** That of an earlier command under another key. */
  repeated: boolean;
}

export interface ModelQuote {
  /** The profile's name. */
  profile: string;
  programId: string;
  externalCustomerId: string;
  sourceReference: string;
  rewardId: string;
  state: 'quoted' | 'reserved' | 'expired' | 'cancelled';
  points: number;
  expiresAt: number;
  holdSeconds: number;
  evidenceRequired: boolean;
  graceDays: number;
  inventory: number | null;
}

export interface ModelReservation {
  quote: ModelQuote;
  state: 'reserved' | 'committed' | 'released' | 'expired' | 'reversed';
  expiresAt: number;
  /** Whether it was taken out of a stock. */
  stocked: boolean;
  /** What was spent, once it is. */
  spent: readonly Part[];
  fulfillment: 'pending' | 'shipped' | 'delivered' | 'failed' | null;
}

export interface ModelDispute {
  /** The reservation's name. */
  reservation: string;
  state: 'open' | 'resolved' | 'rejected';
}

export interface ModelAdjustment {
  /** The profile's name. */
  profile: string;
  programId: string;
  externalCustomerId: string;
  direction: 'credit' | 'debit';
  points: number;
  state: 'requested' | 'posted' | 'rejected' | 'reversed' | 'expired';
  requestedBy: string;
  expiresAt: number;
  /** What was given or taken, once it is posted. */
  parts: readonly Part[];
}

export interface ModelReturn {
  sourceReference: string;
  receipt: object;
}

export interface ModelEvent {
  type: string;
  externalCustomerId: string;
  receipt: object;
}

export interface ModelClaim {
  /** Who claimed what. */
  claimed: string;
  receipt: object;
}

/** A table of the model, or a change to one that nobody else sees yet. */
export class Shelf<V> {
  readonly #own = new Map<string, V>();
  readonly #base: Shelf<V> | null;

  constructor(base: Shelf<V> | null) {
    this.#base = base;
  }

  get(key: string): V | null {
    return this.#own.get(key) ?? this.#base?.get(key) ?? null;
  }

  set(key: string, value: V): void {
    this.#own.set(key, value);
  }

  /** What was set here. */
  get own(): ReadonlyMap<string, V> {
    return this.#own;
  }

  settle(): void {
    for (const [key, value] of this.#own) this.#base?.set(key, value);
    this.#own.clear();
  }
}

/**
 * What the service should hold, in the plainest terms. Shares no code with the rules and the ledger: what both get
 * wrong in the same way would have to be got wrong twice.
 */
export class Model {
  /** By customer. */
  readonly members: Shelf<true>;
  /** By program and customer. */
  readonly profiles: Shelf<ModelProfile>;
  /** By order reference. */
  readonly orders: Shelf<ModelOrder>;
  /** By return reference. */
  readonly returns: Shelf<ModelReturn>;
  /** Quotes and so on by the name of the answer that made them: nobody knows beforehand what ids they get. */
  readonly quotes: Shelf<ModelQuote>;
  readonly reservations: Shelf<ModelReservation>;
  readonly disputes: Shelf<ModelDispute>;
  readonly adjustments: Shelf<ModelAdjustment>;
  /** How many are held or spent, by program and reward. None where no reservation of it was limited. */
  readonly stocks: Shelf<number>;
  /** What counts for a member's limits, by program, customer, what is limited and the first day of its period. */
  readonly counted: Shelf<number>;
  /** What counts for limits that all members share, by program and what is limited. */
  readonly shared: Shelf<number>;
  /** By the event's reference. */
  readonly events: Shelf<ModelEvent>;
  /** Windows of a challenge, by program, customer and challenge. */
  readonly progress: Shelf<readonly ModelProgress[]>;
  /** Choices that were granted, by program and customer, the oldest first. */
  readonly grants: Shelf<readonly ModelGrant[]>;
  /** By the claim's reference. */
  readonly claims: Shelf<ModelClaim>;
  /** By operation and key. */
  readonly answers: Shelf<ModelAnswer>;
  readonly programs: Map<string, PlainVersion[]>;
  /**
   * Names of quotes, reservations, disputes and adjustments, by the ids that answers have told; and of profiles, by
   * program and referral code.
   */
  readonly names: Map<string, string>;
  readonly #base: Model | null;
  #locked = false;
  #numbers = 0;

  constructor(base: Model | null = null) {
    this.#base = base;
    this.members = new Shelf(base?.members ?? null);
    this.profiles = new Shelf(base?.profiles ?? null);
    this.orders = new Shelf(base?.orders ?? null);
    this.returns = new Shelf(base?.returns ?? null);
    this.quotes = new Shelf(base?.quotes ?? null);
    this.reservations = new Shelf(base?.reservations ?? null);
    this.disputes = new Shelf(base?.disputes ?? null);
    this.adjustments = new Shelf(base?.adjustments ?? null);
    this.stocks = new Shelf(base?.stocks ?? null);
    this.counted = new Shelf(base?.counted ?? null);
    this.shared = new Shelf(base?.shared ?? null);
    this.events = new Shelf(base?.events ?? null);
    this.progress = new Shelf(base?.progress ?? null);
    this.grants = new Shelf(base?.grants ?? null);
    this.claims = new Shelf(base?.claims ?? null);
    this.answers = new Shelf(base?.answers ?? null);
    this.programs = base ? base.programs : new Map();
    this.names = base ? base.names : new Map();
  }

  get locked(): boolean {
    return this.#base ? this.#base.locked : this.#locked;
  }

  set locked(locked: boolean) {
    this.#locked = locked;
  }

  /** Numbers things in the order in which they are done, whoever tries them. */
  nextNumber(): number {
    if (this.#base) return this.#base.nextNumber();
    this.#numbers += 1;
    return this.#numbers;
  }

  /** The same state, to try commands on. */
  fork(): Model {
    return new Model(this);
  }

  /** Takes what was tried over into the model that this was forked from. */
  settle(): void {
    for (const shelf of this.#shelves()) shelf.settle();
  }

  #shelves(): Shelf<unknown>[] {
    const { members, profiles, orders, returns, quotes, reservations, disputes, adjustments } = this;
    const known = [members, profiles, orders, returns, quotes, reservations, disputes, adjustments];
    const { stocks, counted, shared, events, progress, grants, claims, answers } = this;
    return [...known, stocks, counted, shared, events, progress, grants, claims, answers] as Shelf<unknown>[];
  }

  /** The version in effect. */
  versionAt(programId: string, at: Date): PlainVersion | null {
    const versions = this.programs.get(programId) ?? [];
    return versions.filter((candidate) => candidate.effectiveFrom <= at).at(-1) ?? null;
  }
}

/** The name of a profile. */
export function nameOf(programId: string, externalCustomerId: string): string {
  return `${programId} ${externalCustomerId}`;
}
