import type { RewardTerms } from '../rules/rewards.ts';
import type {
  AdjustmentRecord,
  DisputeRecord,
  LotRecord,
  PostingRecord,
  QuoteRecord,
  ReservationRecord,
  ReturnRecord,
  StockRecord,
} from './records.ts';

/** Rows of what grants, holds, spends and takes back points, and the records that the pure core knows them by. */

export interface LotRow {
  id: string;
  member_id: string;
  program_id: string;
  transaction_id: string;
  granted: number;
  pending: number;
  available: number;
  reserved: number;
  activates_at: Date | null;
  expires_at: Date | null;
  inactivity_days: number | null;
  claimed: number;
  created_at: Date;
}

export function lotOf(row: LotRow): LotRecord {
  return {
    id: row.id,
    memberId: row.member_id,
    programId: row.program_id,
    transactionId: row.transaction_id,
    granted: row.granted,
    pending: row.pending,
    available: row.available,
    reserved: row.reserved,
    activatesAt: row.activates_at,
    expiresAt: row.expires_at,
    inactivityDays: row.inactivity_days,
    claimed: row.claimed,
    createdAt: row.created_at,
  };
}

export interface PostingRow {
  transaction_id: string;
  line: number;
  program_id: string;
  member_id: string;
  debit_account: PostingRecord['debitAccount'];
  credit_account: PostingRecord['creditAccount'];
  amount: number;
  lot_id: string | null;
  created_at: Date;
}

export function postingOf(row: PostingRow): PostingRecord {
  return {
    transactionId: row.transaction_id,
    line: row.line,
    programId: row.program_id,
    memberId: row.member_id,
    debitAccount: row.debit_account,
    creditAccount: row.credit_account,
    amount: row.amount,
    lotId: row.lot_id,
    createdAt: row.created_at,
  };
}

export interface ReturnRow {
  return_reference: string;
  source_reference: string;
  transaction_id: string;
  return_amount_minor: number;
  points_clawed_back: number;
  shortfall: number;
  created_at: Date;
}

export function returnOf(row: ReturnRow): ReturnRecord {
  return {
    returnReference: row.return_reference,
    sourceReference: row.source_reference,
    transactionId: row.transaction_id,
    returnAmountMinor: row.return_amount_minor,
    pointsClawedBack: row.points_clawed_back,
    shortfall: row.shortfall,
    createdAt: row.created_at,
  };
}

export interface QuoteRow {
  id: string;
  program_id: string;
  member_id: string;
  reward_id: string;
  source_reference: string;
  state: QuoteRecord['state'];
  points: number;
  terms: RewardTerms;
  expires_at: Date;
  created_at: Date;
}

export function quoteOf(row: QuoteRow): QuoteRecord {
  return {
    id: row.id,
    programId: row.program_id,
    memberId: row.member_id,
    rewardId: row.reward_id,
    sourceReference: row.source_reference,
    state: row.state,
    points: row.points,
    terms: row.terms,
    expiresAt: row.expires_at,
    createdAt: row.created_at,
  };
}

export interface ReservationRow {
  id: string;
  quote_id: string;
  program_id: string;
  member_id: string;
  reward_id: string;
  source_reference: string;
  state: ReservationRecord['state'];
  points: number;
  terms: RewardTerms;
  reserve_transaction_id: string;
  commit_transaction_id: string | null;
  transaction_id: string;
  authorization_reference: string | null;
  reason: string | null;
  cancellation_evidence: object | null;
  fulfillment_status: ReservationRecord['fulfillmentStatus'];
  fulfillment_reference: string | null;
  reserved_at: Date;
  expires_at: Date;
  changed_at: Date;
}

export function reservationOf(row: ReservationRow): ReservationRecord {
  return {
    id: row.id,
    quoteId: row.quote_id,
    programId: row.program_id,
    memberId: row.member_id,
    rewardId: row.reward_id,
    sourceReference: row.source_reference,
    state: row.state,
    points: row.points,
    terms: row.terms,
    reserveTransactionId: row.reserve_transaction_id,
    commitTransactionId: row.commit_transaction_id,
    transactionId: row.transaction_id,
    authorizationReference: row.authorization_reference,
    reason: row.reason,
    cancellationEvidence: row.cancellation_evidence,
    fulfillmentStatus: row.fulfillment_status,
    fulfillmentReference: row.fulfillment_reference,
    reservedAt: row.reserved_at,
    expiresAt: row.expires_at,
    changedAt: row.changed_at,
  };
}

export interface DisputeRow {
  id: string;
  reservation_id: string;
  state: DisputeRecord['state'];
  reason: string;
  evidence: object | null;
  resolution: string | null;
  opened_at: Date;
  closed_at: Date | null;
}

export function disputeOf(row: DisputeRow): DisputeRecord {
  return {
    id: row.id,
    reservationId: row.reservation_id,
    state: row.state,
    reason: row.reason,
    evidence: row.evidence,
    resolution: row.resolution,
    openedAt: row.opened_at,
    closedAt: row.closed_at,
  };
}

export interface StockRow {
  program_id: string;
  reward_id: string;
  taken: number;
}

export function stockOf(row: StockRow): StockRecord {
  return {
    programId: row.program_id,
    rewardId: row.reward_id,
    taken: row.taken,
  };
}

export interface AdjustmentRow {
  id: string;
  program_id: string;
  member_id: string;
  direction: AdjustmentRecord['direction'];
  points: number;
  reason: string;
  evidence: object;
  state: AdjustmentRecord['state'];
  requested_by: string;
  requested_at: Date;
  expires_at: Date;
  decided_by: string | null;
  decided_at: Date | null;
  decision_reason: string | null;
  reversed_by: string | null;
  transaction_id: string | null;
  reversal_transaction_id: string | null;
}

export function adjustmentOf(row: AdjustmentRow): AdjustmentRecord {
  return {
    id: row.id,
    programId: row.program_id,
    memberId: row.member_id,
    direction: row.direction,
    points: row.points,
    reason: row.reason,
    evidence: row.evidence,
    state: row.state,
    requestedBy: row.requested_by,
    requestedAt: row.requested_at,
    expiresAt: row.expires_at,
    decidedBy: row.decided_by,
    decidedAt: row.decided_at,
    decisionReason: row.decision_reason,
    reversedBy: row.reversed_by,
    transactionId: row.transaction_id,
    reversalTransactionId: row.reversal_transaction_id,
  };
}
