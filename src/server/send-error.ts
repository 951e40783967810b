import type { ServerResponse } from 'node:http';
import { newUuid, toTypeId } from '../ids.ts';

/** A new id for a request that has none. */
export function newRequestId(): string {
  return toTypeId('req', newUuid());
}

/**
 * Sends an error in the form of REST, for a request that neither REST nor GraphQL handles. Headers that are set already are
 * sent too.
 */
export function sendError(
  response: ServerResponse,
  status: number,
  code: string,
  message: string,
  requestId: string,
): void {
  const body = JSON.stringify({ error: { code, message, requestId } });
  response
    .writeHead(status, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(body),
      'Cache-Control': 'no-store',
      'X-Request-Id': requestId,
    })
    .end(body);
}
