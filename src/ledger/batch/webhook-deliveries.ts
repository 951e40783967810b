import { arrayLiteral } from '../../db/array-literal.ts';
import type { Statement } from '../../db/statement.ts';
import type { WebhookEvent } from '../command.ts';
import { insertedTable } from '../tables/table.ts';

interface DeliveryRecord {
  id: string;
  endpointId: string;
  sequence: number;
  eventType: string;
  payload: object;
  status: 'pending';
  createdAt: Date;
}

interface EndpointRow {
  id: string;
  event_types: string[];
  /** A bigint column: pg reads it as a number, Prisma as a BigInt. */
  last_sequence: number | bigint;
}

/** A connection inside the transaction of the change: one of pg, or the administrator's Prisma transaction. */
export interface DeliveryQueries {
  query<R extends object>(statement: Statement): Promise<{ rows: R[] }>;
}

/** It has no look-ups and no rows in a working set: no decision reads deliveries. */
const deliveriesTable = insertedTable<DeliveryRecord, never>({
  name: 'webhook_deliveries',
  columns: {
    id: 'uuid',
    endpointId: 'uuid',
    sequence: 'bigint',
    eventType: 'text',
    payload: 'json',
    status: 'text',
    createdAt: 'timestamptz',
  },
  primaryKey: ['id'],
});

/**
 * Turns a batch's events into deliveries, one for each endpoint that subscribes to the event's type. It locks the
 * endpoints in the order of their ids, so that the sequence numbers of an endpoint have no gaps.
 * @returns the statements that write the deliveries; run them in the transaction of the change that they report
 */
export async function deliveryStatements(
  client: DeliveryQueries,
  environment: { id: string; outerId: string },
  events: readonly WebhookEvent[],
  now: Date,
  newId: () => string,
): Promise<Statement[]> {
  const { rows: endpoints } = await client.query<EndpointRow>({
    name: 'lock_webhook_endpoints',
    text: `select id, event_types, last_sequence
      from webhook_endpoints
      where environment_id = $1::uuid and event_types && $2::text[]
      order by id
      for update`,
    values: [environment.id, arrayLiteral([...new Set(events.map((event) => event.type))])],
  });
  if (endpoints.length === 0) return [];
  const deliveries: DeliveryRecord[] = [];
  const lastSequences: number[] = [];
  for (const endpoint of endpoints) {
    let sequence = Number(endpoint.last_sequence);
    for (const event of events) {
      if (!endpoint.event_types.includes(event.type)) continue;
      sequence += 1;
      deliveries.push({
        id: newId(),
        endpointId: endpoint.id,
        sequence,
        eventType: event.type,
        payload: {
          type: event.type,
          timestamp: now.toISOString(),
          environmentId: environment.outerId,
          sequence,
          data: event.data,
        },
        status: 'pending',
        createdAt: now,
      });
    }
    lastSequences.push(sequence);
  }
  return [
    {
      name: 'advance_webhook_sequences',
      text: `update webhook_endpoints e
        set last_sequence = r.last_sequence
        from unnest($2::uuid[], $3::bigint[]) as r(id, last_sequence)
        where e.environment_id = $1::uuid and e.id = r.id`,
      values: [
        environment.id,
        arrayLiteral(endpoints.map((endpoint) => endpoint.id)),
        arrayLiteral(lastSequences),
      ],
    },
    deliveriesTable.insert(environment.id, deliveries),
  ];
}
