import type { PublishedProgram } from '../programs/published/published-program.ts';
import type { RecordOf, RowsOf, TableName } from './tables/all-tables.ts';
import type { CouponCodeRecord } from './tables/coupon-codes.ts';
import type { EnvironmentRecord, MovableClock } from './tables/environments.ts';
import type { ReferenceKind } from './tables/erased-references.ts';
import type { LimitCounterRecord } from './tables/limit-counters.ts';
import type { LotRecord } from './tables/lot-rows.ts';
import type { MemberRecord } from './tables/members.ts';
import type { OperationRecord } from './tables/operations.ts';
import type { OrderRecord } from './tables/orders.ts';
import type { PostingRecord } from './tables/postings.ts';
import type { ProfileRecord } from './tables/program-profiles.ts';
import type { QuoteRecord } from './tables/redemption-quotes.ts';
import type { ReservationRecord } from './tables/redemption-reservations.ts';
import type { StockRecord } from './tables/reward-stocks.ts';
import type { SharedCounterRecord } from './tables/shared-counters.ts';

/** A table whose rows a decision may read one by one. */
export type ReadableName = {
  [N in TableName]: RowsOf<N> extends { get(key: string): RecordOf<N> | null } ? N : never;
}[TableName];

/**
 * Whose rows are read: the values of the properties that a subject of the table names, such as `externalCustomerId`.
 */
export type RowOwner = Readonly<Record<string, string>>;

/** The rows that subjects have locked and loaded. Reading one that no subject names throws. */
export interface LoadedRows {
  /**
   * The row of a key.
   * @param key the values by which commands identify a row of the table, in the order of its description
   */
  row<N extends ReadableName>(table: N, ...key: readonly string[]): RecordOf<N> | null;
  /** The loaded rows of an owner, in any order. */
  rowsOf<N extends ReadableName>(table: N, owner: RowOwner): RecordOf<N>[];
  member(externalCustomerId: string): MemberRecord | null;
  /** Whether what was recorded for a member is a member's: for itself, or for one that was merged into it. */
  isOf(memberId: string | null, member: Pick<MemberRecord, 'id'> | null): boolean;
  /** The members that were merged into a member that a `mergingMember` subject names. */
  mergedInto(externalCustomerId: string): MemberRecord[];
  profile(programId: string, externalCustomerId: string): ProfileRecord | null;
  /** In the order of their program ids. */
  profilesOf(externalCustomerId: string): ProfileRecord[];
  /** A loaded profile by the member's id: also that of a merged member, of a `memberMerge` with its `mergeUndo`. */
  profileOf(key: ProfileKey): ProfileRecord | null;
  limitCounter(
    programId: string,
    externalCustomerId: string,
    limitId: string,
    periodStart: Date,
  ): LimitCounterRecord | null;
  /** Null where nothing has been taken yet. */
  sharedCounter(programId: string, counterId: string): SharedCounterRecord | null;
  /** Null where nothing has been taken yet. */
  stock(programId: string, rewardId: string): StockRecord | null;
  /** A code of a pool, however it is written; null where the program has no such code. */
  couponCode(programId: string, code: string): CouponCodeRecord | null;
  openQuotes(programId: string, externalCustomerId: string): QuoteRecord[];
  /** The replays of an endpoint that have yet to end. @param endpointId UUID */
  unfinishedReplays(endpointId: string): OperationRecord[];
}

/** The points of profiles: their lots, and the postings that made them what they are. */
export interface PointsOfProfiles {
  loadedPoints(programId: string, externalCustomerId: string): LoadedPoints;
  /** What was loaded for a `due` or `profiles` subject; null where nothing was due in the profile. */
  loadedPointsIfDue(programId: string, externalCustomerId: string): LoadedPoints | null;
  /** The postings of a transaction, in the order of their lines. @throws where no subject has loaded them */
  postingsOf(transactionId: string): readonly PostingRecord[];
  /** @throws where no subject has loaded the lot */
  lot(id: string): LotRecord;
  /** The loaded lots that were one lot to begin with: it, and those that merges have moved it to. */
  lotsOfOrigin(lot: LotRecord): LotRecord[];
  /**
   * The lots of the target of a `memberMerge` that were lots of the source, or of a member merged into it, to begin
   * with.
   */
  lotsMovedFrom(programId: string, memberId: string, originMemberId: string): LotRecord[];
  /**
   * The loaded lots of a profile that have lent points: all such lots, where a lot that owes points is loaded through a
   * transaction, or may come to owe them in this batch.
   */
  lendingLots(profile: Pick<ProfileRecord, 'memberId' | 'programId'>): LotRecord[];
  /** The order whose purchase granted a lot that has a claim; null for a lot of a referral, which no order counts. */
  orderOf(lot: LotRecord): OrderRecord | null;
}

/** The locked state that a decision is made from. */
export interface State extends LoadedRows, PointsOfProfiles {
  environment: EnvironmentRecord;
  /** The program with its published versions, or null. */
  program(programId: string): PublishedProgram | null;
  /** Every published program of the environment, by id. */
  programs(): PublishedProgram[];
  /**
   * Whether a reference named something whose member has been erased since: it cannot be used again.
   * @param names the reference; of an idempotency key its operation and the key
   */
  isErased(kind: ReferenceKind, ...names: string[]): boolean;
  /** The environment's clock. @throws where the command does not move it */
  movableClock(): MovableClock;
  /** A new UUID (version 7 outside the simulator). */
  newId(): string;
}

/** The profile that a row or an event is about; null in part where it is about none. */
export interface ProfileKey {
  readonly programId: string | null;
  readonly memberId: string | null;
}

/** The lots and open reservations of a profile that a batch has loaded. */
export interface LoadedPoints {
  /** Of the member, for webhook events. */
  externalCustomerId: string;
  /** The lots that are due, that can be spent, or that a reservation holds. */
  lots: readonly LotRecord[];
  /** The last loaded open lot in the order of spending; null where all open lots are loaded. */
  limit: LotRecord | null;
  /** All reservations of the profile in the state `reserved`. */
  reservations: readonly ReservationRecord[];
  /** Whether more lots may be due than were loaded: a batch loads at most `LOTS_OF_STEP` due lots of a profile. */
  moreDue: boolean;
}
