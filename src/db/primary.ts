import { Client, type ClientConfig } from 'pg';
import { urlsOfHosts } from '../config.ts';

/** The SQLSTATE of a server that takes no connections yet: all hosts that answer are standbys. */
const CANNOT_CONNECT_NOW = '57P03';
/** How long a primary is trusted without looking again. A connection to it that fails ends that at once. */
const TRUST_MS = 5_000;
const PROBE_TIMEOUT_MS = 2_000;

/** Every host that answers is a standby. A later try finds the one that was promoted. */
class NoPrimaryError extends Error {
  override name = 'NoPrimaryError';
  readonly code = CANNOT_CONNECT_NOW;
}

/**
 * The URL of the host that is the primary now, of a URL that may name several.
 * @throws NoPrimaryError where only standbys answer
 * @throws the error of the first host where none answers
 */
export async function primaryUrl(url: string): Promise<string> {
  const urls = urlsOfHosts(url);
  return urls.length === 1 ? url : finderOf(url).find();
}

/**
 * The class of a URL's clients. With several hosts each connection goes to the one that is the primary at that moment,
 * so that pools find a promoted standby by themselves.
 */
export function clientOf(url: string): typeof Client {
  return urlsOfHosts(url).length === 1 ? Client : toPrimary(finderOf(url));
}

function toPrimary(finder: PrimaryFinder): typeof Client {
  return class PrimaryClient extends Client {
    override connect(): Promise<this>;
    override connect(callback: (error: Error) => void): void;
    override connect(callback?: (error: Error) => void): Promise<this> | undefined {
      const connected = this.#connect();
      if (!callback) return connected;
      // pg's own callback has no error where the connection was made.
      connected.then(() => (callback as () => void)(), callback);
      return undefined;
    }

    async #connect(): Promise<this> {
      const url = await finder.find();
      const { host, port } = new Client({ connectionString: url });
      // pg declares both read-only; it reads them when it connects.
      Object.assign(this, { host, port });
      try {
        await super.connect();
        finder.keep(this, url);
        return this;
      } catch (error) {
        finder.forget();
        throw error;
      }
    }
  };
}

/** By URL, because all pools of a process look for the same primary. */
const finders = new Map<string, PrimaryFinder>();

function finderOf(url: string): PrimaryFinder {
  let finder = finders.get(url);
  if (!finder) {
    finder = new PrimaryFinder(urlsOfHosts(url));
    finders.set(url, finder);
  }
  return finder;
}

/** Looks for the primary among several hosts, for all connections of a process together. */
class PrimaryFinder {
  readonly #urls: readonly string[];
  /** The connections that are open, with the URL of their host. */
  readonly #clients = new Map<Client, string>();
  #lastPrimary: { url: string; at: number } | null = null;
  #looking: Promise<string> | null = null;

  constructor(urls: readonly string[]) {
    this.#urls = urls;
  }

  async find(): Promise<string> {
    if (!this.#lastPrimary) return this.#look();
    // A host that does not answer at all would delay every look; the known primary is used meanwhile.
    if (performance.now() - this.#lastPrimary.at > TRUST_MS) this.#look().catch(() => undefined);
    return this.#lastPrimary.url;
  }

  /** Ends a connection once another host is the primary: a host that hangs would never end it. */
  keep(client: Client, url: string): void {
    this.#clients.set(client, url);
    client.once('end', () => this.#clients.delete(client));
  }

  /** A connection to the known primary failed. */
  forget(): void {
    this.#lastPrimary = null;
  }

  #look(): Promise<string> {
    this.#looking ??= choosePrimary(this.#urls)
      .then(
        (url) => {
          this.#lastPrimary = { url, at: performance.now() };
          for (const [client, its] of this.#clients) {
            if (its !== url) client.end().catch(() => undefined);
          }
          return url;
        },
        (error: unknown) => {
          this.#lastPrimary = null;
          throw error;
        },
      )
      .finally(() => {
        this.#looking = null;
      });
    return this.#looking;
  }
}

/**
 * Asks every host. Where two call themselves primary, the one with the later timeline was promoted; the other is the
 * old primary, which came back.
 */
async function choosePrimary(urls: readonly string[]): Promise<string> {
  const answers = await Promise.allSettled(urls.map(timelineOf));
  let best: { url: string; timeline: number } | null = null;
  for (const [index, answer] of answers.entries()) {
    const url = urls[index];
    if (answer.status === 'rejected' || answer.value === null || url === undefined) continue;
    if (!best || answer.value > best.timeline) best = { url, timeline: answer.value };
  }
  if (best) return best.url;
  const refused = answers.find((answer) => answer.status === 'rejected');
  if (refused && answers.every((answer) => answer.status === 'rejected')) throw refused.reason;
  throw new NoPrimaryError('Of the hosts of the database, those that answer are standbys.');
}

/** The timeline of a primary, which a promotion increases; null for a standby. */
async function timelineOf(url: string): Promise<number | null> {
  const client = new Client({
    connectionString: url,
    application_name: 'rewards primary?',
    connectionTimeoutMillis: PROBE_TIMEOUT_MS,
    query_timeout: PROBE_TIMEOUT_MS,
  } satisfies ClientConfig);
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ wal: string | null }>(TIMELINE);
    const wal = rows[0]?.wal;
    return wal ? Number.parseInt(wal.slice(0, 8), 16) : null;
  } finally {
    await client.end().catch(() => undefined);
  }
}

// The name of a file of the write-ahead log begins with its timeline, in hexadecimal.
const TIMELINE = `
  select case when pg_is_in_recovery() then null else pg_walfile_name(pg_current_wal_lsn()) end as wal`;
