import type { IncomingMessage } from 'node:http';
import { merchantSurface } from '../../rest-adapter/surface.ts';
import type { Refusal } from '../refusal.ts';
import type { Service } from './service.ts';

/** A process with fewer commands waiting is not overloaded, and looks no further. */
const FEW_WAITING = 128;

/** The paths of reads that have a body. */
const READS = new Set(
  merchantSurface.routes
    .filter(({ method, missingKeyStatus, keyInBody }) => method !== 'GET' && !missingKeyStatus && !keyInBody)
    .map(({ path }) => `${merchantSurface.prefix}${path}`),
);

/**
 * Refuses commands over REST that the writer would refuse, before they go through anything else. Under overload most
 * requests end here, and what is spent on them is missing for those that are accepted. Only requests whose key was checked
 * before are refused here, so that nobody without a key learns of the load.
 */
export function createOverloadRefusal({
  authenticator,
  writer,
}: {
  authenticator: Pick<Service['authenticator'], 'proven'>;
  writer: Pick<Service['writer'], 'waiting' | 'refusal'>;
}): (request: IncomingMessage) => Refusal | null {
  return ({ method, url = '', headers }) => {
    if (writer.waiting < FEW_WAITING || method === 'GET' || method === 'HEAD') return null;
    if (!url.startsWith(`${merchantSurface.prefix}/`) || READS.has(url)) return null;
    const environment = headers['x-environment'];
    if (typeof environment !== 'string') return null;
    const credential = authenticator.proven(headers.authorization, environment);
    return credential && writer.refusal(credential.environmentId, credential.principal);
  };
}
