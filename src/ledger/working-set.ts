import type { PublishedProgram } from '../programs/published-program.ts';
import type { Decision, Holding, State, Subject } from './command.ts';
import { expiryChangeOf, type LotExpiryChangeRecord } from './lot-expiry-changes.ts';
import { RecordSet } from './record-set.ts';
import type {
  AdjustmentRecord,
  ChallengeProgressRecord,
  ChoiceClaimRecord,
  ChoiceGrantRecord,
  ConsentRecord,
  CustomEventRecord,
  DisputeRecord,
  EnvironmentRecord,
  IdempotencyRecord,
  LimitCounterRecord,
  LotRecord,
  MemberRecord,
  OrderRecord,
  PostingRecord,
  ProfileRecord,
  QuoteRecord,
  ReservationRecord,
  ReturnRecord,
  SharedCounterRecord,
  StockRecord,
  TransactionRecord,
} from './records.ts';

/** Joins the parts of a key. Ids that merchants choose hold no control characters, so NUL cannot occur in one. */
export function keyOf(...parts: string[]): string {
  return parts.join('\u0000');
}

/** Everything that one batch has locked, loaded, decided and not yet flushed. */
export class WorkingSet implements State {
  readonly environment: EnvironmentRecord;
  readonly members = new RecordSet<MemberRecord>((row) => row.externalCustomerId);
  readonly profiles = new RecordSet<ProfileRecord>((row) => keyOf(row.programId, row.memberId));
  readonly orders = new RecordSet<OrderRecord>((row) => row.sourceReference);
  readonly lots = new RecordSet<LotRecord>((row) => row.id);
  readonly limitCounters = new RecordSet<LimitCounterRecord>((row) =>
    keyOf(row.programId, row.memberId, row.limitId, row.periodStart.toISOString()),
  );
  readonly idempotency = new RecordSet<IdempotencyRecord>((row) => keyOf(row.operation, row.key));
  readonly returns = new RecordSet<{ record: ReturnRecord; receipt: object }>(
    ({ record }) => record.returnReference,
  );
  readonly quotes = new RecordSet<QuoteRecord>((row) => row.id);
  readonly reservations = new RecordSet<ReservationRecord>((row) => row.id);
  readonly disputes = new RecordSet<DisputeRecord>((row) => row.id);
  readonly stocks = new RecordSet<StockRecord>((row) => keyOf(row.programId, row.rewardId));
  readonly adjustments = new RecordSet<AdjustmentRecord>((row) => row.id);
  readonly sharedCounters = new RecordSet<SharedCounterRecord>((row) => keyOf(row.programId, row.counterId));
  readonly customEvents = new RecordSet<CustomEventRecord>((row) => row.sourceReference);
  readonly challengeProgressRows = new RecordSet<ChallengeProgressRecord>((row) =>
    keyOf(row.programId, row.memberId, row.challengeId, row.windowStart.toISOString()),
  );
  readonly grants = new RecordSet<ChoiceGrantRecord>((row) => row.id);
  readonly claims = new RecordSet<ChoiceClaimRecord>((row) => row.sourceReference);
  readonly reversedTransactions: Pick<TransactionRecord, 'id' | 'state' | 'reversedBy'>[] = [];
  readonly transactions: TransactionRecord[] = [];
  readonly postings: PostingRecord[] = [];
  readonly consents: ConsentRecord[] = [];
  readonly lotExpiryChanges: LotExpiryChangeRecord[] = [];
  readonly newId: () => string;
  readonly #programs: ReadonlyMap<string, PublishedProgram>;
  readonly #subjects = new Set<string>();
  /** Postings by transaction: loaded ones, and those of this batch. */
  readonly #postings = new Map<string, PostingRecord[]>();
  /** Where the open lots of a profile were loaded up to, by profile. */
  readonly #limits = new Map<string, string>();

  constructor(
    environment: EnvironmentRecord,
    programs: ReadonlyMap<string, PublishedProgram>,
    newId: () => string,
  ) {
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

  member(externalCustomerId: string): MemberRecord | null {
    this.#require(keyOf('member', externalCustomerId));
    return this.members.get(externalCustomerId);
  }

  profile(programId: string, externalCustomerId: string): ProfileRecord | null {
    if (!this.#subjects.has(keyOf('profiles', externalCustomerId))) {
      this.#require(keyOf('profile', programId, externalCustomerId));
    }
    const member = this.members.get(externalCustomerId);
    return member && this.profiles.get(keyOf(programId, member.id));
  }

  order(sourceReference: string): OrderRecord | null {
    this.#require(keyOf('order', sourceReference));
    return this.orders.get(sourceReference);
  }

  limitCounter(
    programId: string,
    externalCustomerId: string,
    limitId: string,
    periodStart: Date,
  ): LimitCounterRecord | null {
    this.#require(keyOf('limitCounters', programId, externalCustomerId));
    const member = this.members.get(externalCustomerId);
    return member && this.limitCounters.get(keyOf(programId, member.id, limitId, periodStart.toISOString()));
  }

  return(returnReference: string): { record: ReturnRecord; receipt: object } | null {
    this.#require(keyOf('return', returnReference));
    return this.returns.get(returnReference);
  }

  quote(id: string): QuoteRecord | null {
    this.#require(keyOf('quote', id));
    return this.quotes.get(id);
  }

  openQuotes(programId: string, externalCustomerId: string): QuoteRecord[] {
    this.#require(keyOf('openQuotes', programId, externalCustomerId));
    const memberId = this.members.get(externalCustomerId)?.id;
    return this.quotes.filter(
      (row) => row.state === 'quoted' && row.memberId === memberId && row.programId === programId,
    );
  }

  reservation(id: string): ReservationRecord | null {
    this.#require(keyOf('reservation', id));
    return this.reservations.get(id);
  }

  disputesOf(reservationId: string): DisputeRecord[] {
    this.#require(keyOf('disputes', reservationId));
    return this.disputes
      .filter((row) => row.reservationId === reservationId)
      .sort((a, b) => a.openedAt.getTime() - b.openedAt.getTime());
  }

  stock(programId: string, rewardId: string): StockRecord | null {
    return this.stocks.get(keyOf(programId, rewardId));
  }

  adjustment(id: string): AdjustmentRecord | null {
    this.#require(keyOf('adjustment', id));
    return this.adjustments.get(id);
  }

  sharedCounter(programId: string, counterId: string): SharedCounterRecord | null {
    if (!this.#subjects.has(keyOf('sharedCounters', ''))) this.#require(keyOf('sharedCounters', programId));
    return this.sharedCounters.get(keyOf(programId, counterId));
  }

  profilesOf(externalCustomerId: string): ProfileRecord[] {
    this.#require(keyOf('profiles', externalCustomerId));
    const memberId = this.members.get(externalCustomerId)?.id;
    return this.profiles
      .filter((row) => row.memberId === memberId)
      .sort((a, b) => (a.programId < b.programId ? -1 : 1));
  }

  customEvent(sourceReference: string): CustomEventRecord | null {
    this.#require(keyOf('customEvent', sourceReference));
    return this.customEvents.get(sourceReference);
  }

  challengeProgress(externalCustomerId: string): ChallengeProgressRecord[] {
    this.#require(keyOf('challengeProgress', externalCustomerId));
    const memberId = this.members.get(externalCustomerId)?.id;
    return this.challengeProgressRows.filter((row) => row.memberId === memberId);
  }

  choiceGrants(externalCustomerId: string): ChoiceGrantRecord[] {
    this.#require(keyOf('choiceGrants', externalCustomerId));
    const memberId = this.members.get(externalCustomerId)?.id;
    return this.grants
      .filter((row) => row.memberId === memberId && row.state === 'open')
      .sort((a, b) => a.grantedAt.getTime() - b.grantedAt.getTime() || (a.id < b.id ? -1 : 1));
  }

  choiceClaimsOf({ id }: ChoiceGrantRecord): ChoiceClaimRecord[] {
    return this.claims.filter((row) => row.grantId === id);
  }

  choiceClaim(sourceReference: string): ChoiceClaimRecord | null {
    this.#require(keyOf('choiceClaim', sourceReference));
    return this.claims.get(sourceReference);
  }

  holding(programId: string, externalCustomerId: string): Holding {
    this.#require(keyOf('points', programId, externalCustomerId));
    const memberId = this.members.get(externalCustomerId)?.id ?? '';
    const limitId = this.#limits.get(keyOf(programId, memberId));
    const ofProfile = (row: { memberId: string; programId: string }): boolean =>
      row.memberId === memberId && row.programId === programId;
    return {
      externalCustomerId,
      lots: this.lots.filter(ofProfile),
      limit: limitId === undefined ? null : this.lots.get(limitId),
      reservations: this.reservations.filter((row) => row.state === 'reserved' && ofProfile(row)),
    };
  }

  dueHolding(programId: string, externalCustomerId: string): Holding | null {
    if (!this.#subjects.has(keyOf('profiles', externalCustomerId))) {
      this.#require(keyOf('due', programId, externalCustomerId));
    }
    const loaded = this.#subjects.has(keyOf('points', programId, externalCustomerId));
    return loaded ? this.holding(programId, externalCustomerId) : null;
  }

  postingsOf(transactionId: string): readonly PostingRecord[] {
    const postings = this.#postings.get(transactionId);
    if (!postings) throw new Error(`the postings of ${transactionId} are not loaded`);
    return postings;
  }

  lot(id: string): LotRecord {
    const lot = this.lots.get(id);
    if (!lot) throw new Error(`lot ${id} is not loaded`);
    return lot;
  }

  orderOf({ transactionId }: LotRecord): OrderRecord {
    const [order] = this.orders.filter((row) => row.transactionId === transactionId);
    if (!order) throw new Error(`the order of transaction ${transactionId} is not loaded`);
    return order;
  }

  /** Takes over all postings of a transaction, in the order of their lines. */
  loadPostings(transactionId: string, postings: readonly PostingRecord[]): void {
    this.#postings.set(transactionId, [...postings]);
  }

  /** Says that the open lots of a profile were loaded only up to this one, in the order of spending. */
  limitHolding(programId: string, memberId: string, lotId: string): void {
    this.#limits.set(keyOf(programId, memberId), lotId);
  }

  /** Takes a decision over into the batch. @param now the time that it was made at */
  apply({ inserts, updates }: Decision, now: Date): void {
    for (const row of inserts.members ?? []) this.members.insert(row);
    for (const row of inserts.profiles ?? []) this.profiles.insert(row);
    for (const row of inserts.lots ?? []) this.lots.insert(row);
    for (const row of inserts.orders ?? []) this.orders.insert(row);
    for (const row of inserts.returns ?? []) this.returns.insert(row);
    for (const row of inserts.quotes ?? []) this.quotes.insert(row);
    for (const row of inserts.reservations ?? []) this.reservations.insert(row);
    for (const row of inserts.disputes ?? []) this.disputes.insert(row);
    for (const row of inserts.adjustments ?? []) this.adjustments.insert(row);
    for (const row of inserts.customEvents ?? []) this.customEvents.insert(row);
    // A milestone grants once: a later command of the batch must not see the grant that is not written.
    for (const row of inserts.choiceGrants ?? []) if (!this.#isGranted(row)) this.grants.insert(row);
    for (const row of inserts.choiceClaims ?? []) this.claims.insert(row);
    if (inserts.consents) this.consents.push(...inserts.consents);
    if (inserts.transactions) this.transactions.push(...inserts.transactions);
    for (const row of inserts.postings ?? []) {
      this.postings.push(row);
      const known = this.#postings.get(row.transactionId);
      if (known) known.push(row);
      else this.#postings.set(row.transactionId, [row]);
    }
    for (const row of updates.profiles ?? []) this.profiles.update(row);
    for (const row of updates.lots ?? []) {
      const moved = expiryChangeOf(this.lots.get(row.id), row, now);
      if (moved) this.lotExpiryChanges.push(moved);
      this.lots.update(row);
    }
    for (const row of updates.orders ?? []) this.orders.update(row);
    for (const row of updates.limitCounters ?? []) this.limitCounters.set(row);
    for (const row of updates.quotes ?? []) this.quotes.update(row);
    for (const row of updates.reservations ?? []) this.reservations.update(row);
    for (const row of updates.disputes ?? []) this.disputes.update(row);
    for (const row of updates.stocks ?? []) this.stocks.set(row);
    for (const row of updates.sharedCounters ?? []) this.sharedCounters.set(row);
    for (const row of updates.challengeProgress ?? []) this.challengeProgressRows.set(row);
    for (const row of updates.choiceGrants ?? []) this.grants.update(row);
    for (const row of updates.adjustments ?? []) this.adjustments.update(row);
    if (updates.transactions) this.reversedTransactions.push(...updates.transactions);
  }

  #isGranted({ programId, memberId, choiceSetId, grantedBy }: ChoiceGrantRecord): boolean {
    const milestone = keyOf(programId, memberId, choiceSetId, grantedBy);
    return this.grants
      .filter((row) => row.memberId === memberId)
      .some((row) => keyOf(row.programId, row.memberId, row.choiceSetId, row.grantedBy) === milestone);
  }

  #require(subject: string): void {
    if (!this.#subjects.has(subject)) {
      throw new Error(`read without a lock: the command does not name ${subject.replaceAll('\u0000', ' ')}`);
    }
  }
}

/** The identity of a subject inside a batch. */
export function subjectKey(subject: Subject): string {
  switch (subject.kind) {
    case 'member':
      return keyOf('member', subject.externalCustomerId);
    case 'profile':
    case 'limitCounters':
    case 'openQuotes':
    case 'points':
    case 'due':
      return keyOf(subject.kind, subject.programId, subject.externalCustomerId);
    case 'profiles':
    case 'challengeProgress':
    case 'choiceGrants':
      return keyOf(subject.kind, subject.externalCustomerId);
    case 'sharedCounters':
      return keyOf('sharedCounters', subject.programId ?? '');
    case 'order':
    case 'orderLots':
    case 'customEvent':
    case 'choiceClaim':
      return keyOf(subject.kind, subject.sourceReference);
    case 'return':
      return keyOf('return', subject.returnReference);
    case 'quote':
    case 'reservation':
    case 'adjustment':
      return keyOf(subject.kind, subject.id);
    case 'disputes':
      return keyOf('disputes', subject.reservationId);
    case 'stock':
      return keyOf('stock', subject.programId, subject.rewardId);
  }
}
