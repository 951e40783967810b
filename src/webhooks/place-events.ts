import { subscribesTo } from '../contract/every-type.ts';

/** A committed event that has no position yet. */
export interface PlacedEvent {
  id: string;
  type: string;
  at: Date;
}

/** An endpoint that events make deliveries for. */
export interface Subscriber {
  id: string;
  eventTypes: readonly string[];
  /** When it became active for the first time. */
  activatedAt: Date;
  lastSequence: number;
}

/** An event for one endpoint, with the endpoint's next number. */
export interface NewDelivery {
  endpointId: string;
  eventId: string;
  eventType: string;
  sequence: number;
}

/**
 * Makes the deliveries of events: one for each endpoint that subscribes to the event's type and was active once before
 * it happened. Each takes the next sequence of its endpoint. Pure.
 * @param events in their order
 * @returns the deliveries, by event and then by endpoint
 */
export function placeEvents(
  events: readonly PlacedEvent[],
  subscribers: readonly Subscriber[],
): NewDelivery[] {
  const sequences = new Map(subscribers.map(({ id, lastSequence }) => [id, lastSequence]));
  const deliveries: NewDelivery[] = [];
  for (const event of events) {
    for (const { id, eventTypes, activatedAt } of subscribers) {
      if (event.at < activatedAt || !subscribesTo(eventTypes, event.type)) continue;
      const sequence = (sequences.get(id) ?? 0) + 1;
      sequences.set(id, sequence);
      deliveries.push({ endpointId: id, eventId: event.id, eventType: event.type, sequence });
    }
  }
  return deliveries;
}
