import type { Connections } from '../db/pool.ts';
import { fromTypeId } from '../ids.ts';
import type { DisputeRecord, ReservationRecord } from '../ledger/records.ts';
import { type DisputeRow, disputeOf, type ReservationRow, reservationOf } from '../ledger/redemption-rows.ts';

/** A reservation as it stands at the time of the read. */
export interface RedemptionView {
  externalCustomerId: string;
  reservation: ReservationRecord;
  /** Oldest first. */
  disputes: DisputeRecord[];
}

/** One a dispute, and one where there is none. */
type Row = ReservationRow & { external_customer_id: string } & (
    | { [Column in keyof DisputeRow as `dispute_${Column}`]: DisputeRow[Column] }
    | { dispute_id: null }
  );

/**
 * Reads a reservation with its disputes. A hold whose time is over has expired, whether that has been posted or not.
 * @param reservationId as a client sends it
 * @returns null for one that the environment does not have
 */
export async function readRedemption(
  connections: Connections,
  environmentId: string,
  reservationId: string,
): Promise<RedemptionView | null> {
  const id = fromTypeId('rsv', reservationId);
  if (id === null) return null;
  const { rows } = await connections.query<Row>({
    name: 'read_redemption',
    text: `select r.id, r.quote_id, r.program_id, r.member_id, r.reward_id, r.source_reference, r.points, r.terms,
        case when over then 'expired' else r.state end as state,
        r.reserve_transaction_id, r.commit_transaction_id, r.transaction_id, r.authorization_reference, r.reason,
        r.cancellation_evidence, r.fulfillment_status, r.fulfillment_reference, r.reserved_at, r.expires_at,
        case when over then r.expires_at else r.changed_at end as changed_at,
        m.external_customer_id,
        d.id as dispute_id, d.reservation_id as dispute_reservation_id, d.state as dispute_state,
        d.reason as dispute_reason, d.evidence as dispute_evidence, d.resolution as dispute_resolution,
        d.opened_at as dispute_opened_at, d.closed_at as dispute_closed_at
      from redemption_reservations r
      cross join lateral (select r.state = 'reserved' and r.expires_at <= clock_timestamp() as over) as time
      join members m on m.environment_id = $1::uuid and m.id = r.member_id
      left join redemption_disputes d on d.environment_id = $1::uuid and d.reservation_id = r.id
      where r.environment_id = $1::uuid and r.id = $2::uuid
      order by d.opened_at, d.id`,
    values: [environmentId, id],
  });
  const [first] = rows;
  if (!first) return null;
  return {
    externalCustomerId: first.external_customer_id,
    reservation: reservationOf(first),
    disputes: rows.flatMap((row) => (row.dispute_id === null ? [] : [disputeOf(disputeRowOf(row))])),
  };
}

function disputeRowOf(row: Exclude<Row, { dispute_id: null }>): DisputeRow {
  return {
    id: row.dispute_id,
    reservation_id: row.dispute_reservation_id,
    state: row.dispute_state,
    reason: row.dispute_reason,
    evidence: row.dispute_evidence,
    resolution: row.dispute_resolution,
    opened_at: row.dispute_opened_at,
    closed_at: row.dispute_closed_at,
  };
}
