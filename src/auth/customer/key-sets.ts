import { recentlyUsed } from '../../recently-used.ts';
import { keysOfSet, pickKey, type VerificationKey } from './verification-keys.ts';

/**
 * Reads the JSON of a JWKS, over the guard of outgoing requests.
 * @param sandbox whether it is for a Sandbox, which may reach private addresses where the server allows it
 * @throws where it cannot be read
 */
export type FetchKeySet = (url: string, sandbox: boolean) => Promise<unknown>;

interface KeySet {
  keys: readonly VerificationKey[];
  /** When it was asked for last, successfully or not. */
  askedAt: number;
  /** The request that is under way. */
  asking: Promise<void> | null;
}

/** A set is asked for at most once in this time, and again after it while its keys are used. */
const ASK_EVERY_MS = 30_000;
const MOST_SETS = 1_000;

/**
 * The key sets of issuers, by their URLs. A key that is known is used at once, and keys are kept while their issuer cannot
 * be reached. A `kid` that no key has is unknown until the set may be asked for again, so that forged tokens cost no
 * requests.
 */
export class KeySets {
  readonly #fetch: FetchKeySet;
  readonly #warn: (error: Error, message: string) => void;
  readonly #now: () => number;
  readonly #sets = recentlyUsed<KeySet>(MOST_SETS);

  /** @param now a monotonic clock, in milliseconds */
  constructor(
    fetch: FetchKeySet,
    warn: (error: Error, message: string) => void,
    now = () => performance.now(),
  ) {
    this.#fetch = fetch;
    this.#warn = warn;
    this.#now = now;
  }

  /** The key of a set that a token names; null where the set has no such key. Never rejects. */
  async find(url: string, sandbox: boolean, kid: string | null): Promise<VerificationKey | null> {
    const name = `${sandbox} ${url}`;
    const set = this.#sets.get(name) ?? { keys: [], askedAt: Number.NEGATIVE_INFINITY, asking: null };
    this.#sets.set(name, set);
    const known = pickKey(set.keys, kid);
    if (this.#now() - set.askedAt >= ASK_EVERY_MS) {
      set.askedAt = this.#now();
      set.asking = this.#ask(set, url, sandbox);
    }
    if (known) return known;
    await set.asking;
    return pickKey(set.keys, kid);
  }

  async #ask(set: KeySet, url: string, sandbox: boolean): Promise<void> {
    try {
      const keys = keysOfSet(await this.#fetch(url, sandbox));
      if (keys.length === 0) throw new Error('it has no key that verifies tokens');
      set.keys = keys;
    } catch (error) {
      this.#warn(error as Error, `The keys of ${url} cannot be read: those that are known stay in use`);
    } finally {
      set.asking = null;
    }
  }
}
