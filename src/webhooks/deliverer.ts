import { setTimeout as sleep } from 'node:timers/promises';
import { type SecretBox, SecretNotOpened } from '../auth/secret-box.ts';
import type { Pool } from '../db/pool.ts';
import { newUuid } from '../ids.ts';
import type { AttemptResult } from './attempt.ts';
import { AttemptRecorder } from './attempt-recorder.ts';
import {
  environmentsWithDisabledEndpoints,
  giveUpDeliveries,
  type LeasedEndpoint,
  leaseEndpoints,
  releaseLease,
  renewLeases,
} from './delivery-statements.ts';
import { EndpointSender, type SenderOptions } from './endpoint-sender.ts';

export interface DelivererOptions {
  /** With the privileges of rewards_app. */
  pool: Pool;
  secrets: SecretBox;
  agentFor: SenderOptions['agentFor'];
  userAgent: string;
  /** Disables an endpoint. @param reason as in `disabledReason` */
  disable(environmentId: string, endpointId: string, reason: 'gone' | 'failing'): void;
  onAttempt?(result: AttemptResult): void;
  onError(error: unknown): void;
}

/** How often deliveries are looked for that are due again, or that nobody told of. */
const POLL_MS = 1_000;
/** Three times in the time of a lease. */
const RENEW_MS = 6_000;
/** How long an endpoint is left alone whose secret no key of this process opens. */
const UNOPENED_PAUSE_MS = 30_000;
/** How often what waits for deleted endpoints is looked for. */
const GIVE_UP_MS = 5_000;

interface Work {
  sender: EndpointSender;
  stop: AbortController;
  done: Promise<void>;
}

/**
 * Sends deliveries, each at least once. Any number of processes may do so: an endpoint is sent to by the process that
 * has its lease. A process that is killed does not renew its leases, and another one takes its endpoints over.
 */
export class Deliverer {
  readonly #options: DelivererOptions;
  readonly #senderOptions: SenderOptions;
  readonly #owner = newUuid();
  readonly #work = new Map<string, Work>();
  /** Environments whose endpoints are being leased. `again` where deliveries came since the statement began. */
  readonly #leasing = new Map<string, { again: boolean; done: Promise<void> }>();
  readonly #stopping = new AbortController();
  readonly #loops: Promise<void>[] = [];

  constructor(options: DelivererOptions) {
    this.#options = options;
    const { pool, disable, onError, onAttempt = () => {} } = options;
    const recorder = new AttemptRecorder({
      pool,
      onError,
      onFailing: (environmentId, endpointId) => disable(environmentId, endpointId, 'failing'),
    });
    this.#senderOptions = {
      ...options,
      recorder,
      onAttempt,
      onGone: (environmentId, endpointId) => disable(environmentId, endpointId, 'gone'),
    };
  }

  start(): void {
    this.#loops.push(
      this.#repeat(POLL_MS, () => this.#lease(null)),
      this.#repeat(RENEW_MS, () => this.#renew()),
      this.#repeat(GIVE_UP_MS, () => this.#giveUp()),
    );
  }

  /** An environment has new deliveries. @param environmentId UUID */
  wake(environmentId: string): void {
    if (this.#stopping.signal.aborted) return;
    for (const [key, { sender }] of this.#work) if (key.startsWith(environmentId)) sender.wake();
    const leasing = this.#leasing.get(environmentId);
    if (leasing) leasing.again = true;
    else this.#leaseUntilQuiet(environmentId);
  }

  /** Leases what is due in an environment. What wakes it meanwhile shares the statement that comes next. */
  #leaseUntilQuiet(environmentId: string): void {
    const state = { again: true, done: Promise.resolve() };
    const work = async (): Promise<void> => {
      while (state.again && !this.#stopping.signal.aborted) {
        state.again = false;
        await this.#lease(environmentId);
      }
    };
    this.#leasing.set(environmentId, state);
    state.done = work()
      .catch((error) => this.#options.onError(error))
      .finally(() => this.#leasing.delete(environmentId));
  }

  /** Ends the attempts that run, gives the leases back, and waits for both. */
  async close(): Promise<void> {
    this.#stopping.abort();
    for (const { stop } of this.#work.values()) stop.abort();
    await Promise.all([...this.#loops, ...[...this.#leasing.values()].map(({ done }) => done)]);
    // What was leased until then is given back as well.
    await Promise.all([...this.#work.values()].map(({ done }) => done));
  }

  async #repeat(everyMs: number, step: () => Promise<void>): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await step().catch((error) => this.#options.onError(error));
      await sleep(everyMs, undefined, { signal }).catch(() => {});
    }
  }

  async #lease(environmentId: string | null): Promise<void> {
    const { rows } = await this.#options.pool.query<LeasedEndpoint>(
      leaseEndpoints(this.#owner, environmentId),
    );
    // Where a lease ran out and was not taken, its sender goes on.
    for (const endpoint of rows) if (!this.#work.has(keyOf(endpoint))) this.#begin(endpoint);
    // What has become due at an endpoint that this process has already.
    if (environmentId === null) for (const { sender } of this.#work.values()) sender.wake();
  }

  async #giveUp(): Promise<void> {
    const { pool } = this.#options;
    const { rows } = await pool.query<{ environmentId: string }>(environmentsWithDisabledEndpoints());
    for (const { environmentId } of rows) await pool.query(giveUpDeliveries(environmentId));
  }

  #begin(endpoint: LeasedEndpoint): void {
    const key = keyOf(endpoint);
    const stop = new AbortController();
    if (this.#stopping.signal.aborted) stop.abort();
    const sender = new EndpointSender(this.#senderOptions, endpoint, stop.signal);
    const done = sender
      .run()
      .catch((error) => this.#pauseAfter(error, stop.signal))
      .then(() => this.#end(endpoint, sender))
      .catch((error) => this.#options.onError(error));
    this.#work.set(key, { sender, stop, done });
  }

  /** A missing key is not found a second later: the lease is kept meanwhile, and so no process asks for it. */
  async #pauseAfter(error: unknown, signal: AbortSignal): Promise<void> {
    this.#options.onError(error);
    if (error instanceof SecretNotOpened)
      await sleep(UNOPENED_PAUSE_MS, undefined, { signal }).catch(() => {});
  }

  async #end(endpoint: LeasedEndpoint, sender: EndpointSender): Promise<void> {
    try {
      await this.#options.pool.query(releaseLease(this.#owner, endpoint));
    } finally {
      this.#work.delete(keyOf(endpoint));
    }
    // Deliveries came while it ended.
    if (sender.awake && !this.#stopping.signal.aborted) await this.#lease(endpoint.environmentId);
  }

  /** Renews the leases, and stops sending to endpoints that another process has taken over meanwhile. */
  async #renew(): Promise<void> {
    if (this.#work.size === 0) return;
    const mine = [...this.#work.keys()].map(endpointOf);
    const { rows } = await this.#options.pool.query<LeasedEndpoint>(renewLeases(this.#owner, mine));
    const leasedKeys = new Set(rows.map(keyOf));
    for (const endpoint of mine) {
      if (!leasedKeys.has(keyOf(endpoint))) this.#work.get(keyOf(endpoint))?.stop.abort();
    }
  }
}

function keyOf({ environmentId, endpointId }: LeasedEndpoint): string {
  return `${environmentId}/${endpointId}`;
}

function endpointOf(key: string): LeasedEndpoint {
  const [environmentId = '', endpointId = ''] = key.split('/');
  return { environmentId, endpointId };
}
