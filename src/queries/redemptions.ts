import { ENVIRONMENT_TIME } from '../db/environment-time.ts';
import type { Connections } from '../db/pool.ts';
import { fromTypeId } from '../ids.ts';
import { type DisputeRecord, disputes } from '../ledger/tables/redemption-disputes.ts';
import { type ReservationRecord, reservations } from '../ledger/tables/redemption-reservations.ts';

/** A reservation in its state at the time of the read. */
export interface RedemptionView {
  externalCustomerId: string;
  reservation: ReservationRecord;
  /** Oldest first. */
  disputes: DisputeRecord[];
}

/** One row for each dispute, whose columns have the prefix `dispute_`; a single row where there is no dispute. */
type Row = ReservationRecord & { external_customer_id: string; dispute_id: string | null };

/**
 * Reads a reservation with its disputes. A hold past its `expiresAt` is shown as expired, even where that is not posted
 * yet.
 * @param reservationId the public id, as a client sends it
 * @returns null where the environment has no such reservation
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
    text: `select ${reservations.select('r', {
      state: "case when over then 'expired' else r.state end",
      changedAt: 'case when over then r.expires_at else r.changed_at end',
    })}, m.external_customer_id, ${disputes.select('d', {}, 'dispute_')}
      from redemption_reservations r
      cross join lateral (select r.state = 'reserved' and r.expires_at <= ${ENVIRONMENT_TIME} as over) as time
      join members holder on holder.environment_id = $1::uuid and holder.id = r.member_id
      join members m on m.environment_id = $1::uuid and m.id = coalesce(holder.merged_into, holder.id)
      left join redemption_disputes d on d.environment_id = $1::uuid and d.reservation_id = r.id
      where r.environment_id = $1::uuid and r.id = $2::uuid
      order by d.opened_at, d.id`,
    values: [environmentId, id],
  });
  const [first] = rows;
  if (!first) return null;
  return {
    externalCustomerId: first.external_customer_id,
    reservation: reservations.pick(first),
    disputes: rows.flatMap((row) => (row.dispute_id === null ? [] : [disputes.pick(row, 'dispute_')])),
  };
}
