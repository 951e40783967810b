import type { Pool } from 'pg';
import { isExpectedEvent } from '../../../simulator/auditor/events.ts';
import type { ExpectedEvent } from '../../../simulator/model/expected-event.ts';
import { type EventColumns, wholeData } from '../../../src/ledger/tables/event-data.ts';

export interface StoredEvent {
  type: string;
  programId: string | null;
  customer: string;
  data: Record<string, unknown>;
}

/** The events about members of an environment, in the order in which they were written. @param skip how many to skip */
export async function storedEvents(pool: Pool, environmentId: string, skip: number): Promise<StoredEvent[]> {
  const { rows } = await pool.query<StoredEvent & EventColumns>(
    `select e.id, e.at, e.type, e.program_id as "programId", m.external_customer_id as customer, e.data
     from events e
     join members m on m.environment_id = e.environment_id and m.id = e.member_id
     where e.environment_id = $1 order by e.written_at, e.id offset $2`,
    [environmentId, skip],
  );
  return rows.map((row) => ({ ...row, data: wholeData(row) }));
}

/**
 * Compares the events of some customers with those that the model expects, in any order.
 * @returns the first difference, or null
 */
export function findEventDifference(
  expected: readonly ExpectedEvent[],
  stored: readonly StoredEvent[],
  customers: readonly string[],
): string | null {
  const remaining = stored.filter(({ customer }) => customers.includes(customer)).map(withoutTime);
  for (const event of expected.map(withoutTime)) {
    const index = remaining.findIndex(
      (found) => found.customer === event.externalCustomerId && isExpectedEvent(event, found),
    );
    if (index < 0) return `there is no event ${JSON.stringify(event)} among ${JSON.stringify(remaining)}`;
    remaining.splice(index, 1);
  }
  return remaining.length > 0
    ? `there are events that the model does not expect: ${JSON.stringify(remaining)}`
    : null;
}

/** When a settlement was decided is stored nowhere else, so the model does not know it to the millisecond. */
function withoutTime<E extends { type: string; data: Readonly<Record<string, unknown>> }>(event: E): E {
  if (event.type !== 'points.expired') return event;
  const { occurredAt: _settledAt, ...data } = event.data;
  return { ...event, data };
}
