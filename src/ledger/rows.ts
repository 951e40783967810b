import type {
  EnvironmentRecord,
  IdempotencyRecord,
  LimitCounterRecord,
  MemberRecord,
  OrderRecord,
  ProfileRecord,
} from './records.ts';

/** Rows as the statements of the ledger give them, and the records that the pure core knows them by. */

export interface EnvironmentRow {
  id: string;
  kind: EnvironmentRecord['kind'];
  locked: boolean;
  revision: number;
  now: Date;
  has_webhook_endpoints: boolean;
}

export function environmentOf(row: EnvironmentRow): EnvironmentRecord {
  return { id: row.id, kind: row.kind, locked: row.locked, revision: row.revision };
}

export interface MemberRow {
  id: string;
  external_customer_id: string;
  display_name: string | null;
  status: MemberRecord['status'];
  identity_status: MemberRecord['identityStatus'];
  consent_status: MemberRecord['consentStatus'];
  notice_version: string;
  consent_at: Date;
  created_at: Date;
  tags: string[];
  lists: string[];
}

export function memberOf(row: MemberRow): MemberRecord {
  return {
    id: row.id,
    externalCustomerId: row.external_customer_id,
    displayName: row.display_name,
    status: row.status,
    identityStatus: row.identity_status,
    consentStatus: row.consent_status,
    noticeVersion: row.notice_version,
    consentAt: row.consent_at,
    createdAt: row.created_at,
    tags: row.tags,
    lists: row.lists,
  };
}

export interface ProfileRow {
  member_id: string;
  program_id: string;
  enrolled: boolean;
  tier: string;
  qualification_points: number;
  qualification_since: Date | null;
  qualification_days: Readonly<Record<string, number>> | null;
  requalify_at: Date | null;
  available: number;
  pending: number;
  reserved: number;
  enrolled_at: Date;
  unenrolled_at: Date | null;
  next_due_at: Date | null;
  last_activity_at: Date | null;
  purchase_count: number;
  purchase_amount_minor: number;
  first_purchase_at: Date | null;
  last_purchase_at: Date | null;
  referral_code: string | null;
  referred_by: string | null;
  referral_count: number;
}

export function profileOf(row: ProfileRow): ProfileRecord {
  return {
    memberId: row.member_id,
    programId: row.program_id,
    enrolled: row.enrolled,
    tier: row.tier,
    qualificationPoints: row.qualification_points,
    qualificationSince: row.qualification_since,
    qualificationDays: row.qualification_days,
    requalifyAt: row.requalify_at,
    available: row.available,
    pending: row.pending,
    reserved: row.reserved,
    enrolledAt: row.enrolled_at,
    unenrolledAt: row.unenrolled_at,
    nextDueAt: row.next_due_at,
    lastActivityAt: row.last_activity_at,
    purchaseCount: row.purchase_count,
    purchaseAmountMinor: row.purchase_amount_minor,
    firstPurchaseAt: row.first_purchase_at,
    lastPurchaseAt: row.last_purchase_at,
    referralCode: row.referral_code,
    referredBy: row.referred_by,
    referralCount: row.referral_count,
  };
}

export interface OrderRow {
  source_reference: string;
  program_id: string;
  member_id: string;
  transaction_id: string;
  state: OrderRecord['state'];
  amount_minor: number;
  currency: string;
  points: number;
  returned_minor: number;
  clawed_back: number;
  lines: object | null;
  returned_lines: Readonly<Record<string, number>> | null;
}

export function orderOf(row: OrderRow): OrderRecord {
  return {
    sourceReference: row.source_reference,
    programId: row.program_id,
    memberId: row.member_id,
    transactionId: row.transaction_id,
    state: row.state,
    amountMinor: row.amount_minor,
    currency: row.currency,
    points: row.points,
    returnedMinor: row.returned_minor,
    clawedBack: row.clawed_back,
    lines: row.lines,
    returnedLines: row.returned_lines,
  };
}

export interface LimitCounterRow {
  program_id: string;
  member_id: string;
  limit_id: string;
  period_start: Date;
  points: number;
}

export function limitCounterOf(row: LimitCounterRow): LimitCounterRecord {
  return {
    programId: row.program_id,
    memberId: row.member_id,
    limitId: row.limit_id,
    periodStart: row.period_start,
    points: row.points,
  };
}

export interface IdempotencyRow {
  operation: string;
  key: string;
  fingerprint: Buffer;
  receipt: object;
  transaction_id: string | null;
  created_at: Date;
}

export function idempotencyOf(row: IdempotencyRow): IdempotencyRecord {
  return {
    operation: row.operation,
    key: row.key,
    fingerprint: row.fingerprint,
    receipt: row.receipt,
    transactionId: row.transaction_id,
    createdAt: row.created_at,
  };
}
