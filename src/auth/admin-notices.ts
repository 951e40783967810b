import { Client, type ClientConfig } from 'pg';

const CHANNEL = 'rewards_admin';
const RETRY_MS = 1_000;

export interface AdminNoticesOptions {
  connection: ClientConfig;
  /** An environment's keys, lock or programs have changed: its UUID. */
  onChange(environmentId: string): void;
  /** Changes are announced from now on, or no longer. Whatever is remembered may be old. */
  onListening(listening: boolean): void;
  warn(error: Error, message: string): void;
}

/**
 * Listens for changes made by administration (the command line sends `NOTIFY rewards_admin` in the transaction of each
 * change), so that a revoked key is refused at once. Connects again by itself.
 */
export class AdminNotices {
  readonly #options: AdminNoticesOptions;
  #client: Client | null = null;
  #timer: NodeJS.Timeout | null = null;
  #closed = false;

  constructor(options: AdminNoticesOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const client = new Client(this.#options.connection);
    client.on('notification', (notice) => {
      if (notice.channel === CHANNEL && notice.payload) this.#options.onChange(notice.payload);
    });
    client.on('error', (error) => this.#lost(client, error));
    client.on('end', () => this.#lost(client, new Error('the connection for notices has ended')));
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
      this.#client = client;
      this.#options.onListening(true);
    } catch (error) {
      this.#lost(client, error as Error);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#timer) clearTimeout(this.#timer);
    await this.#client?.end();
  }

  #lost(client: Client, error: Error): void {
    if (this.#closed || this.#timer) return;
    client.end().catch(() => undefined);
    this.#client = null;
    this.#options.onListening(false);
    this.#options.warn(error, 'Changes of keys are not announced: they show within a second');
    this.#timer = setTimeout(() => {
      this.#timer = null;
      void this.start();
    }, RETRY_MS);
    this.#timer.unref();
  }
}
