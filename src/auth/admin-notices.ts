import type { Client, ClientConfig } from 'pg';

/** The notification channel that tells servers to drop their caches of an environment. */
export const ADMIN_CHANNEL = 'rewards_admin';
const RETRY_MS = 1_000;
/** How often a statement is sent to check that the connection still works. */
const HEARTBEAT_MS = 250;
/** A connection that does not respond to a heartbeat for this long is replaced by a new one. */
const SILENT_MS = 5_000;

export interface AdminNoticesOptions {
  /** Makes a connection, which is not connected yet. */
  open(config: ClientConfig): Client;
  /** Called with the UUID of an environment whose keys, lock or programs have changed. */
  onChange(environmentId: string): void;
  /** Changes are announced from now on. Those between the last connection and this one were missed. */
  onListening(): void;
  /** `onChange` has been called for every change before this moment (milliseconds of `performance.now()`). */
  onHeard(at: number): void;
  /** What else is listened for over the same connection: what to do with a message, by its channel. */
  channels?: Readonly<Record<string, (message: string) => void>>;
  warn(error: Error, message: string): void;
}

/**
 * Listens for changes made by administration (the command line sends `NOTIFY rewards_admin` in the transaction of each
 * change), so that a revoked key is refused at once. Reconnects by itself.
 *
 * A connection can fail without being closed, so a statement is sent over it several times a second. Postgres delivers
 * waiting notices before the result of the next statement, so each result proves that no older notice was missed.
 */
export class AdminNotices {
  readonly #options: AdminNoticesOptions;
  #client: Client | null = null;
  /** When the heartbeat that still waits for its result was sent; null if none does. */
  #askedAt: number | null = null;
  #heartbeat: NodeJS.Timeout | null = null;
  #retry: NodeJS.Timeout | null = null;
  #closed = false;

  constructor(options: AdminNoticesOptions) {
    this.#options = options;
  }

  /** Begins to listen. Also resolves if the database cannot be reached: the attempt is then repeated. */
  async start(): Promise<void> {
    const client = this.#options.open({ connectionTimeoutMillis: SILENT_MS, keepAlive: true });
    this.#client = client;
    client.on('notification', (notice) => {
      if (!notice.payload) return;
      if (notice.channel === ADMIN_CHANNEL) this.#options.onChange(notice.payload);
      else this.#options.channels?.[notice.channel]?.(notice.payload);
    });
    client.on('error', (error) => this.#lost(client, error));
    client.on('end', () => this.#lost(client, new Error('the connection for notices has ended')));
    try {
      await client.connect();
      for (const channel of [ADMIN_CHANNEL, ...Object.keys(this.#options.channels ?? {})]) {
        await client.query(`listen ${channel}`);
      }
    } catch (error) {
      this.#lost(client, error as Error);
      return;
    }
    if (this.#client !== client || this.#closed) {
      await client.end().catch(() => undefined);
      return;
    }
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
