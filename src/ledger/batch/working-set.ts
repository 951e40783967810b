import type { PublishedProgram } from '../../programs/published/published-program.ts';
import type { Changes, Subject } from '../command.ts';
import type { LoadedPoints, ProfileKey, ReadableName, RowOwner, State } from '../state.ts';
import { kindsBy, type RecordOf, TABLES, type TableLookUp, type TableName } from '../tables/all-tables.ts';
import { type CouponCodeRecord, wantedCodeHash } from '../tables/coupon-codes.ts';
import type { EnvironmentClock, EnvironmentRecord, MovableClock } from '../tables/environments.ts';
import { type ReferenceKind, referenceName } from '../tables/erased-references.ts';
import { keyOf } from '../tables/key-of.ts';
import type { LimitCounterRecord } from '../tables/limit-counters.ts';
import type { LookUpKey } from '../tables/look-up.ts';
import { expiryChangeOf } from '../tables/lot-expiry-changes.ts';
import type { LotRecord } from '../tables/lot-rows.ts';
import type { MemberRecord } from '../tables/members.ts';
import { isUnfinishedReplay, type OperationRecord } from '../tables/operations.ts';
import type { OrderRecord } from '../tables/orders.ts';
import type { PostingRecord } from '../tables/postings.ts';
import type { ProfileRecord } from '../tables/program-profiles.ts';
import { loadRows, type RecordSet, type RowSet } from '../tables/record-set.ts';
import type { QuoteRecord } from '../tables/redemption-quotes.ts';
import type { StockRecord } from '../tables/reward-stocks.ts';
import type { SharedCounterRecord } from '../tables/shared-counters.ts';
import { type BatchRows, newRows } from './batch-rows.ts';
import { subjectKey } from './subject-key.ts';

/** Everything that one batch has locked, loaded and decided, and not yet flushed. */
export class WorkingSet implements State {
  readonly environment: EnvironmentRecord;
  readonly rows: BatchRows = newRows();
  readonly newId: () => string;
  readonly #programs: ReadonlyMap<string, PublishedProgram>;
  readonly #subjects = new Set<string>();
  readonly #erased: ReadonlySet<string>;
  readonly #clock: MovableClock | null;
  readonly #couponSecret: string | null;
  /** The clock that the environment gets; null where it stays as it is. */
  newClock: EnvironmentClock | null = null;

  /**
   * @param erased the names (`referenceName`) among those of the batch that erasures have taken from their rows
   * @param clock null where no command moves it
   * @param couponSecret with which codes of pools are hashed, in hexadecimal; null where the environment has none
   */
  constructor(
    environment: EnvironmentRecord,
    programs: ReadonlyMap<string, PublishedProgram>,
    newId: () => string,
    {
      erased = new Set(),
      clock = null,
      couponSecret = null,
    }: { erased?: ReadonlySet<string>; clock?: MovableClock | null; couponSecret?: string | null } = {},
  ) {
    this.#erased = erased;
    this.#clock = clock;
    this.#couponSecret = couponSecret;
    this.environment = environment;
    this.#programs = programs;
    this.newId = newId;
  }

  /** Marks a subject as locked and loaded, whether a row was found or not. */
  admit(subject: Subject): void {
    this.#subjects.add(subjectKey(subject));
  }

  program(programId: string): PublishedProgram | null {
    return this.#programs.get(programId) ?? null;
  }

  programs(): PublishedProgram[] {
    return [...this.#programs.values()].sort((a, b) => (a.programId < b.programId ? -1 : 1));
  }

  isErased(kind: ReferenceKind, ...names: string[]): boolean {
    return this.#erased.size > 0 && this.#erased.has(referenceName(kind, ...names));
  }

  row<N extends ReadableName>(table: N, ...key: readonly string[]): RecordOf<N> | null {
    this.#requireOne(kindsBy(table, TABLES[table].knownBy.properties), key);
    return this.#read(table).get(keyOf(...key));
  }

  rowsOf<N extends ReadableName>(table: N, owner: RowOwner): RecordOf<N>[] {
    this.#requireOne(kindsBy(table, Object.keys(owner)), Object.values<string>(owner));
    const values = Object.entries<string>(owner).map(([property, value]): [string, string | undefined] =>
      property === 'externalCustomerId' ? ['memberId', this.rows.members.get(value)?.id] : [property, value],
    );
    return this.#read(table).filter((row) =>
      values.every(([property, value]) => Reflect.get(row, property) === value),
    );
  }

  /** The rows of a table, by the type of its records. */
  #read<N extends ReadableName>(table: N): Pick<RecordSet<RecordOf<N>>, 'get' | 'filter'> {
    return this.rows[table] as unknown as RecordSet<RecordOf<N>>;
  }

  #requireOne(kinds: readonly string[], values: readonly string[]): void {
    const subjects = kinds.map((kind) => keyOf(kind, ...values));
    if (!subjects.some((subject) => this.#subjects.has(subject))) this.#require(subjects[0] ?? '');
  }

  member(externalCustomerId: string): MemberRecord | null {
    this.#require(keyOf('member', externalCustomerId));
    return this.rows.members.get(externalCustomerId);
  }

  isOf(memberId: string | null, member: Pick<MemberRecord, 'id'> | null): boolean {
    return memberId !== null && member !== null && this.rows.members.ownerId(memberId) === member.id;
  }

  profile(programId: string, externalCustomerId: string): ProfileRecord | null {
    if (!this.#hasAllProfiles(externalCustomerId)) {
      this.#require(keyOf('profile', programId, externalCustomerId));
    }
    const member = this.rows.members.get(externalCustomerId);
    return member && this.rows.profiles.get(keyOf(programId, member.id));
  }

  limitCounter(
    programId: string,
    externalCustomerId: string,
    limitId: string,
    periodStart: Date,
  ): LimitCounterRecord | null {
    this.#require(keyOf('limitCounters', programId, externalCustomerId));
    const member = this.rows.members.get(externalCustomerId);
    return (
      member && this.rows.limitCounters.get(keyOf(programId, member.id, limitId, periodStart.toISOString()))
    );
  }

  openQuotes(programId: string, externalCustomerId: string): QuoteRecord[] {
    this.#requireOfProfile('openQuotes', programId, externalCustomerId);
    const memberId = this.rows.members.get(externalCustomerId)?.id;
    return this.rows.quotes.filter(
      (row) => row.state === 'quoted' && row.memberId === memberId && row.programId === programId,
    );
  }

  stock(programId: string, rewardId: string): StockRecord | null {
    return this.rows.stocks.get(keyOf(programId, rewardId));
  }

  sharedCounter(programId: string, counterId: string): SharedCounterRecord | null {
    if (!this.#subjects.has(keyOf('sharedCounters', ''))) this.#require(keyOf('sharedCounters', programId));
    return this.rows.sharedCounters.get(keyOf(programId, counterId));
  }

  couponCode(programId: string, code: string): CouponCodeRecord | null {
    this.#require(keyOf('couponCode', programId, code));
    const hash = this.couponCodeHash(programId, code);
    return hash === null ? null : this.rows.couponCodes.get(keyOf(programId, hash));
  }

  /** The hash under which a code is looked up; null where no pool of the program can have it. */
  couponCodeHash(programId: string, code: string): string | null {
    return wantedCodeHash(this.program(programId), code, this.#couponSecret);
  }

  profilesOf(externalCustomerId: string): ProfileRecord[] {
    if (!this.#hasAllProfiles(externalCustomerId)) this.#require(keyOf('profiles', externalCustomerId));
    const memberId = this.rows.members.get(externalCustomerId)?.id;
    return this.rows.profiles
      .filter((row) => row.memberId === memberId)
      .sort((a, b) => (a.programId < b.programId ? -1 : 1));
  }

  mergedInto(externalCustomerId: string): MemberRecord[] {
    this.#require(keyOf('mergingMember', externalCustomerId));
    const memberId = this.rows.members.get(externalCustomerId)?.id;
    return this.rows.members.filter((row) => row.mergedInto === memberId);
  }

  lotsMovedFrom(programId: string, memberId: string, originMemberId: string): LotRecord[] {
    return this.rows.lots.movedFrom(programId, memberId, originMemberId);
  }

  unfinishedReplays(endpointId: string): OperationRecord[] {
    this.#require(keyOf('unfinishedReplays', endpointId));
    return this.rows.operations.filter((row) => isUnfinishedReplay(row, endpointId));
  }

  loadedPoints(programId: string, externalCustomerId: string): LoadedPoints {
    this.#requireOfProfile('points', programId, externalCustomerId);
    const memberId = this.rows.members.get(externalCustomerId)?.id ?? '';
    const ofProfile = (row: { memberId: string; programId: string }): boolean =>
      row.memberId === memberId && row.programId === programId;
    return {
      externalCustomerId,
      lots: this.rows.lots.ofProfile(programId, memberId),
      limit: this.rows.lots.limitOf(programId, memberId),
      moreDue: this.rows.lots.hasMoreDue(programId, memberId),
      reservations: this.rows.reservations.filter((row) => row.state === 'reserved' && ofProfile(row)),
    };
  }

  loadedPointsIfDue(programId: string, externalCustomerId: string): LoadedPoints | null {
    if (!this.#subjects.has(keyOf('profiles', externalCustomerId))) {
      this.#require(keyOf('due', programId, externalCustomerId));
    }
    const loaded = this.#subjects.has(keyOf('points', programId, externalCustomerId));
    return loaded ? this.loadedPoints(programId, externalCustomerId) : null;
  }

  postingsOf(transactionId: string): readonly PostingRecord[] {
    const postings = this.rows.postings.of(transactionId);
    if (!postings) throw new Error(`the postings of ${transactionId} are not loaded`);
    return postings;
  }

  lot(id: string): LotRecord {
    const lot = this.rows.lots.get(id);
    if (!lot) throw new Error(`lot ${id} is not loaded`);
    return lot;
  }

  lotsOfOrigin(lot: LotRecord): LotRecord[] {
    return this.rows.lots.ofOrigin(lot);
  }

  lendingLots({ memberId, programId }: Pick<ProfileRecord, 'memberId' | 'programId'>): LotRecord[] {
    return this.rows.lots.ofProfile(programId, memberId).filter(({ lent }) => lent > 0);
  }

  orderOf({ transactionId }: LotRecord): OrderRecord | null {
    // The orders of all lots that have claims are looked up, so none is missing here.
    return this.rows.orders.filter((row) => row.transactionId === transactionId)[0] ?? null;
  }

  movableClock(): MovableClock {
    if (!this.#clock)
      throw new Error('read without its lock: the command does not say that it moves the clock');
    return this.#clock;
  }

  /** Adds the rows that a look-up has found. */
  fill({ name, lookUp, keys }: TableLookUp & { keys: readonly LookUpKey[] }, rows: readonly object[]): void {
    const set: RowSet<object> = this.rows[name];
    if (lookUp.fill) lookUp.fill(set, rows, keys);
    else loadRows(set, rows, lookUp.givesCtids);
  }

  /** The profile that a row or an event is about; null where none is named, or where it is not loaded. */
  profileOf({ programId, memberId }: ProfileKey): ProfileRecord | null {
    if (programId === null || memberId === null) return null;
    return this.rows.profiles.get(keyOf(programId, memberId));
  }

  /** Applies a decision to the rows of the batch. Raises the version of each profile that it updates. */
  apply({ inserts, updates, clock }: Pick<Changes, 'inserts' | 'updates' | 'clock'>, now: Date): void {
    if (clock) this.newClock = clock;
    for (const [name, rows] of Object.entries<readonly object[]>(inserts)) {
      const set: RowSet<object> = this.rows[name as TableName];
      for (const row of rows) set.insert(row);
    }
    this.#keepExpiries(updates.lots ?? [], now);
    for (const profile of updates.profiles ?? []) {
      const { version = 0 } = this.profileOf(profile) ?? {};
      this.rows.profiles.update({ ...profile, version: version + 1 });
    }
    const { profiles: _updated, ...others } = updates;
    for (const [name, rows] of Object.entries<readonly object[]>(others)) {
      const set: RowSet<object> = this.rows[name as TableName];
      if (TABLES[name as TableName].writes === 'set') for (const row of rows) set.set(row);
      else for (const row of rows) set.update(row);
    }
  }

  /**
   * Stores the earlier expiry of each lot whose expiry an update changes, so that close reports of past periods find
   * it.
   */
  #keepExpiries(lots: readonly LotRecord[], now: Date): void {
    for (const lot of lots) {
      const change = expiryChangeOf(this.rows.lots.get(lot.id), lot, now);
      if (change) this.rows.lotExpiryChanges.insert(change);
    }
  }

  /** All that a profile has which a command of this batch has made is here, for one that asks for all of its member. */
  #requireOfProfile(kind: 'points' | 'openQuotes', programId: string, externalCustomerId: string): void {
    const memberId = this.rows.members.get(externalCustomerId)?.id ?? '';
    const isNew = this.rows.profiles.inserted.has(keyOf(programId, memberId));
    if (isNew && this.#subjects.has(keyOf('mergingMember', externalCustomerId))) return;
    this.#require(keyOf(kind, programId, externalCustomerId));
  }

  #hasAllProfiles(externalCustomerId: string): boolean {
    return ['profiles', 'mergingMember'].some((kind) => this.#subjects.has(keyOf(kind, externalCustomerId)));
  }

  #require(subject: string): void {
    if (!this.#subjects.has(subject)) {
      throw new Error(`read without a lock: the command does not name ${subject.replaceAll('\u0000', ' ')}`);
    }
  }
}
