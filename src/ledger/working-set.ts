import type { PublishedProgram } from '../programs/published-program.ts';
import type { Decision, State, Subject } from './command.ts';
import { RecordSet } from './record-set.ts';
import type {
  ConsentRecord,
  EnvironmentRecord,
  IdempotencyRecord,
  LimitCounterRecord,
  LotRecord,
  MemberRecord,
  OrderRecord,
  PostingRecord,
  ProfileRecord,
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
  readonly transactions: TransactionRecord[] = [];
  readonly postings: PostingRecord[] = [];
  readonly consents: ConsentRecord[] = [];
  readonly newId: () => string;
  readonly #programs: ReadonlyMap<string, PublishedProgram>;
  readonly #subjects = new Set<string>();

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

  member(externalCustomerId: string): MemberRecord | null {
    this.#require(keyOf('member', externalCustomerId));
    return this.members.get(externalCustomerId);
  }

  profile(programId: string, externalCustomerId: string): ProfileRecord | null {
    this.#require(keyOf('profile', programId, externalCustomerId));
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

  /** Takes a decision over into the batch. */
  apply({ inserts, updates }: Decision): void {
    for (const row of inserts.members ?? []) this.members.insert(row);
    for (const row of inserts.profiles ?? []) this.profiles.insert(row);
    for (const row of inserts.lots ?? []) this.lots.insert(row);
    for (const row of inserts.orders ?? []) this.orders.insert(row);
    if (inserts.consents) this.consents.push(...inserts.consents);
    if (inserts.transactions) this.transactions.push(...inserts.transactions);
    if (inserts.postings) this.postings.push(...inserts.postings);
    for (const row of updates.profiles ?? []) this.profiles.update(row);
    for (const row of updates.lots ?? []) this.lots.update(row);
    for (const row of updates.orders ?? []) this.orders.update(row);
    for (const row of updates.limitCounters ?? []) this.#setCounter(row);
  }

  #setCounter(row: LimitCounterRecord): void {
    const key = keyOf(row.programId, row.memberId, row.limitId, row.periodStart.toISOString());
    if (this.limitCounters.get(key)) this.limitCounters.update(row);
    else this.limitCounters.insert(row);
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
      return keyOf(subject.kind, subject.programId, subject.externalCustomerId);
    case 'order':
      return keyOf('order', subject.sourceReference);
  }
}
