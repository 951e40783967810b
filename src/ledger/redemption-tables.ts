import type {
  AdjustmentRecord,
  DisputeRecord,
  QuoteRecord,
  ReservationRecord,
  StockRecord,
} from './records.ts';
import { table } from './table.ts';

/** The tables of what holds, spends and corrects points: columns as in the migrations, values from the records. */

export const quotesTable = table<QuoteRecord>(
  'redemption_quotes',
  ['id'],
  [
    { name: 'id', type: 'uuid', value: (row) => row.id },
    { name: 'program_id', type: 'text', value: (row) => row.programId },
    { name: 'member_id', type: 'uuid', value: (row) => row.memberId },
    { name: 'reward_id', type: 'text', value: (row) => row.rewardId },
    { name: 'source_reference', type: 'text', value: (row) => row.sourceReference },
    { name: 'state', type: 'text', value: (row) => row.state },
    { name: 'points', type: 'bigint', value: (row) => row.points },
    { name: 'terms', type: 'json', value: (row) => row.terms },
    { name: 'expires_at', type: 'timestamptz', value: (row) => row.expiresAt },
    { name: 'created_at', type: 'timestamptz', value: (row) => row.createdAt },
  ],
);

export const reservationsTable = table<ReservationRecord>(
  'redemption_reservations',
  ['id'],
  [
    { name: 'id', type: 'uuid', value: (row) => row.id },
    { name: 'quote_id', type: 'uuid', value: (row) => row.quoteId },
    { name: 'program_id', type: 'text', value: (row) => row.programId },
    { name: 'member_id', type: 'uuid', value: (row) => row.memberId },
    { name: 'reward_id', type: 'text', value: (row) => row.rewardId },
    { name: 'source_reference', type: 'text', value: (row) => row.sourceReference },
    { name: 'state', type: 'text', value: (row) => row.state },
    { name: 'points', type: 'bigint', value: (row) => row.points },
    { name: 'terms', type: 'json', value: (row) => row.terms },
    { name: 'reserve_transaction_id', type: 'uuid', value: (row) => row.reserveTransactionId },
    { name: 'commit_transaction_id', type: 'uuid', value: (row) => row.commitTransactionId },
    { name: 'transaction_id', type: 'uuid', value: (row) => row.transactionId },
    { name: 'authorization_reference', type: 'text', value: (row) => row.authorizationReference },
    { name: 'reason', type: 'text', value: (row) => row.reason },
    { name: 'cancellation_evidence', type: 'json', value: (row) => row.cancellationEvidence },
    { name: 'fulfillment_status', type: 'text', value: (row) => row.fulfillmentStatus },
    { name: 'fulfillment_reference', type: 'text', value: (row) => row.fulfillmentReference },
    { name: 'reserved_at', type: 'timestamptz', value: (row) => row.reservedAt },
    { name: 'expires_at', type: 'timestamptz', value: (row) => row.expiresAt },
    { name: 'changed_at', type: 'timestamptz', value: (row) => row.changedAt },
  ],
);

export const disputesTable = table<DisputeRecord>(
  'redemption_disputes',
  ['id'],
  [
    { name: 'id', type: 'uuid', value: (row) => row.id },
    { name: 'reservation_id', type: 'uuid', value: (row) => row.reservationId },
    { name: 'state', type: 'text', value: (row) => row.state },
    { name: 'reason', type: 'text', value: (row) => row.reason },
    { name: 'evidence', type: 'json', value: (row) => row.evidence },
    { name: 'resolution', type: 'text', value: (row) => row.resolution },
    { name: 'opened_at', type: 'timestamptz', value: (row) => row.openedAt },
    { name: 'closed_at', type: 'timestamptz', value: (row) => row.closedAt },
  ],
);

export const stocksTable = table<StockRecord>(
  'reward_stocks',
  ['program_id', 'reward_id'],
  [
    { name: 'program_id', type: 'text', value: (row) => row.programId },
    { name: 'reward_id', type: 'text', value: (row) => row.rewardId },
    { name: 'taken', type: 'bigint', value: (row) => row.taken },
  ],
);

export const adjustmentsTable = table<AdjustmentRecord>(
  'adjustments',
  ['id'],
  [
    { name: 'id', type: 'uuid', value: (row) => row.id },
    { name: 'program_id', type: 'text', value: (row) => row.programId },
    { name: 'member_id', type: 'uuid', value: (row) => row.memberId },
    { name: 'direction', type: 'text', value: (row) => row.direction },
    { name: 'points', type: 'bigint', value: (row) => row.points },
    { name: 'reason', type: 'text', value: (row) => row.reason },
    { name: 'evidence', type: 'json', value: (row) => row.evidence },
    { name: 'state', type: 'text', value: (row) => row.state },
    { name: 'requested_by', type: 'text', value: (row) => row.requestedBy },
    { name: 'requested_at', type: 'timestamptz', value: (row) => row.requestedAt },
    { name: 'expires_at', type: 'timestamptz', value: (row) => row.expiresAt },
    { name: 'decided_by', type: 'text', value: (row) => row.decidedBy },
    { name: 'decided_at', type: 'timestamptz', value: (row) => row.decidedAt },
    { name: 'decision_reason', type: 'text', value: (row) => row.decisionReason },
    { name: 'reversed_by', type: 'text', value: (row) => row.reversedBy },
    { name: 'transaction_id', type: 'uuid', value: (row) => row.transactionId },
    { name: 'reversal_transaction_id', type: 'uuid', value: (row) => row.reversalTransactionId },
  ],
);
