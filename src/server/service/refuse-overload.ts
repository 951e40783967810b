import type { IncomingMessage } from 'node:http';
import { createMatcher } from '../../../rest-adapter/match-route.ts';
import { isCommand } from '../../../rest-adapter/route.ts';
import { merchantSurface } from '../../../rest-adapter/surface.ts';
import type { Refusal } from '../../refusal.ts';
import type { Service } from './service.ts';

/** A process with fewer commands waiting is not overloaded, and looks no further. */
const FEW_WAITING = 128;

type Queue = Pick<Service['writer'], 'waiting' | 'refusal'>;

/**
 * The refusal of a command that the writer would refuse, for who knows whose it is, before it is read or looked
 * anything up for: under overload most requests end here, and what is spent on them is missing for those that are
 * accepted.
 * @param callerId of the command's actor, by which shares are fair
 */
export function refuseCommand(writer: Queue, environmentId: string, callerId: string): Refusal | null {
  return writer.waiting < FEW_WAITING ? null : writer.refusal(environmentId, callerId);
}

/**
 * Refuses commands of merchants over REST before they go through anything else. Only requests whose key was checked
 * before are refused here, so that nobody without a key learns of the load.
 */
export function createOverloadRefusal({
  authenticator,
  writer,
}: {
  authenticator: Pick<Service['authenticator'], 'proven'>;
  writer: Queue;
}): (request: IncomingMessage) => Refusal | null {
  const { prefix, routes } = merchantSurface;
  const match = createMatcher(routes.filter(isCommand));
  return ({ method = '', url = '', headers }) => {
    if (writer.waiting < FEW_WAITING || !url.startsWith(`${prefix}/`)) return null;
    const environment = headers['x-environment'];
    if (typeof environment !== 'string') return null;
    const credential = authenticator.proven(headers.authorization, environment);
    const refusal = credential && refuseCommand(writer, credential.environmentId, credential.principal);
    // Looked at last, since it costs the most: what is refused is nearly always a command.
    return refusal && match(method, pathOf(url.slice(prefix.length))).kind === 'route' ? refusal : null;
  };
}

function pathOf(url: string): string {
  const queryAt = url.indexOf('?');
  return queryAt === -1 ? url : url.slice(0, queryAt);
}
