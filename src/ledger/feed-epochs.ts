import { arrayLiteral } from '../db/array-literal.ts';
import { ENVIRONMENT_TIME } from '../db/environment-time.ts';
import type { Statement } from '../db/statement.ts';
import { newUuid } from '../ids.ts';
import { DELIVERIES_CHANNEL } from './tables/webhook-deliveries.ts';
import { MOST_ENDPOINTS } from './tables/webhook-endpoints.ts';

/**
 * What tells a database from one that goes on from an older state of it: a promoted standby and a restore to a moment
 * have another timeline, a restored dump has another system identifier.
 */
export interface DatabaseIdentity {
  systemIdentifier: string;
  /** Eight hexadecimal digits. */
  timeline: string;
}

/** The newest epoch of an environment, and the identity that the database has now. */
export interface EpochState {
  /** Null before the first position. */
  epoch: number | null;
  /** That of the database when the epoch began; null where it could not be read. */
  begunIn: DatabaseIdentity | null;
  /** Null where it can't be read. */
  present: DatabaseIdentity | null;
}

// The timeline is that of the next record: the last checkpoint's lags behind a promotion.
const IDENTITY = `select system_identifier::text as "systemIdentifier",
      left(pg_walfile_name(pg_current_wal_lsn()), 8) as timeline
    from pg_control_system()`;
const UNKNOWN_IDENTITY = `select null::text as "systemIdentifier", null::text as timeline`;

/**
 * Reads the identity of the database. No row on Citus, where each environment is on a node that this session does not
 * see. It fails where the login may not read it, as on some hosted databases: ask outside of a transaction.
 */
export function readIdentity(): Statement {
  return {
    name: 'read_database_identity',
    text: `${IDENTITY}
    where not exists (select from pg_extension where extname = 'citus')`,
    values: [],
  };
}

/** A row of `readEpoch`. */
export interface EpochRow {
  epoch: number | null;
  systemIdentifier: string | null;
  timeline: string | null;
  presentIdentifier: string | null;
  presentTimeline: string | null;
}

/**
 * Reads the newest epoch, with the identity of the database. Send it after the lock on the environment's positions,
 * under which epochs begin: a statement that waits for the lock itself sees the epochs of before.
 * @param readsIdentity false where that can't be read
 */
export function readEpoch(environmentId: string, readsIdentity: boolean): Statement {
  return {
    name: readsIdentity ? 'read_feed_epoch_and_identity' : 'read_feed_epoch',
    text: `select e.epoch, e.system_identifier as "systemIdentifier", e.timeline,
      i."systemIdentifier" as "presentIdentifier", i.timeline as "presentTimeline"
    from (${readsIdentity ? IDENTITY : UNKNOWN_IDENTITY}) i
    left join lateral (
      select epoch, system_identifier, timeline from feed_epochs
      where environment_id = $1::uuid
      order by epoch desc
      limit 1
    ) e on true`,
    values: [environmentId],
  };
}

export function epochState(row: EpochRow | undefined): EpochState {
  const identity = (systemIdentifier?: string | null, timeline?: string | null): DatabaseIdentity | null =>
    systemIdentifier && timeline ? { systemIdentifier, timeline } : null;
  return {
    epoch: row?.epoch ?? null,
    begunIn: identity(row?.systemIdentifier, row?.timeline),
    present: identity(row?.presentIdentifier, row?.presentTimeline),
  };
}

/** Whether the database goes on from an older state of the one in which the newest epoch began. */
export function isForked({ epoch, begunIn, present }: EpochState): boolean {
  if (epoch === null || begunIn === null || present === null) return false;
  return begunIn.systemIdentifier !== present.systemIdentifier || begunIn.timeline !== present.timeline;
}

/** Notes the first epoch, or the identity of one that began where it could not be read. */
export function noteEpoch(environmentId: string, { epoch, begunIn, present }: EpochState): Statement[] {
  if (epoch === null) {
    return [
      {
        name: 'note_first_feed_epoch',
        text: `insert into feed_epochs (environment_id, epoch, last_position_kept, system_identifier, timeline)
          values ($1::uuid, 1, 0, $2::text, $3::text)`,
        values: [environmentId, present?.systemIdentifier ?? null, present?.timeline ?? null],
      },
    ];
  }
  if (begunIn !== null || present === null) return [];
  return [
    {
      name: 'note_identity_of_feed_epoch',
      text: `update feed_epochs set system_identifier = $3::text, timeline = $4::text
        where environment_id = $1::uuid and epoch = $2::integer and system_identifier is null`,
      values: [environmentId, epoch, present.systemIdentifier, present.timeline],
    },
  ];
}

/** A new epoch of an environment. */
export interface NewEpoch {
  epoch: number;
  /** The last position that holds on. */
  lastPositionKept: number;
  identity: DatabaseIdentity | null;
}

/**
 * Begins an epoch: its row, the event that tells of it at the first position after those kept, and a delivery of that
 * to each endpoint that was active once, whatever it subscribes to. Send these under the locks of the environment's
 * positions and of its endpoints. Afterwards the last position and the last sequences are one more.
 */
export function beginEpoch(
  environmentId: string,
  { epoch, lastPositionKept, identity }: NewEpoch,
): Statement[] {
  const eventId = newUuid();
  return [
    {
      name: 'begin_feed_epoch',
      text: `insert into feed_epochs (environment_id, epoch, last_position_kept, system_identifier, timeline, at)
        values ($1::uuid, $2::integer, $3::bigint, $4::text, $5::text, date_trunc('milliseconds', clock_timestamp()))`,
      values: [
        environmentId,
        epoch,
        lastPositionKept,
        identity?.systemIdentifier ?? null,
        identity?.timeline ?? null,
      ],
    },
    {
      name: 'insert_epoch_event',
      text: `insert into events (environment_id, id, type, data, at, position)
        select $1::uuid, $2::uuid, 'feed.epoch_started',
          json_build_object('epoch', f.epoch, 'previousEpoch', f.epoch - 1, 'lastPositionKept', f.last_position_kept,
            'at', to_char(f.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')),
          date_trunc('milliseconds', ${ENVIRONMENT_TIME}), f.last_position_kept + 1
        from feed_epochs f
        where f.environment_id = $1::uuid and f.epoch = $3::integer`,
      values: [environmentId, eventId, epoch],
    },
    ...tellEndpoints(environmentId, epoch, eventId),
    {
      name: 'advance_to_feed_epoch',
      text: 'update event_positions set last_position = $2::bigint + 1 where environment_id = $1::uuid',
      values: [environmentId, lastPositionKept],
    },
  ];
}

function tellEndpoints(environmentId: string, epoch: number, eventId: string): Statement[] {
  return [
    {
      name: 'insert_epoch_deliveries',
      text: `insert into webhook_deliveries
          (environment_id, id, endpoint_id, epoch, sequence, event_id, event_type, status, created_at, next_attempt_at)
        select $1::uuid, ($4::uuid[])[w.number], w.id, $2::integer, w.last_sequence + 1, $3::uuid, 'feed.epoch_started',
          'pending', clock.now, clock.real
        from (
          select id, last_sequence, row_number() over (order by id) as number from webhook_endpoints
          where environment_id = $1::uuid and activated_at is not null and deleted_at is null
        ) w, (select ${ENVIRONMENT_TIME} as now, clock_timestamp() as real) as clock`,
      values: [
        environmentId,
        epoch,
        eventId,
        arrayLiteral(Array.from({ length: MOST_ENDPOINTS }, () => newUuid())),
      ],
    },
    {
      name: 'advance_endpoints_to_epoch',
      text: `update webhook_endpoints
        set epoch = $2::integer,
          last_sequence = last_sequence + case when activated_at is not null and deleted_at is null then 1 else 0 end
        where environment_id = $1::uuid`,
      values: [environmentId, epoch],
    },
    {
      name: 'notify_epoch',
      text: `select pg_notify('${DELIVERIES_CHANNEL}', $1)`,
      values: [environmentId],
    },
  ];
}
