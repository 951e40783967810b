import { Webhook } from 'standardwebhooks';
import type { Dispatcher } from 'undici';
import type { SecretBox } from '../auth/secret-box.ts';
import type { Pool } from '../db/pool.ts';
import { type AttemptResult, attempt } from './attempt.ts';
import type { AttemptRecorder } from './attempt-recorder.ts';
import {
  type LeasedEndpoint,
  readEndpoint,
  readWaiting,
  type SendingEndpoint,
  type WaitingRow,
} from './delivery-statements.ts';
import { messageBody, messageId } from './message.ts';
import { readRetryAfter, retryDelayMs } from './schedule.ts';

/** Most attempts of an endpoint at once. */
export const ATTEMPTS_AT_ONCE = 8;
/** Deliveries that are read at once. */
const PAGE = 128;
/** The next page is read when fewer than this are left. */
const LOW = 32;

export interface SenderOptions {
  pool: Pool;
  recorder: AttemptRecorder;
  secrets: SecretBox;
  /** The dispatcher for an endpoint. @param sandbox whether its environment is one */
  agentFor(sandbox: boolean): Dispatcher;
  userAgent: string;
  /** Called after each attempt. */
  onAttempt(result: AttemptResult): void;
  /** Called where a receiver answered 410: it wants no more. */
  onGone(environmentId: string, endpointId: string): void;
}

/**
 * Sends what waits for one endpoint, as long as this process has its lease. At most eight attempts run at once. While an
 * endpoint fails, only one runs, so that an endpoint that never answers holds little of what all endpoints share.
 */
export class EndpointSender {
  readonly #options: SenderOptions;
  readonly #endpoint: LeasedEndpoint;
  readonly #stopping: AbortSignal;
  /** Read and not yet recorded: they are not read again. */
  readonly #known = new Set<string>();
  #queue: WaitingRow[] = [];
  #running = 0;
  #failing = false;
  #awake = true;
  #changed: (() => void) | null = null;

  constructor(options: SenderOptions, endpoint: LeasedEndpoint, stopping: AbortSignal) {
    this.#options = options;
    this.#endpoint = endpoint;
    this.#stopping = stopping;
    stopping.addEventListener('abort', () => this.#tell());
  }

  /** Whether it was woken after it last looked for deliveries. */
  get awake(): boolean {
    return this.#awake;
  }

  /** There may be more to send. */
  wake(): void {
    this.#awake = true;
    this.#tell();
  }

  /** Sends until nothing is left that is to be sent now, or until this process stops. */
  async run(): Promise<void> {
    let config: SendingEndpoint | null = null;
    while (!this.#stopping.aborted) {
      if (this.#awake && this.#queue.length < LOW) {
        this.#awake = false;
        config = await this.#read();
      }
      if (config === null) this.#queue = [];
      while (config && this.#queue.length > 0 && this.#running < (this.#failing ? 1 : ATTEMPTS_AT_ONCE)) {
        void this.#send(config, this.#queue.shift() as WaitingRow);
      }
      if (this.#running === 0 && this.#queue.length === 0 && !this.#awake) break;
      if (this.#awake && this.#queue.length < LOW) continue;
      await this.#nextChange();
    }
    while (this.#running > 0) await this.#nextChange();
  }

  /** @returns null where the endpoint is deleted */
  async #read(): Promise<SendingEndpoint | null> {
    const { pool } = this.#options;
    const [config] = (await pool.query<SendingEndpoint>(readEndpoint(this.#endpoint))).rows;
    if (!config) return null;
    const statement = readWaiting(this.#endpoint, this.#known, !config.active, PAGE);
    const { rows } = await pool.query<WaitingRow>(statement);
    for (const row of rows) this.#known.add(row.deliveryId);
    this.#queue.push(...rows);
    if (rows.length === PAGE) this.#awake = true;
    return config;
  }

  async #send(config: SendingEndpoint, row: WaitingRow): Promise<void> {
    this.#running += 1;
    const { recorder, onAttempt, onGone } = this.#options;
    const { environmentId, endpointId } = this.#endpoint;
    try {
      const result = await this.#attempt(config, row);
      // An attempt that was cut off by the stop of this process says nothing of the receiver: it is sent again.
      if (this.#stopping.aborted && result.responseStatus === null) return;
      this.#failing = !result.delivered;
      onAttempt(result);
      const retryAfterMs = readRetryAfter(result.retryAfter, new Date());
      const retryInMs = result.delivered ? null : retryDelayMs(row.failures + 1, Math.random(), retryAfterMs);
      const { deliveryId } = row;
      const finished = { ...result, endpointId, deliveryId, isTest: row.data === null, retryInMs };
      const recorded = recorder.record(environmentId, finished).finally(() => this.#known.delete(deliveryId));
      if (this.#stopping.aborted) await recorded;
      if (result.responseStatus === 410) onGone(environmentId, endpointId);
    } finally {
      this.#running -= 1;
      this.#tell();
    }
  }

  #attempt(config: SendingEndpoint, row: WaitingRow): Promise<AttemptResult> {
    const { secrets, agentFor, userAgent } = this.#options;
    const { environmentId, endpointId } = this.#endpoint;
    const id = messageId(row.deliveryId);
    const { data, at, memberId } = row;
    const event = data && at ? { data, at, memberId } : null;
    const body = messageBody(environmentId, { ...row, event });
    const now = new Date();
    const signatures = [config.secret, config.previousSecret]
      .filter((sealed) => sealed !== null)
      .map((sealed) => new Webhook(secrets.open(sealed, endpointId)).sign(id, now, body));
    const headers = {
      'content-type': 'application/json',
      'user-agent': userAgent,
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
      'webhook-signature': signatures.join(' '),
    };
    return attempt({ url: config.url, headers, body }, agentFor(config.sandbox), this.#stopping);
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
