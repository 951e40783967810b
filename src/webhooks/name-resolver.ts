import type { LookupAddress } from 'node:dns';
import { Resolver, lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';

export interface NameResolverOptions {
  /** Also asks the system, which knows `localhost` and /etc/hosts, for what the name servers do not have. */
  asksSystem: boolean;
  /** Name servers, such as `127.0.0.1:5353`. Default: those of the system. */
  servers?: readonly string[];
  /** How long a look-up may take. Default: 5 seconds. */
  timeoutMs?: number;
}

const TIMEOUT_MS = 5_000;
/** A name server is asked again after this time, and once more. */
const TRY_MS = 2_000;
/**
 * The most look-ups at once, of those that share a resolver. One more fails at once. More than an environment has
 * endpoints: one event may go to all of them, each on a host of its own. A look-up holds no thread.
 */
const MOST_AT_ONCE = 64;

/** Codes for which another name server, or the same one later, may have an answer. */
const UNREACHABLE = new Set(['ETIMEOUT', 'ESERVFAIL', 'EREFUSED', 'ECONNREFUSED', 'ECANCELLED']);

/** The system is asked for one name at a time: `getaddrinfo` holds a thread of the process, of which there are four. */
let systemTurn: Promise<unknown> = Promise.resolve();

/**
 * Makes a look-up of names for connections. It asks name servers itself, because Node's own look-up holds a thread for
 * as long as a name server is silent: four such names would stop the files, the compression and the look-ups of a whole
 * process. Those who want one name at the same time share one look-up. Where a look-up takes too long, it fails.
 */
export function createNameResolver(options: NameResolverOptions): LookupFunction {
  const resolver = new NameResolver(options);
  return (hostname, { all }, callback) => {
    resolver.find(hostname).then(
      (addresses) => {
        const [first] = addresses;
        if (all || !first) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}

class NameResolver {
  readonly #resolver = new Resolver({ timeout: TRY_MS, tries: 2 });
  readonly #asksSystem: boolean;
  readonly #timeoutMs: number;
  readonly #underWay = new Map<string, Promise<LookupAddress[]>>();

  constructor({ asksSystem, servers, timeoutMs = TIMEOUT_MS }: NameResolverOptions) {
    if (servers) this.#resolver.setServers(servers);
    this.#asksSystem = asksSystem;
    this.#timeoutMs = timeoutMs;
  }

  /** @throws with the code ENOTFOUND where the name has no address, EAI_AGAIN where nobody could say */
  find(hostname: string): Promise<LookupAddress[]> {
    const shared = this.#underWay.get(hostname);
    if (shared) return shared;
    if (this.#underWay.size >= MOST_AT_ONCE) return Promise.reject(failure('EAI_AGAIN', hostname));
    const lookup = inTime(this.#find(hostname), this.#timeoutMs, hostname).finally(() =>
      this.#underWay.delete(hostname),
    );
    this.#underWay.set(hostname, lookup);
    return lookup;
  }

  async #find(hostname: string): Promise<LookupAddress[]> {
    const asked = hostname.includes('.')
      ? await this.#askServers(hostname)
      : { addresses: [], silent: false };
    if (asked.addresses.length > 0) return asked.addresses;
    if (this.#asksSystem) return askSystem(hostname);
    throw failure(asked.silent ? 'EAI_AGAIN' : 'ENOTFOUND', hostname);
  }

  /** The addresses of both families. What one family could not be asked for does not keep from using the other. */
  async #askServers(hostname: string): Promise<{ addresses: LookupAddress[]; silent: boolean }> {
    const families = await Promise.all([this.#resolve(hostname, 4), this.#resolve(hostname, 6)]);
    return {
      addresses: families.flatMap(({ addresses }) => addresses),
      silent: families.some(({ silent }) => silent),
    };
  }

  #resolve(hostname: string, family: 4 | 6): Promise<{ addresses: LookupAddress[]; silent: boolean }> {
    return new Promise((resolve) => {
      const done = (error: NodeJS.ErrnoException | null, records: string[] = []): void => {
        const addresses = records.map((address) => ({ address, family }));
        resolve({ addresses, silent: error !== null && UNREACHABLE.has(error.code ?? '') });
      };
      if (family === 4) this.#resolver.resolve4(hostname, done);
      else this.#resolver.resolve6(hostname, done);
    });
  }
}

function askSystem(hostname: string): Promise<LookupAddress[]> {
  const ask = () =>
    new Promise<LookupAddress[]>((resolve, reject) => {
      systemLookup(hostname, { all: true }, (error, found) => (error ? reject(error) : resolve(found)));
    });
  const asked = systemTurn.then(ask);
  systemTurn = asked.catch(() => undefined);
  return asked;
}

async function inTime<T>(work: Promise<T>, timeoutMs: number, hostname: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(failure('EAI_AGAIN', hostname)), timeoutMs);
  });
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

function failure(code: 'ENOTFOUND' | 'EAI_AGAIN', hostname: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code} ${hostname}`), { code });
}
