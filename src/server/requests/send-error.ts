import type { IncomingMessage, ServerResponse } from 'node:http';
import { readRequestId } from '../../../rest-adapter/request-headers.ts';
import { newUuid, toTypeId } from '../../ids.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

/** A new id for a request that has none. */
export function newRequestId(): string {
  return toTypeId('req', newUuid());
}

/** The client's own id of a request, or a new one. */
export function requestIdOf(request: IncomingMessage): string {
  return readRequestId(request.headers['x-request-id']) ?? newRequestId();
}

/** An error in the form of REST, and the headers of its answer. */
export function errorMessage(
  code: string,
  message: string,
  requestId = newRequestId(),
): { headers: Record<string, string | number>; body: string } {
  const body = JSON.stringify({ error: { code, message, requestId } });
  const headers = {
    ...SECURITY_HEADERS,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Request-Id': requestId,
  };
  return { headers, body };
}

/**
 * Sends an error in the form of REST, for a request that neither REST nor GraphQL handles. Headers that are set already
 * are sent too.
 */
export function sendError(
  response: ServerResponse,
  status: number,
  code: string,
  message: string,
  requestId = requestIdOf(response.req),
): void {
  const { headers, body } = errorMessage(code, message, requestId);
  response.writeHead(status, headers).end(body);
}
