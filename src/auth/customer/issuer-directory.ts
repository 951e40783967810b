import type { Pool } from 'pg';
import { AnnouncedCache } from '../announced-cache.ts';
import { type SecretBox, SecretNotOpened } from '../secret-box.ts';
import { keyOfSecret, keysOfSet, type StoredKey, type VerificationKey } from './verification-keys.ts';

/** An issuer of customers' tokens, whose tokens an environment takes. */
export interface Issuer {
  /** UUID. */
  id: string;
  /** The claim `iss` of its tokens. */
  issuer: string;
  /** One of the claim `aud`. */
  audience: string;
  /** Where its keys are read; null where they are known. */
  jwksUrl: string | null;
  keys: readonly VerificationKey[];
  /** The origins whose pages may read responses. */
  origins: readonly string[];
  /** Whether its environment is a Sandbox. */
  sandbox: boolean;
}

/** The issuers of an environment as they were read. Times are in milliseconds. */
export interface IssuersRead {
  issuers: readonly Issuer[];
  /** When the read began, by the directory's clock. */
  at: number;
  /** The database's time of the read. */
  databaseTime: number;
}

/** An issuer as it is stored. */
export interface IssuerRow {
  /** UUID. */
  id: string;
  issuer: string;
  audience: string;
  jwks_url: string | null;
  keys: StoredKey[] | null;
  sealed_secret: Buffer | null;
  origins: string[];
  kind: 'sandbox' | 'production';
  /** The time of the database. */
  now: Date;
}

/** What is read of an issuer `i` and its environment `e`, for `issuerOf`. */
export const ISSUER_COLUMNS = `i.id, i.issuer, i.audience, i.jwks_url, i.keys, i.sealed_secret, i.origins, e.kind,
          clock_timestamp() as now`;

/** As for proofs of keys (authenticator.ts). */
const ANNOUNCED_MS = 30_000;
const MOST_ENVIRONMENTS = 10_000;
/** How old the list of all origins may be: anyone can ask for it, without a token. */
const ORIGINS_MS = 1_000;

/** The issuers of each environment, and the origins of all of them. */
export class IssuerDirectory {
  readonly #pool: Pool;
  readonly #secrets: SecretBox | null;
  readonly #warn: (error: Error, message: string) => void;
  readonly #now: () => number;
  readonly #environments: AnnouncedCache<IssuersRead>;
  #origins: { at: number; origins: Promise<ReadonlySet<string>> } | null = null;

  /**
   * @param secrets opens the secrets of HS256. Null: an issuer with a secret is as if it were not there
   * @param now a monotonic clock, in milliseconds: the same one that AdminNotices reads
   */
  constructor(
    pool: Pool,
    secrets: SecretBox | null,
    warn: (error: Error, message: string) => void,
    now = () => performance.now(),
  ) {
    this.#pool = pool;
    this.#secrets = secrets;
    this.#warn = warn;
    this.#now = now;
    this.#environments = new AnnouncedCache({ max: MOST_ENVIRONMENTS, announcedMs: ANNOUNCED_MS, now });
  }

  /** @param environmentId UUID. @returns no issuers for an unknown environment */
  of(environmentId: string): Promise<IssuersRead> {
    return this.#environments.get(environmentId, (before, at) => this.#read(environmentId, before, at));
  }

  async #read(environmentId: string, before: IssuersRead | undefined, at: number): Promise<IssuersRead> {
    const { rows } = await this.#pool.query<IssuerRow>({
      name: 'load_token_issuers',
      text: `select ${ISSUER_COLUMNS}
        from token_issuers i
        join environments e on e.id = i.environment_id
        where i.environment_id = $1 and i.removed_at is null
        order by i.created_at, i.id`,
      values: [environmentId],
    });
    // An issuer is never changed, so what was made of it before stays. Tokens that it has vouched for are known by it.
    const issuersBefore = new Map(before?.issuers.map((issuer) => [issuer.id, issuer]));
    const issuers = rows.map((row) => issuersBefore.get(row.id) ?? issuerOf(row, this.#secrets, this.#warn));
    return { issuers, at, databaseTime: rows[0]?.now.getTime() ?? 0 };
  }

  /** The database's time now, for what was read with `of`. @returns milliseconds since 1970 */
  timeSince({ at, databaseTime }: IssuersRead): number {
    return databaseTime + this.#now() - at;
  }

  /** The origins of all issuers of all environments: what a preflight, which has no environment, is answered by. */
  origins(): Promise<ReadonlySet<string>> {
    const at = this.#now();
    if (this.#origins && at < this.#origins.at + ORIGINS_MS) return this.#origins.origins;
    const origins = this.#readOrigins();
    this.#origins = { at, origins };
    origins.catch(() => {
      this.#origins = null;
    });
    return origins;
  }

  /** Drops what is known of an environment, or of all, because something about them has changed. */
  forget(environmentId?: string): void {
    this.#origins = null;
    this.#environments.forget((_read, of) => environmentId === undefined || of === environmentId);
  }

  /** Every change before this moment of the clock has been announced (see AdminNotices). */
  onAnnouncement(at: number): void {
    this.#environments.onAnnouncement(at);
  }

  async #readOrigins(): Promise<ReadonlySet<string>> {
    const { rows } = await this.#pool.query<{ origin: string }>({
      name: 'token_issuer_origins',
      text: 'select distinct unnest(origins) as origin from token_issuers where removed_at is null',
      values: [],
    });
    return new Set(rows.map(({ origin }) => origin));
  }
}

/**
 * An issuer with its keys.
 * @param secrets as for the directory
 * @param warn is told of a secret that cannot be opened: the issuer has no key then
 */
export function issuerOf(
  row: IssuerRow,
  secrets: SecretBox | null,
  warn: (error: Error, message: string) => void,
): Issuer {
  return {
    id: row.id,
    issuer: row.issuer,
    audience: row.audience,
    jwksUrl: row.jwks_url,
    keys: keysOf(row, secrets, warn),
    origins: row.origins,
    sandbox: row.kind === 'sandbox',
  };
}

function keysOf(
  { id, keys, sealed_secret: sealed }: IssuerRow,
  secrets: SecretBox | null,
  warn: (error: Error, message: string) => void,
): VerificationKey[] {
  if (keys) return keysOfSet({ keys });
  if (!sealed || !secrets) return [];
  try {
    return [keyOfSecret(secrets.open(sealed, id))];
  } catch (error) {
    if (!(error instanceof SecretNotOpened)) throw error;
    warn(error, 'The tokens of an issuer are refused: its secret cannot be opened');
    return [];
  }
}
