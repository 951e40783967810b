import { Client, type ClientConfig } from 'pg';

const CHANNEL = 'rewards_admin';
const RETRY_MS = 1_000;
/** How often the connection is asked whether it still hears. */
const HEARTBEAT_MS = 250;
/** A connection that leaves a heartbeat unanswered for so long is given up for a new one. */
const SILENT_MS = 5_000;

export interface AdminNoticesOptions {
  connection: ClientConfig;
  /** An environment's keys, lock or programs have changed: its UUID. */
  onChange(environmentId: string): void;
  /** Changes are announced from now on. Those since the last connection were missed. */
  onListening(): void;
  /** Every change from before this moment (milliseconds of `performance.now()`) has been told to `onChange`. */
  onHeard(at: number): void;
  warn(error: Error, message: string): void;
}

/**
 * Listens for changes made by administration (the command line sends `NOTIFY rewards_admin` in the transaction of each
 * change), so that a revoked key is refused at once. Connects again by itself.
 *
 * A connection can go silent without closing, so it is asked several times a second: Postgres hands out the notices
 * that wait before it answers the next statement, so each answer proves that nothing older was missed.
 */
export class AdminNotices {
  readonly #options: AdminNoticesOptions;
  #client: Client | null = null;
  /** When the heartbeat was sent that has no answer yet. */
  #askedAt: number | null = null;
  #heartbeat: NodeJS.Timeout | null = null;
  #retry: NodeJS.Timeout | null = null;
  #closed = false;

  constructor(options: AdminNoticesOptions) {
    this.#options = options;
  }

  /** Begins to listen. Resolves too where the database is away: then it is tried again. */
  async start(): Promise<void> {
    const client = new Client({ connectionTimeoutMillis: SILENT_MS, ...this.#options.connection });
    this.#client = client;
    client.on('notification', (notice) => {
      if (notice.channel === CHANNEL && notice.payload) this.#options.onChange(notice.payload);
    });
    client.on('error', (error) => this.#lost(client, error));
    client.on('end', () => this.#lost(client, new Error('the connection for notices has ended')));
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
    } catch (error) {
      this.#lost(client, error as Error);
      return;
    }
    if (this.#client !== client || this.#closed) return;
    this.#options.onListening();
    this.#beat(client);
    this.#heartbeat = setInterval(() => this.#beat(client), HEARTBEAT_MS);
    this.#heartbeat.unref();
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#retry) clearTimeout(this.#retry);
    this.#endHeartbeat();
    await this.#client?.end();
  }

  #beat(client: Client): void {
    const now = performance.now();
    if (this.#askedAt !== null) {
      if (now - this.#askedAt > SILENT_MS)
        this.#lost(client, new Error('the connection for notices is silent'));
      return;
    }
    this.#askedAt = now;
    client.query('select').then(
      () => {
        if (this.#client !== client) return;
        this.#askedAt = null;
        this.#options.onHeard(now);
      },
      (error) => this.#lost(client, error),
    );
  }

  #lost(client: Client, error: Error): void {
    if (this.#closed || this.#client !== client) return;
    this.#client = null;
    this.#endHeartbeat();
    client.end().catch(() => undefined);
    this.#options.warn(error, 'Changes of keys are not announced: they show within a second');
    this.#retry = setTimeout(() => void this.start(), RETRY_MS);
    this.#retry.unref();
  }

  #endHeartbeat(): void {
    if (this.#heartbeat) clearInterval(this.#heartbeat);
    this.#heartbeat = null;
    this.#askedAt = null;
  }
}
