import { recentlyUsed } from '../../recently-used.ts';
import { isKeySet, keysOfSet, pickKey, type VerificationKey } from './verification-keys.ts';

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
  /** When the last answer, or failure, came. */
  heardAt: number;
  /** The request that is under way. */
  asking: Promise<void> | null;
}

const NEVER = Number.NEGATIVE_INFINITY;
/** A set is asked for at most once in this time, and again after it while its keys are used. */
const ASK_EVERY_MS = 30_000;
/**
 * A set that nobody has used for so long is asked for before one of its keys is trusted: its issuer may have withdrawn
 * the key meanwhile. A set in use is never so old.
 */
const OLD_MS = 60_000;
const MOST_SETS = 1_000;

/**
 * The key sets of issuers, by their URLs. A key that is known is used at once, and keys are kept while their issuer
 * cannot be reached or does not answer with a set. A set without keys is an answer: the issuer has withdrawn them all.
 * A `kid` that no key has is unknown until the set may be asked for again, so that forged tokens cost no requests.
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
    const set = this.#sets.get(name) ?? { keys: [], askedAt: NEVER, heardAt: NEVER, asking: null };
    this.#sets.set(name, set);
    const key = pickKey(set.keys, kid);
    if (this.#now() - set.askedAt >= ASK_EVERY_MS) {
      set.askedAt = this.#now();
      set.asking = this.#ask(set, url, sandbox);
    }
    if (key && this.#now() - set.heardAt < OLD_MS) return key;
    await set.asking;
    return pickKey(set.keys, kid);
  }

  async #ask(set: KeySet, url: string, sandbox: boolean): Promise<void> {
    try {
      const value = await this.#fetch(url, sandbox);
      if (!isKeySet(value)) throw new Error('it is no JSON Web Key Set');
      set.keys = keysOfSet(value);
      if (set.keys.length === 0)
        this.#warn(
          new Error('it has no key that verifies tokens'),
          `No token of ${url} is accepted any more`,
        );
    } catch (error) {
      this.#warn(error as Error, `The keys of ${url} cannot be read: those that are known stay in use`);
    } finally {
      set.heardAt = this.#now();
      set.asking = null;
    }
  }
}
