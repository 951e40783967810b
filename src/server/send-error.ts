import type { ServerResponse } from 'node:http';
import { newUuid, toTypeId } from '../ids.ts';

/** A name for a request that brought none. */
export function newRequestId(): string {
  return toTypeId('req', newUuid());
}

/** Answers with an error as REST has it, where no surface of ours does. Headers that are set already go out with it. */
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
