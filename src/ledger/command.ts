import type { PublishedProgram } from '../programs/published/published-program.ts';
import type { Refusal } from '../refusal.ts';
import type { AdjustmentRecord } from './tables/adjustments.ts';
import type { AnyWanted, ChangedName, InsertedName, RecordOf } from './tables/all-tables.ts';
import type { AuditRecord } from './tables/audit-events.ts';
import type { ChallengeProgressRecord } from './tables/challenge-progress.ts';
import type { ChoiceClaimRecord } from './tables/choice-claims.ts';
import type { ChoiceGrantRecord } from './tables/choice-grants.ts';
import type { CustomEventRecord } from './tables/custom-events.ts';
import type { EnvironmentRecord } from './tables/environments.ts';
import type { IdempotencySubject } from './tables/idempotency-keys.ts';
import type { LimitCounterRecord } from './tables/limit-counters.ts';
import type { LotRecord } from './tables/lots.ts';
import type { MemberRecord } from './tables/members.ts';
import type { Need } from './tables/needs.ts';
import type { OrderRecord } from './tables/orders.ts';
import type { PostingRecord } from './tables/postings.ts';
import type { ProfileRecord } from './tables/program-profiles.ts';
import type { DisputeRecord } from './tables/redemption-disputes.ts';
import type { QuoteRecord } from './tables/redemption-quotes.ts';
import type { ReservationRecord } from './tables/redemption-reservations.ts';
import type { ReturnRecord } from './tables/returns.ts';
import type { StockRecord } from './tables/reward-stocks.ts';
import type { SharedCounterRecord } from './tables/shared-counters.ts';
import type { ReversedTransaction, TransactionRecord } from './tables/transactions.ts';

/**
 * The rows that a command needs locked and loaded before it can decide: the subjects of the tables (`tables/*.ts`), and
 * those that other rows lead to.
 */
export type Subject =
  | Exclude<AnyWanted, Need | IdempotencySubject>
  /** The postings of the order's purchase, and the lots that they name. With `order` and `profile`. */
  | { kind: 'orderLots'; sourceReference: string }
  /** How many of a reward are held or spent, locked. */
  | { kind: 'stock'; programId: string; rewardId: string }
  /**
   * Counters that members take from together, locked: those that a program's published versions call for (`wanted`), or
   * those of every program where `programId` is null.
   */
  | {
      kind: 'sharedCounters';
      programId: string | null;
      wanted: (program: PublishedProgram) => readonly string[];
    }
  /** `points` of 0 for a profile of which something is due; nothing for any other. With `profile`. */
  | { kind: 'due'; programId: string; externalCustomerId: string };

/** Who acts: kept in the audit trail. */
export interface Actor {
  type: AuditRecord['actorType'];
  id: string;
}

/** Who does what time does. */
export const timesActor: Actor = { type: 'system', id: 'time' };

/** The locked state that a decision is made from. Reading a row that was not named as a subject throws. */
export interface State {
  environment: EnvironmentRecord;
  /** The program with its published versions, or null. */
  program(programId: string): PublishedProgram | null;
  /** Every published program of the environment, by id. */
  programs(): PublishedProgram[];
  member(externalCustomerId: string): MemberRecord | null;
  profile(programId: string, externalCustomerId: string): ProfileRecord | null;
  order(sourceReference: string): OrderRecord | null;
  limitCounter(
    programId: string,
    externalCustomerId: string,
    limitId: string,
    periodStart: Date,
  ): LimitCounterRecord | null;
  return(returnReference: string): ReturnRecord | null;
  quote(id: string): QuoteRecord | null;
  openQuotes(programId: string, externalCustomerId: string): QuoteRecord[];
  reservation(id: string): ReservationRecord | null;
  /** Oldest first. */
  disputesOf(reservationId: string): DisputeRecord[];
  stock(programId: string, rewardId: string): StockRecord | null;
  adjustment(id: string): AdjustmentRecord | null;
  holding(programId: string, externalCustomerId: string): Holding;
  /** What a `due` or `profiles` subject has brought along; null where nothing was due. */
  dueHolding(programId: string, externalCustomerId: string): Holding | null;
  /** The postings of a transaction that a subject has brought along, in the order of their lines. */
  postingsOf(transactionId: string): readonly PostingRecord[];
  /** A lot that a subject has brought along. @throws where none has */
  lot(id: string): LotRecord;
  /** The order whose purchase made a lot that has a claim on it. @throws where no subject has brought it along */
  orderOf(lot: LotRecord): OrderRecord;
  /** Null where nothing was taken yet. */
  sharedCounter(programId: string, counterId: string): SharedCounterRecord | null;
  /** By program id. */
  profilesOf(externalCustomerId: string): ProfileRecord[];
  customEvent(sourceReference: string): CustomEventRecord | null;
  challengeProgress(externalCustomerId: string): ChallengeProgressRecord[];
  /** Open ones, oldest first. */
  choiceGrants(externalCustomerId: string): ChoiceGrantRecord[];
  choiceClaimsOf(grant: ChoiceGrantRecord): ChoiceClaimRecord[];
  choiceClaim(sourceReference: string): ChoiceClaimRecord | null;
  /** A new UUID (version 7 outside the simulator). */
  newId(): string;
}

/** What is loaded of a profile's points. */
export interface Holding {
  /** The member's: events name it. */
  externalCustomerId: string;
  /** Every loaded lot of the profile: those that are due, those that can be spent, those that a reservation holds. */
  lots: readonly LotRecord[];
  /** The last of the open lots that were loaded in the order of spending; null where all of them were. */
  limit: LotRecord | null;
  /** Reservations in the state `reserved`: all of them. */
  reservations: readonly ReservationRecord[];
}

/** More was to be spent than was loaded, and there is more: the command is worth another try. */
export class HoldingExceeded extends Error {
  override name = 'HoldingExceeded';
}

/** Rows that a decision adds, by table. A table's rows are written with one statement for the whole batch. */
export type Inserts = {
  [N in Exclude<InsertedName, 'idempotency' | 'audits' | 'lotExpiryChanges'>]?: RecordOf<N>[];
};

/** Rows that a decision changes (or, for counters, stocks and progress, sets whether they were there or not), by table. */
export type Updates = { [N in Exclude<ChangedName, 'transactions'>]?: RecordOf<N>[] } & {
  transactions?: ReversedTransaction[];
};

/** What the audit trail says of a change. */
export interface AuditEntry extends Pick<AuditRecord, 'action' | 'targetType' | 'targetId' | 'changes'> {
  /** Where it is not the command's: what time has done on the way is done by the system. */
  actor?: Actor;
}

export interface WebhookEvent {
  type: string;
  /** Neither email nor display name may stand in here. */
  data: object;
}

/** What a command does, computed from locked state, not yet written. */
export interface Decision<Receipt extends object = object> {
  /** The answer, stored whole: a replay gives it again. JSON values alone. */
  receipt: Receipt;
  /** Set where the receipt is that of this transaction, and stored with it. */
  receiptOf?: Pick<TransactionRecord, 'id'>;
  /** True where the answer is that of an earlier command under another key: nothing is written but this key. */
  repeated?: boolean;
  inserts: Inserts;
  updates: Updates;
  audits: AuditEntry[];
  webhookEvents: WebhookEvent[];
}

/** One change of value on its way to the writer. */
export interface Command<Receipt extends object = object> {
  environmentId: string;
  /** Namespace of the idempotency key: the SDL name of the mutation, the same for every surface. */
  operation: string;
  /** Null for the service's own work, which the state itself keeps from being done twice. */
  idempotencyKey: string | null;
  /** SHA-256 of the canonical JSON of the validated input. */
  fingerprint: Buffer;
  actor: Actor;
  requestId: string;
  /** Commands with one lane key never wait for each other's locks: the member that they touch. */
  laneKey: string;
  subjects: Subject[];
  /** Unenrollment, releases and rejections go on while Production is locked. */
  allowedWhileLocked?: boolean;
  /**
   * Its answer is a replay where its reference was answered before, under whatever key (decisions, "Idempotency"), and
   * so is given while Production is locked as well. Its `decide` is asked then: what is not `repeated` is refused.
   */
  repeatsWhileLocked?: boolean;
  /** Pure: the same state and time give the same decision. */
  decide(state: State, now: Date): Decision<Receipt> | Refusal;
}

/** What came of a command. `idempotent`: an earlier, identical one is answered again. */
export type Outcome = { receipt: object; idempotent: boolean } | Refusal;

/** The one door for every change of value. */
export interface CommandDoor {
  submit(command: Command): Promise<Outcome>;
}
