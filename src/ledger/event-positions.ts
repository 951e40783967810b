import type { Statement } from '../db/statement.ts';

/** Makes the row of positions of an environment, where there is none. */
export function createPosition(environmentId: string): Statement {
  return {
    name: 'create_event_position',
    text: 'insert into event_positions (environment_id) values ($1::uuid) on conflict do nothing',
    values: [environmentId],
  };
}

/** Locks the positions of an environment, and reads the last one that was given, as `last`. */
export function lockPosition(environmentId: string): Statement {
  return {
    name: 'lock_event_position',
    text: `select last_position as last from event_positions where environment_id = $1::uuid for update`,
    values: [environmentId],
  };
}

/** Locks the endpoints that were active once, and reads how they subscribe. Send it after `lockPosition`. */
export function lockSubscribers(environmentId: string): Statement {
  return {
    name: 'lock_webhook_subscribers',
    text: `select id, event_types as "eventTypes", activated_at as "activatedAt", last_sequence as "lastSequence"
      from webhook_endpoints
      where environment_id = $1::uuid and activated_at is not null and deleted_at is null
      order by id
      for update`,
    values: [environmentId],
  };
}
