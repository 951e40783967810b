import { OF_MEMBERS } from './handling.ts';
import { updatedTable } from './table.ts';

/** A settlement of points with a partner, or the reversal of one. */
export interface SettlementRecord {
  settlementReference: string;
  programId: string;
  memberId: string;
  partnerId: string;
  /** Of a reversal: the direction of the settlement that it reverses. */
  direction: 'in' | 'out';
  points: number;
  transactionId: string;
  /** The reference of the settlement that this one reverses; null for a settlement that is not a reversal. */
  reverses: string | null;
  /** The reference of its reversal; null where it stands. */
  reversedBy: string | null;
  createdAt: Date;
}

/**
 * A settlement by its reference, with its postings, the lots that these name, and the orders that have a claim on those
 * lots. The lock on its member's profile guards it.
 */
export interface SettlementSubject {
  kind: 'exchangeSettlement';
  settlementReference: string;
}

export const exchangeSettlements = updatedTable<SettlementRecord, SettlementSubject>({
  name: 'exchange_settlements',
  handling: {
    owner: {
      through: 'transactions',
      on:
        'exchange_settlements.settlement_reference = transactions.source_reference and ' +
        'exchange_settlements.transaction_id = transactions.id',
    },
    exported: {
      ids: { member_id: 'mem', transaction_id: 'txn' },
      order: ['transactions.created_at', 'transactions.id'],
    },
    erasure: 'own_step',
    ...OF_MEMBERS,
  },
  columns: {
    settlementReference: 'text',
    programId: 'text',
    memberId: 'uuid',
    partnerId: 'text',
    direction: 'text',
    points: 'bigint',
    transactionId: 'uuid',
    reverses: 'text',
    reversedBy: 'text',
    createdAt: 'timestamptz',
  },
  primaryKey: ['settlementReference'],
  constant: [
    'programId',
    'memberId',
    'partnerId',
    'direction',
    'points',
    'transactionId',
    'reverses',
    'createdAt',
  ],
  checks: {
    exchange_settlements_points_check: (row) => row.points > 0,
    exchange_settlements_reversal_check: (row) => row.reverses === null || row.reversedBy === null,
  },
  references: [
    {
      to: 'transactions',
      constraint: 'exchange_settlements_transaction_fkey',
      properties: { id: 'transactionId' },
    },
    {
      to: 'program_profiles',
      constraint: 'exchange_settlements_profile_fkey',
      properties: { programId: 'programId', memberId: 'memberId' },
    },
    {
      to: 'exchange_settlements',
      constraint: 'exchange_settlements_reverses_fkey',
      properties: { settlementReference: 'reverses' },
    },
    {
      to: 'exchange_settlements',
      constraint: 'exchange_settlements_reversed_by_fkey',
      properties: { settlementReference: 'reversedBy' },
    },
  ],
  lookUps: [
    { name: 'load_exchange_settlements', keyProperties: { exchangeSettlement: ['settlementReference'] } },
  ],
});
