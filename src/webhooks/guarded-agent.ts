import { isIP, type LookupFunction } from 'node:net';
import { Agent, type buildConnector, type Dispatcher, Pool, ProxyAgent } from 'undici';
import { isPublicAddress } from '../http/public-address.ts';
import { AddressRefused } from './address-refused.ts';
import { directConnector, tunnelConnector } from './limited-connectors.ts';
import { createNameResolver } from './name-resolver.ts';

export interface AgentOptions {
  /** Most connections to one origin: the attempts of one endpoint that run at once. */
  connectionsPerOrigin: number;
  /** Whether private addresses are taken, for local development. */
  allowPrivate: boolean;
  /** A proxy that sends everything, and that decides what may be reached. Null: connections are made directly. */
  proxyUrl: string | null;
  /** The most bytes of an answer, with all that HTTP puts around its body. */
  answerLimitBytes?: number;
  /** Name servers, such as `127.0.0.1:5353`. Default: those of the system. */
  nameServers?: readonly string[];
}

const ANSWER_LIMIT_BYTES = 262_144;
const KEEP_ALIVE_MS = 30_000;

/**
 * Makes the dispatcher of attempts. It checks every address at the moment of connecting: all that a name resolves to
 * have to be public, and the connection goes to one that was checked. Redirects are not followed, by undici's default.
 * No proxy of the environment is used.
 */
export function createAgent({
  connectionsPerOrigin,
  allowPrivate,
  proxyUrl,
  answerLimitBytes = ANSWER_LIMIT_BYTES,
  nameServers,
}: AgentOptions): Dispatcher {
  const shared = {
    connections: connectionsPerOrigin,
    pipelining: 1,
    // Over HTTP/2 the bytes would not pass where they are counted.
    allowH2: false,
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: 16_384,
  };
  if (proxyUrl !== null) {
    // Made for each origin, with the function that connects to it through the tunnel.
    const factory = (origin: string | URL, options: object): Dispatcher => {
      const { connect } = options as { connect: buildConnector.connector };
      return new Pool(origin, { ...options, connect: tunnelConnector(connect, answerLimitBytes) });
    };
    return new ProxyAgent({ uri: proxyUrl, proxyTunnel: true, ...shared, factory });
  }
  const lookup = createNameResolver({
    asksSystem: allowPrivate,
    ...(nameServers && { servers: nameServers }),
  });
  const connect = directConnector(allowPrivate ? lookup : publicLookup(lookup), answerLimitBytes);
  return new Agent({
    ...shared,
    connect(options, callback) {
      // A look-up is never asked for an address, so an address in the URL is checked here.
      const host = options.hostname.replace(/^\[|\]$/g, '');
      if (!allowPrivate && isIP(host) !== 0 && !isPublicAddress(host)) {
        callback(new AddressRefused(`${host} is not a public address`), null);
        return;
      }
      connect(options, callback);
    },
  });
}

/** A look-up that fails where any of a name's addresses is not public. The connection uses what it returns. */
function publicLookup(lookup: LookupFunction): LookupFunction {
  return (hostname, options, callback) => {
    // Such as `localhost`: a name of the public internet has at least one dot.
    if (!hostname.includes('.')) return callback(new AddressRefused(`${hostname} is a private name`), []);
    lookup(hostname, { ...options, all: true }, (error, result) => {
      if (error) return callback(error, []);
      const addresses = typeof result === 'string' ? [] : result;
      const refused = addresses.find(({ address }) => !isPublicAddress(address));
      if (refused || addresses.length === 0) {
        const reason = refused ? 'an address that is not public' : 'no address';
        return callback(new AddressRefused(`${hostname} has ${reason}`), []);
      }
      if (options.all) return callback(null, addresses);
      const [first] = addresses as [{ address: string; family: number }];
      callback(null, first.address, first.family);
    });
  };
}
