import { OF_MEMBERS } from './handling.ts';
import { updatedTable } from './table.ts';

export interface DisputeRecord {
  id: string;
  reservationId: string;
  state: 'open' | 'resolved' | 'rejected';
  reason: string;
  evidence: object | null;
  resolution: string | null;
  openedAt: Date;
  closedAt: Date | null;
}

/** The disputes of a reservation. */
export interface DisputesSubject {
  kind: 'disputes';
  reservationId: string;
}

export const disputes = updatedTable<DisputeRecord, DisputesSubject>({
  name: 'redemption_disputes',
  handling: {
    owner: {
      through: 'redemption_reservations',
      on: 'redemption_disputes.reservation_id = redemption_reservations.id',
    },
    exported: { ids: { id: 'dsp', reservation_id: 'rsv' }, order: ['opened_at', 'id'], audited: true },
    erasure: { columns: { reason: 'sentence', evidence: 'removed', resolution: 'sentence' } },
    ...OF_MEMBERS,
  },
  columns: {
    id: 'uuid',
    reservationId: 'uuid',
    state: 'text',
    reason: 'text',
    evidence: 'json',
    resolution: 'text',
    openedAt: 'timestamptz',
    closedAt: 'timestamptz',
  },
  primaryKey: ['id'],
  constant: ['reservationId', 'reason', 'evidence', 'openedAt'],
  checks: { redemption_disputes_closed_check: (row) => (row.state === 'open') === (row.closedAt === null) },
  references: [
    {
      to: 'redemption_reservations',
      constraint: 'redemption_disputes_reservation_fkey',
      properties: { id: 'reservationId' },
    },
  ],
  lookUps: [{ name: 'load_disputes', keyProperties: { disputes: ['reservationId'] }, many: true }],
});
