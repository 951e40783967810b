import { LRUCache } from 'lru-cache';
import type { Pool } from 'pg';
import { arrayLiteral } from '../db/array-literal.ts';
import { fromTypeId } from '../ids.ts';
import { type Refusal, refuse } from '../refusal.ts';
import { parseKey, secretMatches } from './api-key.ts';
import type { Credential } from './credential.ts';
import { KeyLookup, type StoredKey } from './key-lookup.ts';

/** A proof, with milliseconds of the authenticator's clock. */
interface Proven {
  credential: Credential;
  /** When the look-up began that it comes from. */
  at: number;
  /** The first instant at which it is no longer good, whatever is heard. */
  until: number;
}

/** How long a proof is good while this process hears of every change of keys, and while it does not. */
const ANNOUNCED_MS = 30_000;
const UNANNOUNCED_MS = 1_000;
const MOST_PROOFS = 20_000;
/** The name of a scheme is the same in every case (RFC 9110, 11.1). */
const BEARER = /^bearer /i;
const BEARER_LENGTH = 'Bearer '.length;

const noAuthorization = refuse(
  'unauthorized',
  'There is no Authorization header: send Authorization: Bearer <API_KEY>.',
);
const noBearer = refuse('unauthorized', 'The Authorization header is not of the form Bearer <API_KEY>.');
const noEnvironment = refuse(
  'unauthorized',
  "There is no X-Environment header: send the id of the key's environment, env_….",
);
/** One for all that is there and wrong, so that it does not tell which keys and environments exist. */
const wrong = refuse(
  'unauthorized',
  'The key is not valid for this environment: send a valid key as Authorization: Bearer <API_KEY>, and its environment as X-Environment.',
);

// Nothing has these ids or this hash: an unknown key costs the same look-up and the same comparison as a wrong secret.
const NOBODY = '00000000-0000-0000-0000-000000000000';
const NO_HASH = Buffer.alloc(32);
const NO_TIME = new Date(0);

/**
 * Checks server keys. Only proofs are remembered: every refusal of a key takes the same way through the database, so
 * that its time does not tell what was wrong. Instants of the database are compared with the database's clock alone;
 * how long a proof is kept is measured by a clock of this process that nobody can set.
 */
export class Authenticator {
  readonly #pool: Pool;
  readonly #lookup: Pick<KeyLookup, 'find'>;
  readonly #now: () => number;
  readonly #proofs = new LRUCache<string, Proven>({ max: MOST_PROOFS });
  readonly #used = new Map<string, { environmentId: string; at: Date }>();
  /** Grows with every change: a look-up that began before one may have read what was there before it. */
  #changes = 0;
  /** Every change from before this moment has been heard of. */
  #heardAt = Number.NEGATIVE_INFINITY;

  /**
   * @param lookup where keys are found
   * @param now a monotonic clock, in milliseconds: that of AdminNotices
   */
  constructor(
    pool: Pool,
    lookup: Pick<KeyLookup, 'find'> = new KeyLookup(pool),
    now = () => performance.now(),
  ) {
    this.#pool = pool;
    this.#lookup = lookup;
    this.#now = now;
  }

  /**
   * Checks `Authorization: Bearer svc_…` against `X-Environment: env_…`.
   * @returns unauthorized for anything but a valid key of that environment (specification, "Authentication")
   */
  async authenticate(
    authorization: string | undefined,
    environment: string | undefined,
  ): Promise<Credential | Refusal> {
    const cacheKey = `${environment}\n${authorization}`;
    const proven = this.#proofs.get(cacheKey);
    const begun = this.#now();
    if (proven && this.#isGood(proven, begun)) return proven.credential;
    if (authorization === undefined) return noAuthorization;
    if (!BEARER.test(authorization)) return noBearer;
    if (environment === undefined) return noEnvironment;

    const changes = this.#changes;
    const key = parseKey(authorization.slice(BEARER_LENGTH));
    const environmentId = fromTypeId('env', environment);
    const stored = await this.#lookup.find(environmentId ?? NOBODY, key?.keyId ?? NOBODY);
    const matches = secretMatches(
      stored?.secretHash ?? NO_HASH,
      stored?.previousSecretHash ?? null,
      stored?.previousValidUntil ?? null,
      stored?.now ?? NO_TIME,
      key?.secret ?? '',
    );
    if (!stored || !key || !matches || !isLive(stored, key.environmentKind)) return wrong;
    const credential: Credential = {
      keyId: stored.keyId,
      principal: stored.principal,
      tenantId: stored.tenantId,
      environmentId: stored.environmentId,
      environmentKind: stored.environmentKind,
      scopes: new Set(stored.scopes),
    };
    if (changes === this.#changes) {
      this.#proofs.set(cacheKey, { credential, at: begun, until: begun + lastsMs(stored) });
    }
    this.#used.set(stored.keyId, { environmentId: stored.environmentId, at: stored.now });
    return credential;
  }

  /** Forgets what was proven for an environment, or for all: something about their keys has changed. */
  forget(environmentId?: string): void {
    this.#changes += 1;
    if (environmentId === undefined) {
      this.#proofs.clear();
      return;
    }
    for (const [cacheKey, proven] of this.#proofs.entries()) {
      if (proven.credential.environmentId === environmentId) this.#proofs.delete(cacheKey);
    }
  }

  /**
   * Takes note that every change from before a moment of the clock has been heard of (see AdminNotices). Where this is
   * not called for a second, proofs are good for a second alone.
   */
  heard(at: number): void {
    this.#heardAt = at;
  }

  /** Writes down when keys were last used. Call it now and then; it is exact to the half minute. */
  async recordUse(): Promise<void> {
    if (this.#used.size === 0) return;
    const used = [...this.#used].sort(([a], [b]) => (a < b ? -1 : 1));
    this.#used.clear();
    await this.#pool.query({
      name: 'record_key_use',
      text: `update api_keys k
        set last_used_at = greatest(k.last_used_at, used.at)
        from unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) as used(environment_id, id, at)
        where k.environment_id = used.environment_id and k.id = used.id`,
      values: [
        arrayLiteral(used.map(([, use]) => use.environmentId)),
        arrayLiteral(used.map(([keyId]) => keyId)),
        arrayLiteral(used.map(([, use]) => use.at)),
      ],
    });
  }

  #isGood({ at, until }: Proven, now: number): boolean {
    return now < until && now < Math.max(at, this.#heardAt) + UNANNOUNCED_MS;
  }
}

/** How long after its look-up began a proof is good at most. */
function lastsMs({ expiresAt, previousValidUntil, now }: StoredKey): number {
  const ends = [expiresAt, previousValidUntil].flatMap((end) => {
    // Which of the two secrets it was is not known: once the previous one ends, only the present one is good.
    const left = end === null ? 0 : end.getTime() - now.getTime();
    return left > 0 ? [left] : [];
  });
  return Math.min(ANNOUNCED_MS, ...ends);
}

function isLive(key: StoredKey, kind: StoredKey['environmentKind']): boolean {
  return (
    key.environmentKind === kind &&
    key.revokedAt === null &&
    (key.expiresAt === null || key.now < key.expiresAt)
  );
}
