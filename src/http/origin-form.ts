import type { IncomingMessage } from 'node:http';

const absoluteForm = /^https?:\/\/([^/?#]*)(.*)$/i;

/**
 * Changes a request with an absolute target, such as `GET http://host/path`, so that it is routed as `GET /path`. Every
 * server has to accept such targets (RFC 9112, 3.2.2). The host in the target replaces the header Host.
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
