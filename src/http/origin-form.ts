import type { IncomingMessage } from 'node:http';
import { type Refusal, refuse } from '../refusal.ts';

const absoluteForm = /^https?:\/\/([^/?#]+)(.*)$/i;

const otherTarget = refuse(
  'invalid_request',
  'The request target is neither a path nor an http or https URL with a host.',
);

/**
 * Changes a request with an absolute target, such as `GET http://host/path`, so that it is routed as `GET /path`. Every
 * server has to accept such targets (RFC 9112, 3.2.2). The host in the target replaces the header Host.
 * @returns invalid_request for a URL of another scheme or without a host
 */
export function toOriginForm(request: IncomingMessage): Refusal | null {
  const target = request.url ?? '/';
  if (target.startsWith('/') || target === '*') return null;
  const match = absoluteForm.exec(target);
  if (!match) return otherTarget;
  const [, authority = '', rest = ''] = match;
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
  request.headers.host = authority;
  return null;
}
