import { arrayLiteral } from '../db/array-literal.ts';
import type {
  AuditRecord,
  ConsentRecord,
  IdempotencyRecord,
  LimitCounterRecord,
  LotRecord,
  MemberRecord,
  OrderRecord,
  PostingRecord,
  ProfileRecord,
  ReturnRecord,
  TransactionRecord,
} from './records.ts';
import { type Statement, table } from './table.ts';

/** The tables that batches write: columns as in the migrations, values from the records of the pure core. */

export const membersTable = table<MemberRecord>(
  'members',
  ['id'],
  [
    { name: 'id', type: 'uuid', value: (row) => row.id },
    { name: 'external_customer_id', type: 'text', value: (row) => row.externalCustomerId },
    { name: 'display_name', type: 'text', value: (row) => row.displayName },
    { name: 'status', type: 'text', value: (row) => row.status },
    { name: 'identity_status', type: 'text', value: (row) => row.identityStatus },
    { name: 'consent_status', type: 'text', value: (row) => row.consentStatus },
    { name: 'notice_version', type: 'text', value: (row) => row.noticeVersion },
    { name: 'consent_at', type: 'timestamptz', value: (row) => row.consentAt },
    { name: 'created_at', type: 'timestamptz', value: (row) => row.createdAt },
  ],
);

export const profilesTable = table<ProfileRecord>(
  'program_profiles',
  ['member_id', 'program_id'],
  [
    { name: 'member_id', type: 'uuid', value: (row) => row.memberId },
    { name: 'program_id', type: 'text', value: (row) => row.programId },
    { name: 'enrolled', type: 'boolean', value: (row) => row.enrolled },
    { name: 'tier', type: 'text', value: (row) => row.tier },
    { name: 'qualification_points', type: 'bigint', value: (row) => row.qualificationPoints },
    { name: 'qualification_since', type: 'timestamptz', value: (row) => row.qualificationSince },
    { name: 'qualification_days', type: 'json', value: (row) => row.qualificationDays },
    { name: 'requalify_at', type: 'timestamptz', value: (row) => row.requalifyAt },
    { name: 'available', type: 'bigint', value: (row) => row.available },
    { name: 'pending', type: 'bigint', value: (row) => row.pending },
    { name: 'reserved', type: 'bigint', value: (row) => row.reserved },
    { name: 'enrolled_at', type: 'timestamptz', value: (row) => row.enrolledAt },
    { name: 'unenrolled_at', type: 'timestamptz', value: (row) => row.unenrolledAt },
    { name: 'next_due_at', type: 'timestamptz', value: (row) => row.nextDueAt },
    { name: 'last_activity_at', type: 'timestamptz', value: (row) => row.lastActivityAt },
    { name: 'purchase_count', type: 'bigint', value: (row) => row.purchaseCount },
    { name: 'purchase_amount_minor', type: 'bigint', value: (row) => row.purchaseAmountMinor },
    { name: 'first_purchase_at', type: 'timestamptz', value: (row) => row.firstPurchaseAt },
    { name: 'last_purchase_at', type: 'timestamptz', value: (row) => row.lastPurchaseAt },
    { name: 'referral_code', type: 'text', value: (row) => row.referralCode },
    { name: 'referred_by', type: 'uuid', value: (row) => row.referredBy },
    { name: 'referral_count', type: 'bigint', value: (row) => row.referralCount },
  ],
);

export const consentsTable = table<ConsentRecord>(
  'consent_records',
  ['id'],
  [
    { name: 'id', type: 'uuid', value: (row) => row.id },
    { name: 'member_id', type: 'uuid', value: (row) => row.memberId },
    { name: 'program_id', type: 'text', value: (row) => row.programId },
    { name: 'status', type: 'text', value: (row) => row.status },
    { name: 'notice_version', type: 'text', value: (row) => row.noticeVersion },
    { name: 'evidence', type: 'json', value: (row) => row.evidence },
    { name: 'reason', type: 'text', value: (row) => row.reason },
    { name: 'request_id', type: 'text', value: (row) => row.requestId },
    { name: 'at', type: 'timestamptz', value: (row) => row.at },
  ],
);

export const transactionsTable = table<TransactionRecord>(
  'transactions',
  ['id'],
  [
    { name: 'id', type: 'uuid', value: (row) => row.id },
    { name: 'program_id', type: 'text', value: (row) => row.programId },
    { name: 'member_id', type: 'uuid', value: (row) => row.memberId },
    { name: 'event_type', type: 'text', value: (row) => row.eventType },
    { name: 'source_reference', type: 'text', value: (row) => row.sourceReference },
    { name: 'state', type: 'text', value: (row) => row.state },
    { name: 'points', type: 'bigint', value: (row) => row.points },
    { name: 'occurred_at', type: 'timestamptz', value: (row) => row.occurredAt },
    { name: 'created_at', type: 'timestamptz', value: (row) => row.createdAt },
    { name: 'reversal_of', type: 'uuid', value: (row) => row.reversalOf },
    { name: 'reversed_by', type: 'uuid', value: (row) => row.reversedBy },
    { name: 'receipt', type: 'json', value: (row) => row.receipt },
  ],
);

export const lotsTable = table<LotRecord>(
  'lots',
  ['member_id', 'program_id', 'id'],
  [
    { name: 'member_id', type: 'uuid', value: (row) => row.memberId },
    { name: 'program_id', type: 'text', value: (row) => row.programId },
    { name: 'id', type: 'uuid', value: (row) => row.id },
    { name: 'transaction_id', type: 'uuid', value: (row) => row.transactionId },
    { name: 'granted', type: 'bigint', value: (row) => row.granted },
    { name: 'pending', type: 'bigint', value: (row) => row.pending },
    { name: 'available', type: 'bigint', value: (row) => row.available },
    { name: 'reserved', type: 'bigint', value: (row) => row.reserved },
    { name: 'activates_at', type: 'timestamptz', value: (row) => row.activatesAt },
    { name: 'expires_at', type: 'timestamptz', value: (row) => row.expiresAt },
    { name: 'inactivity_days', type: 'integer', value: (row) => row.inactivityDays },
    { name: 'claimed', type: 'bigint', value: (row) => row.claimed },
    { name: 'created_at', type: 'timestamptz', value: (row) => row.createdAt },
  ],
);

export const postingsTable = table<PostingRecord>(
  'postings',
  ['transaction_id', 'line'],
  [
    { name: 'transaction_id', type: 'uuid', value: (row) => row.transactionId },
    { name: 'line', type: 'integer', value: (row) => row.line },
    { name: 'program_id', type: 'text', value: (row) => row.programId },
    { name: 'member_id', type: 'uuid', value: (row) => row.memberId },
    { name: 'debit_account', type: 'text', value: (row) => row.debitAccount },
    { name: 'credit_account', type: 'text', value: (row) => row.creditAccount },
    { name: 'amount', type: 'bigint', value: (row) => row.amount },
    { name: 'lot_id', type: 'uuid', value: (row) => row.lotId },
    { name: 'created_at', type: 'timestamptz', value: (row) => row.createdAt },
  ],
);

export const ordersTable = table<OrderRecord>(
  'orders',
  ['source_reference'],
  [
    { name: 'source_reference', type: 'text', value: (row) => row.sourceReference },
    { name: 'program_id', type: 'text', value: (row) => row.programId },
    { name: 'member_id', type: 'uuid', value: (row) => row.memberId },
    { name: 'transaction_id', type: 'uuid', value: (row) => row.transactionId },
    { name: 'state', type: 'text', value: (row) => row.state },
    { name: 'amount_minor', type: 'bigint', value: (row) => row.amountMinor },
    { name: 'currency', type: 'text', value: (row) => row.currency },
    { name: 'points', type: 'bigint', value: (row) => row.points },
    { name: 'returned_minor', type: 'bigint', value: (row) => row.returnedMinor },
    { name: 'clawed_back', type: 'bigint', value: (row) => row.clawedBack },
    { name: 'lines', type: 'json', value: (row) => row.lines },
    { name: 'returned_lines', type: 'json', value: (row) => row.returnedLines },
  ],
);

export const returnsTable = table<{ record: ReturnRecord }>(
  'returns',
  ['return_reference'],
  [
    { name: 'return_reference', type: 'text', value: ({ record }) => record.returnReference },
    { name: 'source_reference', type: 'text', value: ({ record }) => record.sourceReference },
    { name: 'transaction_id', type: 'uuid', value: ({ record }) => record.transactionId },
    { name: 'return_amount_minor', type: 'bigint', value: ({ record }) => record.returnAmountMinor },
    { name: 'points_clawed_back', type: 'bigint', value: ({ record }) => record.pointsClawedBack },
    { name: 'shortfall', type: 'bigint', value: ({ record }) => record.shortfall },
    { name: 'created_at', type: 'timestamptz', value: ({ record }) => record.createdAt },
  ],
);

export const limitCountersTable = table<LimitCounterRecord>(
  'limit_counters',
  ['member_id', 'program_id', 'limit_id', 'period_start'],
  [
    { name: 'member_id', type: 'uuid', value: (row) => row.memberId },
    { name: 'program_id', type: 'text', value: (row) => row.programId },
    { name: 'limit_id', type: 'text', value: (row) => row.limitId },
    { name: 'period_start', type: 'timestamptz', value: (row) => row.periodStart },
    { name: 'points', type: 'bigint', value: (row) => row.points },
  ],
);

export const idempotencyTable = table<IdempotencyRecord>(
  'idempotency_keys',
  ['operation', 'key'],
  [
    { name: 'operation', type: 'text', value: (row) => row.operation },
    { name: 'key', type: 'text', value: (row) => row.key },
    { name: 'fingerprint', type: 'bytea', value: (row) => row.fingerprint },
    { name: 'receipt', type: 'json', value: (row) => (row.transactionId ? null : row.receipt) },
    { name: 'transaction_id', type: 'uuid', value: (row) => row.transactionId },
    { name: 'created_at', type: 'timestamptz', value: (row) => row.createdAt },
  ],
);

export const auditTable = table<AuditRecord>(
  'audit_events',
  ['id'],
  [
    { name: 'id', type: 'uuid', value: (row) => row.id },
    { name: 'action', type: 'text', value: (row) => row.action },
    { name: 'target_type', type: 'text', value: (row) => row.targetType },
    { name: 'target_id', type: 'text', value: (row) => row.targetId },
    { name: 'actor_type', type: 'text', value: (row) => row.actorType },
    { name: 'actor_id', type: 'text', value: (row) => row.actorId },
    { name: 'request_id', type: 'text', value: (row) => row.requestId },
    { name: 'changes', type: 'json', value: (row) => row.changes },
    { name: 'at', type: 'timestamptz', value: (row) => row.at },
  ],
);

/**
 * Marks transactions as reversed: their other columns never change. Each is found by its whole key first and updated in
 * its place, since the join of an UPDATE comes to walk the environment.
 */
export function reverseTransactions(
  environmentId: string,
  rows: readonly Pick<TransactionRecord, 'id' | 'state' | 'reversedBy'>[],
): Statement {
  return {
    name: 'reverse_transactions',
    text: `update transactions t
      set state = 'reversed', reversed_by = r.reversed_by
      from (
        select row.ctid as place, wanted.reversed_by
        from unnest($2::uuid[], $3::uuid[]) as wanted(id, reversed_by)
        cross join lateral (
          select ctid from transactions where environment_id = $1::uuid and id = wanted.id limit 1 for update
        ) row
      ) r
      where t.ctid = r.place`,
    values: [
      environmentId,
      arrayLiteral(rows.map((row) => row.id)),
      arrayLiteral(rows.map((row) => row.reversedBy)),
    ],
  };
}
