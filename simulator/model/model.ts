import type { ErrorCode } from '../../src/contract/generated/error-codes.ts';
import type { PlainVersion } from '../programs/program.ts';
import type { ModelCode } from './codes.ts';
import type { ExpectedEvent, MadeId } from './expected-event.ts';
import type { ModelGrant } from './grant.ts';
import { LayeredTable } from './layered-table.ts';
import type { ModelUndo } from './merge-undo.ts';
import { type Part, sumOf } from './points.ts';
import type { ModelProfile } from './profile.ts';
import type { ModelProgress } from './progress.ts';
import type { ModelOrder } from './returns.ts';

/**
 * The outcome that the model expects of a command: a refusal with a code, or a receipt that contains at least these
 * fields. `repeated` is true where the receipt is that of an earlier command with another key.
 */
export type Prediction = { code: ErrorCode } | { receipt: object; repeated?: boolean };

export interface ModelMember {
  displayName: string | null;
  tags: readonly string[];
  lists: readonly string[];
  suspended: boolean;
  /** Whether the consent of the identity is given. */
  granted: boolean;
  noticeVersion: string;
  consentAt: number;
}

/** An event that a command reports: about a profile, by its name, about a program, or about a member. */
type ToldEvent = { type: string; data: ExpectedEvent['data'] } & (
  | { profile: string }
  | { programId: string }
  | { customer: string }
);

/** The record that is stored under an idempotency key. */
export interface ModelIdempotencyKey {
  /** The input, as text. */
  input: string;
  receipt: object;
  /** Whether the receipt is that of an earlier command with another key. */
  repeated: boolean;
}

export interface ModelQuote {
  /** The profile's name. */
  profile: string;
  programId: string;
  externalCustomerId: string;
  /** The service makes that of a redemption in a widget. */
  sourceReference: string | MadeId;
  rewardId: string;
  state: 'quoted' | 'reserved' | 'expired' | 'cancelled';
  points: number;
  /** What the points pay for; null where the reward has a fixed price. */
  discount: { amountMinor: number; orderAmountMinor: number | null } | null;
  expiresAt: number;
  holdSeconds: number;
  evidenceRequired: boolean;
  customerReverses: boolean;
  graceDays: number;
  inventory: number | null;
}

export interface ModelReservation {
  quote: ModelQuote;
  state: 'reserved' | 'committed' | 'released' | 'expired' | 'reversed';
  expiresAt: number;
  /** Whether the reward was taken out of a limited stock. */
  stocked: boolean;
  /** The points spent and not given back, by lot, in the order of spending; empty before the commit. */
  spent: readonly Part[];
  /** How much of the discount was reversed. */
  reversedMinor: number;
  fulfillment: 'pending' | 'shipped' | 'delivered' | 'failed' | null;
  /** The number of disputes that were opened of it. */
  disputes: number;
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
  reason: string;
  state: 'requested' | 'posted' | 'rejected' | 'reversed' | 'expired';
  requestedBy: string;
  expiresAt: number;
  /** The points credited or debited, by lot, once it is posted. */
  parts: readonly Part[];
}

export interface ModelMerge {
  /** Names of members, as they were when the merge was asked for. */
  source: string;
  target: string;
  state: 'requested' | 'merged' | 'rejected' | 'unmerge_requested' | 'unmerged';
  requestedBy: string;
  expiresAt: number;
  /** When it was approved, and what it has changed; null before. */
  done: { at: number; undo: ModelUndo } | null;
  /** Who has asked to undo it, and until when that can be decided. */
  unmerge: { requestedBy: string; expiresAt: number } | null;
}

export interface ModelSettlement {
  /** The profile's name. */
  profile: string;
  programId: string;
  partnerId: string;
  direction: 'in' | 'out';
  points: number;
  /** The reference of the settlement that this one reverses; null for one that is not a reversal. */
  reverses: string | null;
  /** Whether it was reversed. */
  reversed: boolean;
  /** The points of the lots that it changed; empty for a reversal. */
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
  /** Member, choice set and reward of the claim, as one text. */
  claimed: string;
  receipt: object;
}

/**
 * The state that the service should have, computed in the simplest way. It shares no code with the rules and the
 * ledger, so an error there is not repeated here.
 */
export class Model {
  /** By customer. */
  readonly members: LayeredTable<ModelMember>;
  /** By program and customer. */
  readonly profiles: LayeredTable<ModelProfile>;
  /** By order reference. */
  readonly orders: LayeredTable<ModelOrder>;
  /** By return reference. */
  readonly returns: LayeredTable<ModelReturn>;
  /**
   * Quotes, reservations, disputes and adjustments by operation and idempotency key of the command that made them:
   * their ids are not known beforehand.
   */
  readonly quotes: LayeredTable<ModelQuote>;
  readonly reservations: LayeredTable<ModelReservation>;
  readonly disputes: LayeredTable<ModelDispute>;
  readonly adjustments: LayeredTable<ModelAdjustment>;
  /** By operation and idempotency key of the command that asked for it. */
  readonly merges: LayeredTable<ModelMerge>;
  /** The name of the member that each merged member's name answers for. */
  readonly targets: LayeredTable<string>;
  /** By settlement reference. */
  readonly settlements: LayeredTable<ModelSettlement>;
  /** How many are reserved or redeemed, by program and reward. Only rewards with a limited inventory are counted. */
  readonly stocks: LayeredTable<number>;
  /** Counters of a member's limits, by program, customer, what is limited and the first day of its period. */
  readonly counted: LayeredTable<number>;
  /** Counters of limits that all members share, by program and what is limited. */
  readonly shared: LayeredTable<number>;
  /** Codes of pools, by their names. */
  readonly codes: LayeredTable<ModelCode>;
  /** By the event's reference. */
  readonly events: LayeredTable<ModelEvent>;
  /** Windows of a challenge, by program, customer and challenge. */
  readonly progress: LayeredTable<readonly ModelProgress[]>;
  /** Choices that were granted, by program and customer, the oldest first. */
  readonly grants: LayeredTable<readonly ModelGrant[]>;
  /** By the claim's reference. */
  readonly claims: LayeredTable<ModelClaim>;
  /** By operation and idempotency key. */
  readonly idempotencyKeys: LayeredTable<ModelIdempotencyKey>;
  readonly programs: Map<string, PlainVersion[]>;
  /** The names of codes by the keys of their rows. */
  readonly codeNames: Map<string, string>;
  /**
   * Names of quotes, reservations, disputes and adjustments by the ids that receipts have shown; and of profiles by
   * program and referral code.
   */
  readonly names: Map<string, string>;
  readonly #base: Model | null;
  /** What the command that runs has told of: the profile's name in place of the balances, which may still change. */
  #events: ToldEvent[] = [];
  /** By command, in the order of commits; without commands that report nothing. */
  #expectedEvents: ExpectedEvent[][] = [];
  #locked = false;
  #clockAheadMs = 0;
  #numbers = 0;

  constructor(base: Model | null = null) {
    this.#base = base;
    this.members = new LayeredTable(base?.members ?? null);
    this.profiles = new LayeredTable(base?.profiles ?? null);
    this.orders = new LayeredTable(base?.orders ?? null);
    this.returns = new LayeredTable(base?.returns ?? null);
    this.quotes = new LayeredTable(base?.quotes ?? null);
    this.reservations = new LayeredTable(base?.reservations ?? null);
    this.disputes = new LayeredTable(base?.disputes ?? null);
    this.adjustments = new LayeredTable(base?.adjustments ?? null);
    this.merges = new LayeredTable(base?.merges ?? null);
    this.targets = new LayeredTable(base?.targets ?? null);
    this.settlements = new LayeredTable(base?.settlements ?? null);
    this.stocks = new LayeredTable(base?.stocks ?? null);
    this.codes = new LayeredTable(base?.codes ?? null);
    this.counted = new LayeredTable(base?.counted ?? null);
    this.shared = new LayeredTable(base?.shared ?? null);
    this.events = new LayeredTable(base?.events ?? null);
    this.progress = new LayeredTable(base?.progress ?? null);
    this.grants = new LayeredTable(base?.grants ?? null);
    this.claims = new LayeredTable(base?.claims ?? null);
    this.idempotencyKeys = new LayeredTable(base?.idempotencyKeys ?? null);
    this.programs = base ? base.programs : new Map();
    this.names = base ? base.names : new Map();
    this.codeNames = base ? base.codeNames : new Map();
  }

  /** How far the environment's clock is ahead of the real time, which sessions of widgets go by. */
  get clockAheadMs(): number {
    return this.#base ? this.#base.clockAheadMs : this.#clockAheadMs;
  }

  set clockAheadMs(clockAheadMs: number) {
    this.#clockAheadMs = clockAheadMs;
  }

  get locked(): boolean {
    return this.#base ? this.#base.locked : this.#locked;
  }

  set locked(locked: boolean) {
    this.#locked = locked;
  }

  /** A number higher than all before; a fork draws from the same sequence. */
  nextNumber(): number {
    if (this.#base) return this.#base.nextNumber();
    this.#numbers += 1;
    return this.#numbers;
  }

  /** A copy to run commands on; `commit` writes its changes back. */
  fork(): Model {
    return new Model(this);
  }

  /** Writes the changes into the model that this was forked from. */
  commit(): void {
    for (const table of this.#tables()) table.commit();
    if (this.#base) this.#base.#expectedEvents.push(...this.#expectedEvents);
    this.#expectedEvents = [];
  }

  /** The command reports an event about a profile. @param name of the profile */
  tell(type: string, name: string, data: ExpectedEvent['data']): void {
    this.#events.push({ type, profile: name, data });
  }

  /** The command reports an event about a program, and about no member. */
  tellOfProgram(type: string, programId: string, data: ExpectedEvent['data']): void {
    this.#events.push({ type, programId, data });
  }

  /** The command reports an event about a member, and about no program. */
  tellOfMember(type: string, customer: string, data: ExpectedEvent['data']): void {
    this.#events.push({ type, customer, data });
  }

  /** Ends a command. @param done whether it was carried out; where it was refused it reports nothing */
  endCommand(done: boolean): void {
    const told = done ? this.#events : [];
    this.#events = [];
    if (told.length > 0) this.#expectedEvents.push(told.map((event) => this.#withBalances(event)));
  }

  /** The events of the commands since the last call, by command, in the order of commits. */
  takeExpectedEvents(): ExpectedEvent[][] {
    const expected = this.#expectedEvents;
    this.#expectedEvents = [];
    return expected;
  }

  #withBalances(event: ToldEvent): ExpectedEvent {
    const { type, data } = event;
    if ('programId' in event) {
      return { type, programId: event.programId, externalCustomerId: null, data, balances: null };
    }
    if ('customer' in event) {
      return { type, programId: null, externalCustomerId: event.customer, data, balances: null };
    }
    const { profile: name } = event;
    const profile = this.profiles.get(name);
    if (!profile) throw new Error(`the model has no profile ${name}`);
    const [programId, externalCustomerId] = name.split(' ') as [string, string];
    const [available, pending, reserved] = (['available', 'pending', 'reserved'] as const).map((amount) =>
      sumOf(profile, amount),
    ) as [number, number, number];
    return { type, programId, externalCustomerId, data, balances: { available, pending, reserved } };
  }

  #tables(): LayeredTable<unknown>[] {
    const { members, profiles, orders, returns, quotes, reservations, disputes, adjustments } = this;
    const known = [members, profiles, orders, returns, quotes, reservations, disputes, adjustments];
    const {
      merges,
      targets,
      settlements,
      stocks,
      codes,
      counted,
      shared,
      events,
      progress,
      grants,
      claims,
      idempotencyKeys,
    } = this;
    return [
      ...known,
      merges,
      targets,
      settlements,
      stocks,
      codes,
      counted,
      shared,
      events,
      progress,
      grants,
      claims,
      idempotencyKeys,
    ] as LayeredTable<unknown>[];
  }

  /** The name of the member that a name answers for. */
  nameFor(externalCustomerId: string): string {
    return this.targets.get(externalCustomerId) ?? externalCustomerId;
  }

  /** Whether there is such a member, and it may earn and redeem. */
  isActive(externalCustomerId: string): boolean {
    const member = this.members.get(externalCustomerId);
    return member?.granted === true && !member.suspended;
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
