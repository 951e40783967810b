import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request, RequestHandler } from 'express';
import { answer, answerFailure } from '../../../rest-adapter/answer.ts';
import type { Headers } from '../../../rest-adapter/exchange.ts';
import { KEYLESS_BODY_LIMIT_BYTES } from '../../../rest-adapter/read-variables.ts';
import { discardBody, readJsonBody } from '../../http/read-json-body.ts';
import { parseStrictJson } from '../../http/strict-json.ts';
import type { AgentMessage } from '../../mcp/answer-message.ts';
import { isRefusal, type Refusal, refuse } from '../../refusal.ts';
import { refuseQuery } from '../requests/refuse-query.ts';
import { requestIdOf } from '../requests/send-error.ts';
import type { Refusals } from '../service/refusals.ts';
import type { AgentDoor } from './agent-door.ts';

const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const HEADERS = ['accept', 'content-type', 'mcp-protocol-version'] as const;

const wrongMethod = refuse('method_not_allowed', 'The path does not take this method: it takes POST.');

/**
 * Handles the messages of agents: MCP over streamable HTTP, without sessions of the protocol and without streams. What
 * is wrong with the request has the form of REST; what is wrong with its message that of JSON-RPC; and what a tool
 * refuses is a result.
 */
export function createWidgetMcp(
  door: AgentDoor,
  reportRefusal: Refusals['note'],
): RequestHandler<{ deploymentId: string }> {
  return async (request, response) => {
    const requestId = requestIdOf(request);
    const headers: Headers = { 'X-Request-Id': requestId };
    const refused = await handle(request, response, requestId, headers).catch((error: unknown) =>
      door.reportError(error, requestId),
    );
    if (!refused) return;
    if (response.headersSent) return void response.destroy();
    discardBody(request, response, KEYLESS_BODY_LIMIT_BYTES);
    reportRefusal(response, refused.code);
    const { code, message, details } = refused;
    answerFailure({ response, headers, requestId }, { code, message, ...(details && { details }) });
  };

  /** @returns why the request is refused as a whole; null where it is answered */
  async function handle(
    request: Request<{ deploymentId: string }>,
    response: ServerResponse,
    requestId: string,
    headers: Headers,
  ): Promise<Refusal | null> {
    // Neither a stream of messages nor the end of a session: there is none.
    if (request.method !== 'POST') {
      headers.Allow = 'POST';
      return wrongMethod;
    }
    const admission = await door.admit(request, response, request.params.deploymentId, requestId);
    const { target } = admission;
    Object.assign(headers, admission.headers);
    if (isRefusal(target)) return target;
    const asked = refuseQuery(request);
    if (asked) return asked;
    const bytes = await readJsonBody(request, response, KEYLESS_BODY_LIMIT_BYTES);
    if (isRefusal(bytes)) return bytes;
    const message = readMessage(bytes);
    if ('error' in message) {
      reportRefusal(response, message.error.data.code);
      answer(response, 400, headers, { jsonrpc: '2.0', id: null, ...message });
      return null;
    }
    // Loaded for the first message: the protocol's library takes half a second and 45 MB.
    const { answerMessage } = await import('../../mcp/answer-message.ts');
    const answered = await answerMessage({ body: message.body, headers: headersOf(request) }, target);
    await send(answered, response, headers);
    return null;
  }
}

type ReadMessage =
  | { body: Record<string, unknown> }
  | { error: { code: number; message: string; data: { code: 'invalid_json' | 'validation_failed' } } };

function readMessage(bytes: Uint8Array): ReadMessage {
  const parsed = parseStrictJson(bytes);
  if (!parsed.ok) {
    const { message } = parsed;
    return { error: { code: PARSE_ERROR, message, data: { code: 'invalid_json' } } };
  }
  const [violation] = parsed.violations;
  if (!violation) return { body: parsed.value };
  const message = `${violation.path} ${violation.message}.`;
  return { error: { code: INVALID_REQUEST, message, data: { code: 'validation_failed' } } };
}

function headersOf(request: IncomingMessage): AgentMessage['headers'] {
  const headers = HEADERS.map((name) => [name, request.headers[name]] as const);
  return Object.fromEntries(headers.filter(([, value]) => typeof value === 'string'));
}

async function send(answered: Response, response: ServerResponse, headers: Headers): Promise<void> {
  const text = await answered.text();
  headers['Cache-Control'] = 'no-store';
  headers['Content-Length'] = String(Buffer.byteLength(text));
  if (text !== '') headers['Content-Type'] = 'application/json; charset=utf-8';
  response.writeHead(answered.status, headers).end(text);
}
