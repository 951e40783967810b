import { arrayLiteral } from '../../db/array-literal.ts';
import type { RewardTerms } from '../../rules/rewards.ts';
import { OF_MEMBERS } from './handling.ts';
import type { Index } from './look-up.ts';
import type { OpenReservationsNeed } from './needs.ts';
import { updatedTable } from './table.ts';

export interface ReservationRecord {
  id: string;
  quoteId: string;
  programId: string;
  memberId: string;
  rewardId: string;
  sourceReference: string;
  state: 'reserved' | 'committed' | 'released' | 'expired' | 'reversed';
  points: number;
  /** The terms of the quote. Their inventory is the limit under which the reservation took one from the stock. */
  terms: RewardTerms;
  /** The transaction whose postings name the held lots. */
  reserveTransactionId: string;
  commitTransactionId: string | null;
  /** The latest transaction. */
  transactionId: string;
  authorizationReference: string | null;
  /** How much of its discount was reversed, in minor currency units; 0 where it has none. */
  reversedMinor: number;
  /** How many of its points reversals have given back. */
  reversedPoints: number;
  /** Why it was released or reversed; null otherwise. */
  reason: string | null;
  cancellationEvidence: object | null;
  fulfillmentStatus: 'pending' | 'shipped' | 'delivered' | 'failed' | null;
  fulfillmentReference: string | null;
  reservedAt: Date;
  expiresAt: Date;
  /** When the present state began. */
  changedAt: Date;
}

/**
 * A reservation, with the postings that hold its points, the lots that these name, the orders that have a claim on
 * those lots, and the stock of its reward. With `profile`.
 */
export interface ReservationSubject {
  kind: 'reservation';
  id: string;
}

const openOfProfile: Index<ReservationRecord> = {
  properties: ['memberId', 'programId'],
  includes: ({ state }) => state === 'reserved',
};

export const reservations = updatedTable<ReservationRecord, ReservationSubject | OpenReservationsNeed>({
  name: 'redemption_reservations',
  handling: {
    owner: { members: ['member_id'] },
    exported: {
      ids: {
        id: 'rsv',
        member_id: 'mem',
        quote_id: 'quo',
        reserve_transaction_id: 'txn',
        commit_transaction_id: 'txn',
        transaction_id: 'txn',
      },
      order: ['reserved_at', 'id'],
      audited: true,
    },
    erasure: {
      columns: {
        source_reference: 'reference',
        authorization_reference: 'reference',
        fulfillment_reference: 'reference',
        reason: 'sentence',
        cancellation_evidence: 'emptied',
      },
    },
    ...OF_MEMBERS,
  },
  columns: {
    id: 'uuid',
    quoteId: 'uuid',
    programId: 'text',
    memberId: 'uuid',
    rewardId: 'text',
    sourceReference: 'text',
    state: 'text',
    points: 'bigint',
    terms: 'json',
    reserveTransactionId: 'uuid',
    commitTransactionId: 'uuid',
    transactionId: 'uuid',
    authorizationReference: 'text',
    reversedMinor: 'bigint',
    reversedPoints: 'bigint',
    reason: 'text',
    cancellationEvidence: 'json',
    fulfillmentStatus: 'text',
    fulfillmentReference: 'text',
    reservedAt: 'timestamptz',
    expiresAt: 'timestamptz',
    changedAt: 'timestamptz',
  },
  primaryKey: ['id'],
  constant: [
    'quoteId',
    'programId',
    'memberId',
    'rewardId',
    'sourceReference',
    'points',
    'terms',
    'reserveTransactionId',
    'reservedAt',
    'expiresAt',
  ],
  // Of commits.
  inPlace: [
    [
      ...(['state', 'commitTransactionId', 'transactionId', 'authorizationReference'] as const),
      ...(['fulfillmentStatus', 'changedAt'] as const),
    ],
  ],
  unique: [{ properties: ['quoteId'], constraint: 'redemption_reservations_quote_key' }],
  checks: {
    redemption_reservations_points_check: (row) => row.points > 0,
    redemption_reservations_reversed_check: (row) =>
      row.reversedMinor >= 0 && row.reversedPoints >= 0 && row.reversedPoints <= row.points,
    redemption_reservations_commit_check: (row) =>
      (row.state === 'committed' || row.state === 'reversed') === (row.commitTransactionId !== null),
  },
  references: [
    {
      to: 'redemption_quotes',
      constraint: 'redemption_reservations_quote_fkey',
      properties: { id: 'quoteId' },
    },
    {
      to: 'transactions',
      constraint: 'redemption_reservations_transaction_fkey',
      properties: { id: 'transactionId' },
    },
  ],
  lookUps: [
    { name: 'load_reservations', keyProperties: { reservation: ['id'] } },
    {
      name: 'load_open_reservations',
      keyProperties: { openReservations: ['memberId', 'programId'] },
      givesCtids: true,
      text: (select) => `select ${select('r')}
      from unnest($2::uuid[], $3::text[]) as wanted(member_id, program_id)
      cross join lateral (
        select ctid, * from redemption_reservations
        where environment_id = $1::uuid and member_id = wanted.member_id and program_id = wanted.program_id
          and state = 'reserved'
        offset 0
      ) r`,
      values: (keys: readonly OpenReservationsNeed[]) => [
        arrayLiteral(keys.map(({ memberId }) => memberId)),
        arrayLiteral(keys.map(({ programId }) => programId)),
      ],
      find: (stored, { memberId, programId }: OpenReservationsNeed): ReservationRecord[] =>
        stored(reservations).by(openOfProfile, memberId, programId),
    },
  ],
});
