/** The rows that commands read and write, as the pure core sees them. Ids are UUIDs; points are safe integers. */

export interface EnvironmentRecord {
  id: string;
  kind: 'sandbox' | 'production';
  locked: boolean;
  revision: number;
}

export interface MemberRecord {
  id: string;
  externalCustomerId: string;
  displayName: string | null;
  status: 'active' | 'suspended' | 'erased';
  identityStatus: 'verified' | 'unverified';
  consentStatus: 'granted' | 'withdrawn';
  noticeVersion: string;
  consentAt: Date;
  createdAt: Date;
}

export interface ProfileRecord {
  memberId: string;
  programId: string;
  enrolled: boolean;
  tier: string;
  qualificationPoints: number;
  /** Start of the window that qualificationPoints are counted in; null where the window is the lifetime. */
  qualificationSince: Date | null;
  available: number;
  pending: number;
  reserved: number;
  enrolledAt: Date;
  unenrolledAt: Date | null;
}

export interface ConsentRecord {
  id: string;
  memberId: string;
  programId: string | null;
  status: 'granted' | 'withdrawn';
  noticeVersion: string;
  evidence: object | null;
  reason: string | null;
  requestId: string;
  at: Date;
}

/** What moved points. Issues to come add theirs. */
export type EventType = 'purchase.completed';

export interface TransactionRecord {
  id: string;
  programId: string;
  memberId: string;
  eventType: EventType;
  sourceReference: string | null;
  state: 'committed' | 'reversed';
  points: number;
  occurredAt: Date;
  createdAt: Date;
  reversalOf: string | null;
  reversedBy: string | null;
  receipt: object;
}

export type Account =
  | 'member.available'
  | 'member.pending'
  | 'member.reserved'
  | 'program.issuance'
  | 'program.redemption'
  | 'program.expiry'
  | 'program.adjustment'
  | 'program.clearing';

export interface PostingRecord {
  transactionId: string;
  /** 1 for the first posting of the transaction. */
  line: number;
  programId: string;
  memberId: string;
  debitAccount: Account;
  creditAccount: Account;
  amount: number;
  lotId: string | null;
  createdAt: Date;
}

export interface LotRecord {
  id: string;
  memberId: string;
  programId: string;
  transactionId: string;
  granted: number;
  pending: number;
  available: number;
  reserved: number;
  /** When pending points become available; null where they were so at once. */
  activatesAt: Date | null;
  expiresAt: Date | null;
  createdAt: Date;
}

export interface OrderRecord {
  sourceReference: string;
  programId: string;
  memberId: string;
  transactionId: string;
  state: 'active' | 'partially_returned' | 'returned';
  amountMinor: number;
  currency: string;
  points: number;
  returnedMinor: number;
  clawedBack: number;
  lines: object | null;
}

export interface LimitCounterRecord {
  programId: string;
  memberId: string;
  limitId: string;
  periodStart: Date;
  points: number;
}

export interface IdempotencyRecord {
  operation: string;
  key: string;
  fingerprint: Buffer;
  receipt: object;
  /** Where the receipt is stored with a transaction, that transaction. */
  transactionId: string | null;
  createdAt: Date;
}

export interface AuditRecord {
  id: string;
  action: string;
  targetType: string;
  targetId: string;
  actorType: 'api_key' | 'system' | 'operator';
  actorId: string;
  requestId: string;
  changes: object;
  at: Date;
}
