import type { IncomingMessage } from 'node:http';

const absoluteForm = /^https?:\/\/([^/?#]*)(.*)$/i;

/**
 * Lets `GET http://host/path`, which proxies send and every server has to take (RFC 9112, 3.2.2), be routed as
 * `GET /path` is. The name in it stands in the place of the header Host.
 */
export function toOriginForm(request: IncomingMessage): void {
  const target = request.url ?? '/';
  if (target.startsWith('/')) return;
  const found = absoluteForm.exec(target);
  if (!found) return;
  const [, authority = '', rest = ''] = found;
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
  request.headers.host = authority;
}
