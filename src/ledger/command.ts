import type { ErrorCode } from '../contract/generated/error-codes.ts';
import type { WebhookEventType } from '../contract/generated/webhook-events.ts';
import type { PublishedProgram } from '../programs/published/published-program.ts';
import type { Refusal, RefusalCode } from '../refusal.ts';
import type { Retry } from './retry.ts';
import type { State } from './state.ts';
import type { AnyLookUpKey, ChangedName, InsertedName, RecordOf } from './tables/all-tables.ts';
import type { AuditRecord } from './tables/audit-events.ts';
import type { EnvironmentClock } from './tables/environments.ts';
import type { IdempotencySubject } from './tables/idempotency-keys.ts';
import type { Need } from './tables/needs.ts';
import type { ReversedTransaction, TransactionRecord } from './tables/transactions.ts';

/**
 * The rows that a command needs locked and loaded before it can decide: the subjects that the tables declare
 * (`tables/*.ts`), and those below, whose rows are found through other rows. "With" names the subjects that a command
 * has to name as well.
 */
export type Subject =
  | Exclude<AnyLookUpKey, Need | IdempotencySubject>
  /** The postings of the order's purchase, and the lots that they name. With `order` and `profile`. */
  | { kind: 'orderLots'; sourceReference: string }
  /**
   * The postings of a transaction, and the lots that they name. With `profile`. `memberId` is the member of the
   * transaction, where its present name was looked up before.
   */
  | { kind: 'transactionLots'; transactionId: string; memberId?: string }
  /** All pending lots of a profile, also those that are not due. With `points`. */
  | { kind: 'pendingLots'; programId: string; externalCustomerId: string }
  /** The lots of a profile that returns have claims on, or that have lent or owe points. With `profile`. */
  | { kind: 'owingLots'; programId: string; externalCustomerId: string }
  /** The stock of a reward, locked. */
  | { kind: 'stock'; programId: string; rewardId: string }
  /**
   * Counters that members share, locked. `counterIds` gives the ids of a program's counters, for a decision at `now` or
   * later; `programId` is null for the counters of every program.
   */
  | {
      kind: 'sharedCounters';
      programId: string | null;
      counterIds: (program: PublishedProgram, now: Date) => readonly string[];
    }
  /** A code that may be one of a pool of the program, locked. */
  | { kind: 'couponCode'; programId: string; code: string }
  /** Where something is due in the profile: `points` of 0, to settle it. Nothing otherwise. With `profile`. */
  | { kind: 'due'; programId: string; externalCustomerId: string };

/** Who makes a change, as the audit trail names it. */
export interface Actor {
  type: AuditRecord['actorType'];
  id: string;
}

/** The actor of changes that fall due with time: activations, expiries, ends of holds, re-qualifications. */
export const systemActor: Actor = { type: 'system', id: 'time' };

/** A command spends more than the loaded lots hold, and the profile has more lots: it may succeed at another try. */
export class LoadedPointsExceeded extends Error {
  override name = 'LoadedPointsExceeded';
}

/**
 * A command needs the current balances of a profile, in which more lots are due than one batch settles. The batch
 * writes this step of the settlement and nothing else for the command, which is then tried again.
 */
export class SettlementStep extends Error {
  override name = 'SettlementStep';
  readonly changes: Changes;

  constructor(changes: Changes) {
    super('more lots are due than one batch settles');
    this.changes = changes;
  }
}

/** Rows that a decision inserts, by table. One statement writes all rows of a table for the whole batch. */
export type Inserts = {
  [N in Exclude<InsertedName, 'idempotency' | 'audits' | 'events' | 'lotExpiryChanges'>]?: RecordOf<N>[];
};

/** Rows that a decision updates, by table. Counters, stocks and progress are inserted where they do not exist yet. */
export type Updates = { [N in Exclude<ChangedName, 'transactions'>]?: RecordOf<N>[] } & {
  transactions?: ReversedTransaction[];
};

/**
 * An entry of the audit trail about one change. The seals of the trail cover `changes`, so it has ids, numbers, enums
 * and names of the program's document, and nothing that a merchant or customer typed about a member: that can be
 * erased, and stands in the row that the target names.
 */
export interface AuditEntry extends Pick<AuditRecord, 'action' | 'targetType' | 'targetId' | 'changes'> {
  /** Default: the command's actor. Changes that fell due with time name the system instead. */
  actor?: Actor;
}

/** What webhooks and the feed of events report about a change. */
export interface WebhookEvent {
  /**
   * UUID. Default: a new one. `points.earned`, `redemption.reserved` and `redemption.committed` have that of their
   * transaction; `choice.granted` that of its grant, and is not written where the grant is not.
   */
  id?: string;
  type: WebhookEventType;
  data: EventData;
}

/** What a receiver gets. It contains no personal data: neither email nor display name. */
export interface EventData {
  readonly programId?: string;
  readonly memberId?: string;
  readonly externalCustomerId?: string;
  readonly [property: string]: unknown;
}

/** What a decision changes, with the audit entries and events about it. */
export interface Changes {
  inserts: Inserts;
  updates: Updates;
  audits: AuditEntry[];
  webhookEvents: WebhookEvent[];
  /** The clock that the environment gets, by a command that moves it. */
  clock?: EnvironmentClock;
}

/** What a command will write and return, computed from the locked state. */
export interface Decision<Receipt extends object = object> extends Changes {
  /** Stored as it is, and returned again by a replay. JSON values only. */
  receipt: Receipt;
  /** The transaction that the receipt is stored with. Absent: it is stored with the idempotency key. */
  receiptOf?: Pick<TransactionRecord, 'id'>;
  /** True where the receipt is that of an earlier command under another key: only the new key is written. */
  repeated?: boolean;
}

/** What a command decides: a change with its receipt, a refusal, or that it is to be tried again. */
export type Decided<Receipt extends object = object, Code extends ErrorCode = ErrorCode> =
  | Decision<Receipt>
  | Refusal<Code>
  | Retry;

/** One change of value, to be submitted to the writer. `Code`: the codes that its decision may be refused with. */
export interface Command<Receipt extends object = object, Code extends ErrorCode = ErrorCode> {
  environmentId: string;
  /**
   * The namespace of the idempotency key, which belongs to (environment, operation) (decisions, "Idempotency"). It is
   * the name of the mutation in schema.graphql, whichever surface the command comes from. It is not long-running work,
   * which the API calls an operation too.
   */
  operation: string;
  /** Null for the service's own commands: these find nothing left to do when they run a second time. */
  idempotencyKey: string | null;
  /** SHA-256 of the canonical JSON of the validated input. */
  fingerprint: Buffer;
  actor: Actor;
  requestId: string;
  /**
   * The externalCustomerId of the member that the command changes; its reference or id where the member is not known.
   * Commands with the same key run in the same lane of a process, so that they do not wait for each other's locks.
   */
  laneKey: string;
  subjects: Subject[];
  /**
   * True for commands that are accepted while Production is locked: unenrollment, releases,
   * rejections, and the service's own commands for what falls due with time.
   */
  allowedWhileLocked?: boolean;
  /**
   * True where a reference that was recorded before gives a replay under any key (decisions, "Idempotency"). While
   * Production is locked such a command is still decided. A `repeated` decision is returned, any other one is refused.
   */
  repeatsWhileLocked?: boolean;
  /**
   * True for a command that is a batch of its own, which begins when every other batch of the environment has ended;
   * new ones wait for its end.
   */
  runsAlone?: boolean;
  /** True for the command that moves the clock of the environment. With `runsAlone`. */
  movesClock?: boolean;
  /** Absent for most commands. */
  prerequisites?: Prerequisites;
  /**
   * Makes the command for the present name of its member, where that has changed since it was looked up. Absent where
   * the name was read for this command: then it is refused.
   */
  again?(): Promise<Command>;
  /** Pure: the same state and time give the same decision. */
  decide(state: State, now: Date): Decided<Receipt, Code>;
}

/**
 * Commands that come first where a command is refused without them, such as the enrollment of its member: for a caller
 * that does not know whether they are needed, and would otherwise wait for the refusal and submit them one after the
 * other. They are decided in their order, each under its own key and with its own receipt and audit, and the command is
 * then decided again, all in one batch. What they have written stays also where the command is refused again.
 */
export interface Prerequisites {
  /** The refusals of the command for which they are decided. */
  readonly after: ReadonlySet<RefusalCode>;
  /** Of the same environment and lane as the command. None of them runs alone or has prerequisites. */
  readonly commands: readonly Command[];
}

/**
 * The outcome of a command. `idempotent` is true where the receipt is that of an earlier, identical command.
 * `prerequisites` are the outcomes of the command's prerequisites, where these were decided.
 */
export type Outcome = ({ receipt: object; idempotent: boolean } | Refusal) & {
  readonly prerequisites?: readonly Outcome[];
};

/** Takes commands and runs them: the writer over Postgres, or the store in memory. Value changes in no other way. */
export interface CommandDoor {
  /** @returns the outcome, once it is durable */
  submit(command: Command): Promise<Outcome>;
}
