import type { ErrorCode } from '../contract/generated/error-codes.ts';
import type { PlainVersion } from './plain-program.ts';

/** What the model says of a command: refused with a code, or answered with a receipt that holds at least this. */
export type Prediction = { code: ErrorCode } | { receipt: object };

export interface ModelProfile {
  enrolled: boolean;
  available: number;
  pending: number;
  tier: string;
  qualificationPoints: number;
  /** First year that they were counted in; null over the lifetime. */
  countedSinceYear: number | null;
}

/** What stands under an idempotency key. */
export interface ModelAnswer {
  /** The input, as text. */
  said: string;
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
  /** Points, by order reference. */
  readonly orders: Shelf<number>;
  /** Points counted against a member limit, by program, customer, kind of period and its first day. */
  readonly counted: Shelf<number>;
  /** By operation and key. */
  readonly answers: Shelf<ModelAnswer>;
  readonly programs: Map<string, PlainVersion[]>;
  readonly #base: Model | null;
  #locked = false;

  constructor(base: Model | null = null) {
    this.#base = base;
    this.members = new Shelf(base?.members ?? null);
    this.profiles = new Shelf(base?.profiles ?? null);
    this.orders = new Shelf(base?.orders ?? null);
    this.counted = new Shelf(base?.counted ?? null);
    this.answers = new Shelf(base?.answers ?? null);
    this.programs = base ? base.programs : new Map();
  }

  get locked(): boolean {
    return this.#base ? this.#base.locked : this.#locked;
  }

  set locked(locked: boolean) {
    this.#locked = locked;
  }

  /** The same state, to try commands on. */
  fork(): Model {
    return new Model(this);
  }

  /** Takes what was tried over into the model that this was forked from. */
  settle(): void {
    for (const shelf of [this.members, this.profiles, this.orders, this.counted, this.answers])
      shelf.settle();
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
