import type { PublishedProgram } from '../programs/published-program.ts';
import type { Refusal } from '../refusal.ts';
import type {
  AuditRecord,
  ConsentRecord,
  EnvironmentRecord,
  LimitCounterRecord,
  LotRecord,
  MemberRecord,
  OrderRecord,
  PostingRecord,
  ProfileRecord,
  TransactionRecord,
} from './records.ts';

/** The rows that a command needs locked and loaded before it can decide. */
export type Subject =
  | { kind: 'member'; externalCustomerId: string }
  | { kind: 'profile'; programId: string; externalCustomerId: string }
  /** Counters of the periods that hold `at`, or the batch's own time where it is null. */
  | { kind: 'limitCounters'; programId: string; externalCustomerId: string; at: Date | null }
  | { kind: 'order'; sourceReference: string };

/** Who acts: kept in the audit trail. */
export interface Actor {
  type: AuditRecord['actorType'];
  id: string;
}

/** The locked state that a decision is made from. Reading a row that was not named as a subject throws. */
export interface State {
  environment: EnvironmentRecord;
  /** The program with its published versions, or null. */
  program(programId: string): PublishedProgram | null;
  member(externalCustomerId: string): MemberRecord | null;
  profile(programId: string, externalCustomerId: string): ProfileRecord | null;
  order(sourceReference: string): OrderRecord | null;
  limitCounter(
    programId: string,
    externalCustomerId: string,
    limitId: string,
    periodStart: Date,
  ): LimitCounterRecord | null;
  /** A new UUID (version 7 outside the simulator). */
  newId(): string;
}

/** Rows that a decision adds. A table's rows are written with one statement for the whole batch. */
export interface Inserts {
  members?: MemberRecord[];
  profiles?: ProfileRecord[];
  consents?: ConsentRecord[];
  transactions?: TransactionRecord[];
  lots?: LotRecord[];
  postings?: PostingRecord[];
  orders?: OrderRecord[];
}

/** Rows that a decision changes (or, for counters, sets whether they were there or not). */
export interface Updates {
  profiles?: ProfileRecord[];
  lots?: LotRecord[];
  orders?: OrderRecord[];
  limitCounters?: LimitCounterRecord[];
}

export interface WebhookEvent {
  type: string;
  /** Neither email nor display name may stand in here. */
  data: object;
}

/** What a command does, computed from locked state, not yet written. */
export interface Decision {
  /** The answer, stored whole: a replay gives it again. JSON values alone. */
  receipt: object;
  /** Set where the receipt is that of this transaction, and stored with it. */
  receiptOf?: TransactionRecord;
  inserts: Inserts;
  updates: Updates;
  audit: Pick<AuditRecord, 'action' | 'targetType' | 'targetId' | 'changes'>;
  webhookEvents: WebhookEvent[];
}

/** One change of value on its way to the writer. */
export interface Command {
  environmentId: string;
  /** Namespace of the idempotency key: the SDL name of the mutation, the same for every surface. */
  operation: string;
  idempotencyKey: string;
  /** SHA-256 of the canonical JSON of the validated input. */
  fingerprint: Buffer;
  actor: Actor;
  requestId: string;
  /** Commands with one lane key never wait for each other's locks: the member that they touch. */
  laneKey: string;
  subjects: Subject[];
  /** Unenrollment, releases and rejections go on while Production is locked. */
  allowedWhileLocked?: boolean;
  /** Pure: the same state and time give the same decision. */
  decide(state: State, now: Date): Decision | Refusal;
}

/** What came of a command. `idempotent`: an earlier, identical one is answered again. */
export type Outcome = { receipt: object; idempotent: boolean } | Refusal;

/** The one door for every change of value. */
export interface CommandDoor {
  submit(command: Command): Promise<Outcome>;
}
