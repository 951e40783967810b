import type { Decision } from '../ledger/command.ts';
import type { ReadableName, RowOwner, State } from '../ledger/state.ts';
import type { RecordOf } from '../ledger/tables/all-tables.ts';
import type { ChallengeProgressRecord } from '../ledger/tables/challenge-progress.ts';
import type { CouponCodeRecord } from '../ledger/tables/coupon-codes.ts';
import type { EnvironmentRecord } from '../ledger/tables/environments.ts';
import type { LimitCounterRecord } from '../ledger/tables/limit-counters.ts';
import type { MemberRecord } from '../ledger/tables/members.ts';
import type { ProfileRecord } from '../ledger/tables/program-profiles.ts';
import type { SharedCounterRecord } from '../ledger/tables/shared-counters.ts';
import type { PublishedProgram } from '../programs/published/published-program.ts';
import type { PoolCode } from '../rules/compiled/coupons.ts';

/** The simulated state of one member. */
export interface SimulatedMember {
  member: MemberRecord;
  /** Null until the member's first event. Its balances stay at 0, because spending is not simulated. */
  profile: ProfileRecord | null;
  /** Points counted toward limits, by `limitId` and start of the period. Null until the first one. */
  counters: Map<string, number> | null;
  progress: ChallengeProgressRecord[];
}

/**
 * The state that commands decide on in a simulation: one program, its members, and for each member only what awards
 * depend on. It has no lots, orders and reservations, so nothing can be spent, returned or replayed.
 */
export class SimulatedState implements State {
  readonly environment: EnvironmentRecord;
  readonly #program: PublishedProgram;
  readonly #members = new Map<string, SimulatedMember>();
  readonly #memberOf = new Map<string, SimulatedMember>();
  readonly #shared = new Map<string, number>();
  /** By what receipts show of them. */
  readonly #codes = new Map<string, CouponCodeRecord>();
  #ids = 0;

  constructor(environmentId: string, program: PublishedProgram) {
    this.environment = { id: environmentId, kind: 'sandbox', locked: false, revision: 1 };
    this.#program = program;
  }

  /** Adds a member. */
  add(member: MemberRecord, profile: ProfileRecord | null = null): SimulatedMember {
    const added: SimulatedMember = { member, profile, counters: null, progress: [] };
    this.#members.set(member.id, added);
    this.#memberOf.set(member.externalCustomerId, added);
    return added;
  }

  /** @param id UUID */
  memberById(id: string): SimulatedMember | null {
    return this.#members.get(id) ?? null;
  }

  setCounter(owner: SimulatedMember, limitId: string, periodStart: Date, points: number): void {
    owner.counters ??= new Map();
    owner.counters.set(counterKey(limitId, periodStart), points);
  }

  setShared(counterId: string, amount: number): void {
    this.#shared.set(counterId, amount);
  }

  /**
   * Sets a code of a pool to what it was when a purchase came with it.
   * @param shown what the purchase's receipt shows of it: the simulation knows no more
   * @param buyer whose the code is, where it was assigned to the buyer
   */
  setCode(
    shown: string,
    { poolId, uses, usesAllowed, assigned, disabled }: PoolCode,
    buyer: SimulatedMember,
  ): void {
    const toSomebody = assigned === 'to_buyer' ? buyer.member.id : '';
    this.#codes.set(shown, {
      programId: this.#program.programId,
      codeHash: shown,
      poolId,
      prefix: shown.slice(0, -1),
      uses,
      usesAllowed,
      assignedTo: assigned === 'to_nobody' ? null : toSomebody,
      disabledAt: disabled ? new Date(0) : null,
      createdAt: new Date(0),
    });
  }

  /** Keeps what later decisions depend on. */
  apply({ updates, inserts }: Decision): void {
    for (const profile of [...(inserts.profiles ?? []), ...(updates.profiles ?? [])]) {
      const owner = this.#members.get(profile.memberId);
      if (owner) owner.profile = { ...profile, available: 0, pending: 0, reserved: 0, nextDueAt: null };
    }
    for (const { memberId, limitId, periodStart, points } of updates.limitCounters ?? []) {
      const owner = this.#members.get(memberId);
      if (owner) this.setCounter(owner, limitId, periodStart, points);
    }
    for (const { counterId, taken } of updates.sharedCounters ?? []) this.#shared.set(counterId, taken);
    for (const row of updates.challengeProgress ?? []) this.#advance(row);
  }

  #advance(row: ChallengeProgressRecord): void {
    const owner = this.#members.get(row.memberId);
    if (!owner) return;
    const { challengeId, windowStart } = row;
    const index = owner.progress.findIndex(
      (known) => known.challengeId === challengeId && known.windowStart.getTime() === windowStart.getTime(),
    );
    if (index === -1) owner.progress.push(row);
    else owner.progress[index] = row;
  }

  program(programId: string): PublishedProgram | null {
    return programId === this.#program.programId ? this.#program : null;
  }

  programs(): PublishedProgram[] {
    return [this.#program];
  }

  member(externalCustomerId: string): MemberRecord | null {
    return this.#memberOf.get(externalCustomerId)?.member ?? null;
  }

  profile(programId: string, externalCustomerId: string): ProfileRecord | null {
    if (programId !== this.#program.programId) return null;
    return this.#memberOf.get(externalCustomerId)?.profile ?? null;
  }

  profilesOf(externalCustomerId: string): ProfileRecord[] {
    const profile = this.#memberOf.get(externalCustomerId)?.profile;
    return profile ? [profile] : [];
  }

  limitCounter(
    programId: string,
    externalCustomerId: string,
    limitId: string,
    periodStart: Date,
  ): LimitCounterRecord | null {
    const owner = this.#memberOf.get(externalCustomerId);
    const points = owner?.counters?.get(counterKey(limitId, periodStart));
    if (!owner || points === undefined) return null;
    return { programId, memberId: owner.member.id, limitId, periodStart, points };
  }

  sharedCounter(programId: string, counterId: string): SharedCounterRecord | null {
    const taken = this.#shared.get(counterId);
    return taken === undefined ? null : { programId, counterId, taken };
  }

  couponCode(_programId: string, code: string): CouponCodeRecord | null {
    return this.#codes.get(code) ?? null;
  }

  /** A UUID that is unique in this simulation. */
  newId(): string {
    this.#ids += 1;
    return `00000000-0000-7000-8000-${this.#ids.toString(16).padStart(12, '0')}`;
  }

  /** Every event is new: no row is found by its reference or id. */
  row(): null {
    return null;
  }

  /** Of the tables that rows are read from by their member, awards depend on the progress of challenges alone. */
  rowsOf<N extends ReadableName>(table: N, { externalCustomerId = '' }: RowOwner): RecordOf<N>[] {
    const rows = table === 'challengeProgress' ? this.#memberOf.get(externalCustomerId)?.progress : undefined;
    return (rows ?? []) as RecordOf<N>[];
  }

  // The tables that awards do not depend on are empty.
  isErased = (): false => false;
  isOf = (): false => false;
  profileOf = (): null => null;
  stock = (): null => null;
  loadedPointsIfDue = (): null => null;
  lotsMovedFrom = (): never[] => [];
  lotsOfOrigin = (): never[] => [];
  mergedInto = (): never[] => [];
  unfinishedReplays = (): never[] => [];
  openQuotes = (): never[] => [];
  postingsOf = (): never[] => [];
  lendingLots = (): never[] => [];

  loadedPoints(_programId: string, externalCustomerId: string) {
    return { externalCustomerId, lots: [], limit: null, reservations: [], moreDue: false };
  }

  lot(id: string): never {
    throw new RangeError(`a simulation holds no lot ${id}`);
  }

  movableClock(): never {
    throw new RangeError('a simulation moves no clock');
  }

  orderOf(): never {
    throw new RangeError('a simulation holds no orders');
  }
}

function counterKey(limitId: string, periodStart: Date): string {
  return `${limitId}\u0000${periodStart.getTime()}`;
}
