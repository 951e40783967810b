import type { KeyObject } from 'node:crypto';
import type { Dispatcher } from 'undici';
import type { SecretBox } from '../auth/secret-box.ts';
import { databaseNowMs, noteDatabaseTime } from '../database-clock.ts';
import type { Pool } from '../db/pool.ts';
import { toTypeId } from '../ids.ts';
import { type AttemptResult, attempt } from './attempt.ts';
import type { AttemptRecorder } from './attempt-recorder.ts';
import {
  type LeasedEndpoint,
  readEndpoint,
  readWaiting,
  type SendingEndpoint,
  type WaitingRow,
} from './delivery-statements.ts';
import { messageBody, messageHeaders, messageId, signingKey } from './message.ts';
import { readRetryAfter, retryDelayMs } from './schedule.ts';

/** Most attempts of an endpoint at once. */
const ATTEMPTS_AT_ONCE = 8;
/** Deliveries that are read at once. */
const PAGE = 128;
/** The next page is read when fewer than this are left. */
const LOW = 32;
/** How old the URL, the state and the secrets of an endpoint may be when an attempt begins. */
const TARGET_AGE_MS = 1_000;

export interface SenderOptions {
  pool: Pool;
  recorder: AttemptRecorder;
  secrets: SecretBox;
  /** The dispatcher for an environment. @param sandbox whether it is one */
  agentFor(environmentId: string, sandbox: boolean): Dispatcher | Promise<Dispatcher>;
  userAgent: string;
  /** Called after each attempt. */
  onAttempt(result: AttemptResult): void;
  /** Called where a receiver answered 410: it wants no more. */
  onGone(environmentId: string, endpointId: string): void;
}

/** Where and how the deliveries of a page are sent. */
interface Target {
  url: URL;
  active: boolean;
  /** One for each secret that is valid now. */
  keys: readonly KeyObject[];
  dispatcher: Dispatcher;
}

/**
 * Sends what waits for one endpoint, as long as this process has its lease. At most eight attempts run at once. While
 * an endpoint fails, only one runs, so that an endpoint that never answers holds little of what all endpoints share.
 */
export class EndpointSender {
  readonly #options: SenderOptions;
  readonly #endpoint: LeasedEndpoint;
  /** As receivers see it. */
  readonly #environmentId: string;
  readonly #stopping: AbortSignal;
  /** Read and not yet recorded: they are not read again. */
  readonly #deliveryIds = new Set<string>();
  readonly #queue: WaitingRow[] = [];
  #running = 0;
  #failing = false;
  #awake = true;
  #changed: (() => void) | null = null;
  /** Null before the endpoint was read, and where it is deleted. */
  #target: Target | null = null;
  /** When the endpoint was read last, by this process's monotonic clock. */
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | null = null;
  #failure: { error: unknown } | null = null;

  constructor(options: SenderOptions, endpoint: LeasedEndpoint, stopping: AbortSignal) {
    this.#options = options;
    this.#endpoint = endpoint;
    this.#environmentId = toTypeId('env', endpoint.environmentId);
    this.#stopping = stopping;
    stopping.addEventListener('abort', () => this.#tell());
  }

  /** Whether it was woken after it last looked for deliveries. */
  get awake(): boolean {
    return this.#awake;
  }

  /** There may be more to send, or the endpoint has changed: a replaced secret signs nothing that comes after it. */
  wake(): void {
    this.#awake = true;
    this.#readAt = Number.NEGATIVE_INFINITY;
    this.#tell();
  }

  /** Sends until nothing is left that is to be sent now, or until this process stops. @throws SecretNotOpened */
  async run(): Promise<void> {
    try {
      await this.#sendAll();
    } finally {
      await this.#reading;
      this.#dropQueue();
      // Who has the lease next must not see as waiting what was sent.
      while (this.#deliveryIds.size > 0) await this.#nextChange();
    }
  }

  async #sendAll(): Promise<void> {
    while (!this.#stopping.aborted) {
      if (this.#failure) throw this.#failure.error;
      // The next page is read while the rest of the last one is sent.
      if (this.#awake && this.#queue.length < LOW && !this.#reading) this.#startReading();
      if (this.#queue.length > 0 && this.#isStale()) await this.#readTarget();
      const target = this.#target;
      if (target === null) this.#dropQueue();
      while (target && this.#queue.length > 0 && this.#running < (this.#failing ? 1 : ATTEMPTS_AT_ONCE)) {
        void this.#send(target, this.#queue.shift() as WaitingRow);
      }
      if (this.#deliveryIds.size === 0 && !this.#awake && !this.#reading) break;
      await this.#nextChange();
    }
  }

  #startReading(): void {
    this.#awake = false;
    this.#reading = this.#read()
      .catch((error: unknown) => {
        this.#failure = { error };
      })
      .finally(() => {
        this.#reading = null;
        this.#tell();
      });
  }

  /** @param keeps whether a delivery stays in the queue. Default: none does */
  #dropQueue(keeps: (row: WaitingRow) => boolean = () => false): void {
    for (const row of this.#queue.splice(0)) {
      if (keeps(row)) this.#queue.push(row);
      else this.#deliveryIds.delete(row.deliveryId);
    }
  }

  /** Reads the next page into the queue. @throws SecretNotOpened */
  async #read(): Promise<void> {
    if (this.#isStale()) await this.#readTarget();
    if (this.#target === null) return;
    const statement = readWaiting(this.#endpoint, this.#deliveryIds, !this.#target.active, PAGE);
    const { rows } = await this.#options.pool.query<WaitingRow>(statement);
    for (const row of rows) this.#deliveryIds.add(row.deliveryId);
    this.#queue.push(...rows);
    if (rows.length === PAGE) this.#awake = true;
  }

  #isStale(): boolean {
    return performance.now() - this.#readAt >= TARGET_AGE_MS;
  }

  /** Reads where and how to send. Where the endpoint has been disabled, only tests stay in the queue. */
  async #readTarget(): Promise<void> {
    const { pool, secrets, agentFor } = this.#options;
    const [config] = (await pool.query<SendingEndpoint>(readEndpoint(this.#endpoint))).rows;
    this.#readAt = performance.now();
    const dispatcher = config && (await agentFor(this.#endpoint.environmentId, config.sandbox));
    this.#target = null;
    if (!config || !dispatcher) return;
    noteDatabaseTime(config.now);
    const { url, active } = config;
    if (!active) this.#dropQueue(({ isTest }) => isTest);
    // One that was replaced because its key was lost signs no more.
    const previous =
      config.previousSecret && secrets.has(config.previousSecret) ? [config.previousSecret] : [];
    const keys = [config.secret, ...previous].map((sealed) =>
      signingKey(secrets.open(sealed, this.#endpoint.endpointId)),
    );
    this.#target = { url: new URL(url), active, keys, dispatcher };
  }

  async #send(target: Target, row: WaitingRow): Promise<void> {
    const { recorder, onAttempt, onGone } = this.#options;
    const { environmentId, endpointId } = this.#endpoint;
    const { deliveryId } = row;
    this.#running += 1;
    const result = row.isTest || row.data ? await this.#attempt(target, row) : EMPTIED;
    this.#running -= 1;
    this.#tell();
    // An attempt that was cut off by the stop of this process says nothing of the receiver: it is made again.
    if (!this.#stopping.aborted || result.responseStatus !== null) {
      this.#failing = !result.delivered;
      onAttempt(result);
      const retryAfterMs = readRetryAfter(result.retryAfter, new Date(databaseNowMs()));
      const { isTest } = row;
      const isGone = result.responseStatus === 410;
      // What waits for an endpoint that is gone waits until it is active again; a test would be sent meanwhile.
      const isOver = result.delivered || result === EMPTIED || (isTest && isGone);
      const retryInMs = isOver ? null : retryDelayMs(row.failures + 1, Math.random(), retryAfterMs);
      await recorder.record(environmentId, { ...result, endpointId, deliveryId, retryInMs, isTest });
      if (isGone) onGone(environmentId, endpointId);
    }
    this.#deliveryIds.delete(deliveryId);
    this.#tell();
  }

  #attempt({ url, keys, dispatcher }: Target, row: WaitingRow): Promise<AttemptResult> {
    const id = messageId(row.deliveryId);
    const body = messageBody(this.#environmentId, row);
    const headers = messageHeaders(id, new Date(databaseNowMs()), body, keys, this.#options.userAgent);
    return attempt({ url, headers, body }, dispatcher, this.#stopping);
  }

  #tell(): void {
    this.#changed?.();
    this.#changed = null;
  }

  #nextChange(): Promise<void> {
    return new Promise((resolve) => {
      this.#changed = resolve;
    });
  }
}

/** In place of an attempt where the data of the event is no longer kept: the delivery is given up. */
const EMPTIED: AttemptResult = {
  delivered: false,
  durationMs: 0,
  responseStatus: null,
  responseExcerpt: null,
  error: 'What happened is no longer kept.',
  retryAfter: null,
};
