import { setTimeout as sleep } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import { arrayLiteral } from '../db/array-literal.ts';
import { ENVIRONMENT_TIME } from '../db/environment-time.ts';
import { inOneWrite } from '../db/in-one-write.ts';
import type { Pool } from '../db/pool.ts';
import type { Statement } from '../db/statement.ts';
import { newUuid } from '../ids.ts';
import { createPosition, lockPosition, lockSubscribers } from '../ledger/event-positions.ts';
import {
  beginEpoch,
  type EpochRow,
  type EpochState,
  epochState,
  isForked,
  noteEpoch,
  readEpoch,
  readIdentity,
} from '../ledger/feed-epochs.ts';
import {
  DELIVERIES_CHANNEL,
  type DeliveryRecord,
  newDelivery,
  webhookDeliveries,
} from '../ledger/tables/webhook-deliveries.ts';
import { type PlacedEvent, placeEvents, type Subscriber } from './place-events.ts';

export interface SequencerOptions {
  /** With the privileges of rewards_app and pipelined: `createLanePool`. */
  pool: Pool;
  /** Called after deliveries of the environment were made by this process. */
  onDeliveries?: (environmentId: string) => void;
  /** Called when a step failed, before it is tried again. */
  onError?: (error: unknown) => void;
}

/** Most events that take their positions in one transaction. */
const CHUNK = 500;
/** Between two rounds of an environment: events that are committed meanwhile share the next one. */
const ROUND_MS = 10;
/** The same where no endpoint waits for events: only the feed reads them. */
const IDLE_ROUND_MS = 100;
/** How often events are looked for that nobody told of, such as those of a process that was killed. */
const POLL_MS = 1_000;
const RETRY_MS = 500;

/** What one step did. */
interface Step {
  placed: number;
  deliveries: number;
  hasSubscribers: boolean;
  /** Whether events without a position may remain. */
  more: boolean;
}

/**
 * Gives committed events their positions in the environment, and makes their deliveries. Each step takes the events
 * that are committed and have no position, in the order of the times at which changes wrote them under their locks. So
 * an event comes after those of every change that was committed before its own change was decided, whichever process
 * wrote them: those are committed too, and their times are earlier. An event whose transaction stays open for long
 * delays no other; it takes its position after its commit. Any number of processes may do this: the row of the
 * environment in event_positions is locked.
 */
export class Sequencer {
  readonly #options: SequencerOptions;
  /** The environments at work. True where events came since the last step began. */
  readonly #awake = new Map<string, boolean>();
  readonly #running = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  /** Whether the identity of the database can be read; null where it is to be asked. */
  #readsIdentity: boolean | null = null;

  constructor(options: SequencerOptions) {
    this.#options = options;
  }

  /** Starts to look for events that nobody tells of. */
  start(): void {
    this.#track(this.#poll());
  }

  /** An environment has new events. Cheap: it may be called after every batch. @param environmentId UUID */
  wake(environmentId: string): void {
    if (this.#stopping.signal.aborted) return;
    const working = this.#awake.has(environmentId);
    this.#awake.set(environmentId, true);
    if (!working) this.#track(this.#work(environmentId));
  }

  /** Ends the steps that run, and begins no further ones. */
  async close(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#running);
  }

  #track(work: Promise<void>): void {
    const tracked = work.catch((error) => this.#options.onError?.(error));
    this.#running.add(tracked);
    void tracked.finally(() => this.#running.delete(tracked));
  }

  async #work(environmentId: string): Promise<void> {
    try {
      while (!this.#stopping.signal.aborted) {
        this.#awake.set(environmentId, false);
        const step = await this.#tryStep(environmentId);
        if (step && step.deliveries > 0) this.#options.onDeliveries?.(environmentId);
        // Nothing is awaited between this look and the end, so that no wake comes between them.
        if (step && !step.more && this.#awake.get(environmentId) === false) break;
        if (step?.more) continue;
        await this.#pause(step === null ? RETRY_MS : step.hasSubscribers ? ROUND_MS : IDLE_ROUND_MS);
      }
    } finally {
      this.#awake.delete(environmentId);
    }
  }

  async #tryStep(environmentId: string): Promise<Step | null> {
    try {
      return await this.step(environmentId);
    } catch (error) {
      this.#options.onError?.(error);
      return null;
    }
  }

  async #poll(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      try {
        const { rows } = await this.#options.pool.query<{ id: string }>(FIND_ENVIRONMENTS);
        for (const { id } of rows) this.wake(id);
      } catch (error) {
        this.#options.onError?.(error);
      }
      await this.#pause(POLL_MS);
    }
  }

  async #pause(milliseconds: number): Promise<void> {
    await sleep(milliseconds, undefined, { signal: this.#stopping.signal }).catch(() => {});
  }

  /** Places the next events of an environment, in one transaction. @param environmentId UUID */
  async step(environmentId: string): Promise<Step> {
    this.#readsIdentity ??= await canReadIdentity(this.#options.pool);
    const client = await this.#options.pool.connect();
    try {
      const step = await placeInTransaction(client, environmentId, this.#readsIdentity);
      client.release();
      return step;
    } catch (error) {
      // Another database may be behind the address now, with other privileges.
      this.#readsIdentity = null;
      client.release(true);
      throw error;
    }
  }
}

/** Whether the identity of the database can be read by this login. */
async function canReadIdentity(pool: Pool): Promise<boolean> {
  try {
    return (await pool.query(readIdentity())).rows.length > 0;
  } catch (error) {
    // Where the login may not (42501), or the database has no such function or does not support it.
    if (['42501', '42883', '0A000'].includes((error as { code?: string }).code ?? '')) return false;
    throw error;
  }
}

async function placeInTransaction(
  client: PoolClient,
  environmentId: string,
  readsIdentity: boolean,
): Promise<Step> {
  // Statements, and not one: each sees what was committed before the locks of the ones before it were taken.
  const [, position, subscribers, events, epochs, clock] = await inOneWrite(client, () =>
    Promise.all([
      client.query('begin isolation level read committed'),
      client.query<{ last: number }>(lockPosition(environmentId)),
      client.query<Subscriber>(lockSubscribers(environmentId)),
      client.query<PlacedEvent>(findEvents(environmentId)),
      client.query<EpochRow>(readEpoch(environmentId, readsIdentity)),
      client.query<DeliveryClock>(readClock(environmentId)),
    ]),
  );
  const placed = events.rows.length;
  const hasSubscribers = subscribers.rows.length > 0;
  const last = position.rows[0]?.last;
  const times = clock.rows[0];
  if (placed === 0 || last === undefined || !times) {
    await client.query('rollback');
    if (last === undefined) await client.query(createPosition(environmentId));
    return { placed: 0, deliveries: 0, hasSubscribers, more: placed > 0 };
  }
  const start = startOf(environmentId, epochState(epochs.rows[0]), last, subscribers.rows);
  const deliveries = placeEvents(events.rows, start.subscribers).map((delivery) =>
    newDelivery(newUuid(), {
      ...delivery,
      epoch: start.epoch,
      createdAt: times.now,
      nextAttemptAt: times.real,
    }),
  );
  const statements = [
    ...start.statements,
    setPositions(environmentId, start.last, events.rows),
    advancePosition(environmentId, start.last + placed),
    ...(deliveries.length > 0 ? deliveryStatements(environmentId, start.epoch, deliveries) : []),
  ];
  await inOneWrite(client, () =>
    Promise.all([...statements.map((statement) => client.query(statement)), client.query('commit')]),
  );
  const told = start.begins ? subscribers.rows.length : 0;
  return { placed, deliveries: deliveries.length + told, hasSubscribers, more: placed === CHUNK };
}

/** Where a step goes on from. */
interface Start {
  epoch: number;
  /** Whether the epoch begins with this step. */
  begins: boolean;
  /** The last position before the events. */
  last: number;
  subscribers: readonly Subscriber[];
  /** To be sent before those of the events. */
  statements: Statement[];
}

/**
 * Begins a new epoch where the database goes on from an older state: its event takes a position, and a sequence of
 * everybody.
 */
function startOf(
  environmentId: string,
  state: EpochState,
  last: number,
  subscribers: readonly Subscriber[],
): Start {
  const epoch = state.epoch ?? 1;
  if (!isForked(state)) {
    return { epoch, begins: false, last, subscribers, statements: noteEpoch(environmentId, state) };
  }
  const newEpoch = { epoch: epoch + 1, lastPositionKept: last, identity: state.present };
  return {
    epoch: newEpoch.epoch,
    begins: true,
    last: last + 1,
    subscribers: subscribers.map((each) => ({ ...each, lastSequence: each.lastSequence + 1 })),
    statements: beginEpoch(environmentId, newEpoch),
  };
}

// One look into the index for each environment: it depends neither on how many events there are, nor on how many wait.
const FIND_ENVIRONMENTS: Statement = {
  name: 'environments_with_events',
  text: `select e.id
    from environments e
    cross join lateral (select from events where environment_id = e.id and position is null limit 1) waiting`,
  values: [],
};

/**
 * The next events, locked: an erasure may be rewriting their data. This waits for its end, so that the statement that
 * sets the positions begins after it, and finds every event as it is then.
 */
function findEvents(environmentId: string): Statement {
  return {
    name: 'find_events_without_position',
    text: `select id, type, at
      from events
      where environment_id = $1::uuid and position is null
      order by written_at, id
      limit ${CHUNK}
      for update`,
    values: [environmentId],
  };
}

/** Gives events their positions. Only for locked events: it would silently miss one that is changed while it runs. */
function setPositions(environmentId: string, last: number, events: readonly PlacedEvent[]): Statement {
  return {
    name: 'set_event_positions',
    // Each event is found by its whole key, and updated by its place: a plain join may read all events of the
    // environment.
    text: `update events e
      set position = $2::bigint + r.number
      from (
        select wanted.number, row.ctid as place
        from unnest($3::uuid[]) with ordinality as wanted(id, number)
        cross join lateral (
          select ctid from events where environment_id = $1::uuid and id = wanted.id limit 1
        ) row
      ) r
      where e.environment_id = $1::uuid and e.ctid = r.place`,
    values: [environmentId, last, arrayLiteral(events.map(({ id }) => id))],
  };
}

/** When deliveries are made, by the clock of their environment, and when they are due, by the real time. */
interface DeliveryClock {
  now: Date;
  real: Date;
}

function readClock(environmentId: string): Statement {
  return {
    name: 'clock_of_deliveries',
    text: `select ${ENVIRONMENT_TIME} as now, clock_timestamp() as real`,
    values: [environmentId],
  };
}

function advancePosition(environmentId: string, last: number): Statement {
  return {
    name: 'advance_event_position',
    text: 'update event_positions set last_position = $2::bigint where environment_id = $1::uuid',
    values: [environmentId, last],
  };
}

/** Inserts the deliveries, sets the last sequences of their endpoints, and tells the other processes at the commit. */
function deliveryStatements(
  environmentId: string,
  epoch: number,
  deliveries: readonly DeliveryRecord[],
): Statement[] {
  const lastSequences = new Map(deliveries.map(({ endpointId, sequence }) => [endpointId, sequence]));
  return [
    webhookDeliveries.insert(environmentId, deliveries),
    {
      name: 'advance_webhook_sequences',
      text: `update webhook_endpoints e
        set last_sequence = r.last_sequence, epoch = $4::integer
        from unnest($2::uuid[], $3::bigint[]) as r(id, last_sequence)
        where e.environment_id = $1::uuid and e.id = r.id`,
      values: [
        environmentId,
        arrayLiteral([...lastSequences.keys()]),
        arrayLiteral([...lastSequences.values()]),
        epoch,
      ],
    },
    {
      name: 'notify_deliveries',
      text: `select pg_notify('${DELIVERIES_CHANNEL}', $1)`,
      values: [environmentId],
    },
  ];
}
