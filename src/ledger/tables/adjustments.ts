import { OF_MEMBERS } from './handling.ts';
import { updatedTable } from './table.ts';

export interface AdjustmentRecord {
  id: string;
  programId: string;
  memberId: string;
  direction: 'credit' | 'debit';
  points: number;
  reason: string;
  evidence: object;
  state: 'requested' | 'posted' | 'rejected' | 'reversed' | 'expired';
  /** A principal, as are decidedBy and reversedBy. */
  requestedBy: string;
  requestedAt: Date;
  expiresAt: Date;
  decidedBy: string | null;
  decidedAt: Date | null;
  /** The reason of the latest decision. */
  decisionReason: string | null;
  reversedBy: string | null;
  transactionId: string | null;
  reversalTransactionId: string | null;
}

/** An adjustment, with its postings, the lots that these name, and the orders that have a claim on those lots. */
export interface AdjustmentSubject {
  kind: 'adjustment';
  id: string;
}

export const adjustments = updatedTable<AdjustmentRecord, AdjustmentSubject>({
  name: 'adjustments',
  handling: {
    owner: { members: ['member_id'] },
    exported: {
      ids: { id: 'adj', member_id: 'mem', transaction_id: 'txn', reversal_transaction_id: 'txn' },
      order: ['requested_at', 'id'],
      audited: true,
    },
    erasure: { columns: { reason: 'sentence', evidence: 'emptied', decision_reason: 'sentence' } },
    ...OF_MEMBERS,
  },
  columns: {
    id: 'uuid',
    programId: 'text',
    memberId: 'uuid',
    direction: 'text',
    points: 'bigint',
    reason: 'text',
    evidence: 'json',
    state: 'text',
    requestedBy: 'text',
    requestedAt: 'timestamptz',
    expiresAt: 'timestamptz',
    decidedBy: 'text',
    decidedAt: 'timestamptz',
    decisionReason: 'text',
    reversedBy: 'text',
    transactionId: 'uuid',
    reversalTransactionId: 'uuid',
  },
  primaryKey: ['id'],
  constant: [
    'programId',
    'memberId',
    'direction',
    'points',
    'reason',
    'evidence',
    'requestedBy',
    'requestedAt',
    'expiresAt',
  ],
  checks: {
    adjustments_points_check: (row) => row.points > 0,
    two_persons_approve: (row) => row.state === 'rejected' || row.decidedBy !== row.requestedBy,
    two_persons_reverse: (row) => row.reversedBy !== row.requestedBy,
    adjustments_transaction_check: (row) => isPosted(row) === (row.transactionId !== null),
    adjustments_reversal_check: (row) => (row.state === 'reversed') === (row.reversalTransactionId !== null),
    adjustments_decided_check: (row) =>
      (isPosted(row) || row.state === 'rejected') === (row.decidedBy !== null),
  },
  references: [
    { to: 'transactions', constraint: 'adjustments_transaction_fkey', properties: { id: 'transactionId' } },
  ],
  lookUps: [{ name: 'load_adjustments', keyProperties: { adjustment: ['id'] } }],
});

function isPosted({ state }: AdjustmentRecord): boolean {
  return state === 'posted' || state === 'reversed';
}
