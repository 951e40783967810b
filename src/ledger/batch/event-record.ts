import { fromTypeId, toTypeId } from '../../ids.ts';
import type { EventData, WebhookEvent } from '../command.ts';
import { wholeData } from '../tables/event-data.ts';
import type { EventRecord } from '../tables/events.ts';
import type { ProfileRecord } from '../tables/program-profiles.ts';

/**
 * Makes the row of an event. The member is stored by its id alone: its externalCustomerId is added when the event is
 * read (`eventData`), so that nothing of an erased member is left in stored events.
 * @param id UUID
 * @param at when the change was decided, by the database's clock
 */
export function eventRecord(id: string, { type, data }: Omit<WebhookEvent, 'id'>, at: Date): EventRecord {
  const { memberId = null, externalCustomerId: _added, ...others } = data;
  return {
    id,
    type,
    programId: data.programId ?? null,
    memberId: memberId && fromTypeId('mem', memberId),
    data: others,
    at,
  };
}

/**
 * Adds the member's balances and the version of the profile, both as the change has left them: with the versions a
 * receiver tells which of two events has the newer balances.
 * @param profile that the event is about; null where it is about none
 */
export function withProfile(event: EventRecord, profile: ProfileRecord | null): EventRecord {
  if (!profile) return event;
  const { available, pending, reserved, version } = profile;
  const data = { ...event.data, balances: { available, pending, reserved }, profileVersion: version };
  return { ...event, data };
}

/** What the data of an event is read from; `data` as it was reported, or as it is stored. */
type ReadEvent = Pick<EventRecord, 'id' | 'programId' | 'at' | 'memberId' | 'data'>;

/**
 * The data of an event as receivers get it.
 * @param externalCustomerId of the event's member; null where it has none
 */
export function eventData({ memberId, ...event }: ReadEvent, externalCustomerId: string | null): EventData {
  const data = wholeData(event);
  if (memberId === null || externalCustomerId === null) return { ...data };
  return { memberId: toTypeId('mem', memberId), externalCustomerId, ...data };
}

/**
 * The same as JSON text. Data that is stored whole is not parsed, since a delivery needs no field of it.
 * @param event its data as the stored text
 */
export function eventDataText(
  { memberId, data: stored, ...event }: Omit<ReadEvent, 'data'> & { data: string },
  externalCustomerId: string | null,
): string {
  const data = stored.startsWith('[')
    ? JSON.stringify(wholeData({ ...event, data: JSON.parse(stored) as object }))
    : stored;
  if (memberId === null || externalCustomerId === null) return data;
  const member = JSON.stringify({ memberId: toTypeId('mem', memberId), externalCustomerId });
  return data === '{}' ? member : `${member.slice(0, -1)},${data.slice(1)}`;
}
