import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ExecutionResult, parse } from 'graphql';
import { answer, answerFailure, failureOf } from './answer.ts';
import type { Exchange } from './exchange.ts';
import { documents } from './generated/documents.ts';
import type { Execute, Failure, Host } from './host.ts';
import { createMatcher, type Match } from './match-route.ts';
import { BODY_LIMIT_BYTES, type InputReader, readVariables } from './read-variables.ts';
import { readRequestId } from './request-headers.ts';
import { isCommand, type Route } from './route.ts';
import { merchantSurface, type Surface } from './surface.ts';

/**
 * Handles a request whose `url` is the part after the prefix of its surface. Never rejects. It can be mounted in
 * Express without a wrapper.
 */
export type RestAdapter = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** A route with everything that is prepared before the first request. */
interface PreparedRoute extends InputReader {
  method: string;
  path: string;
  scopes: readonly string[];
  forPeople: boolean;
  execute: Execute;
}

type Matcher = (method: string, path: string) => Match<PreparedRoute>;

/**
 * Creates a REST API: a client, in the same process, of the schema that GraphQL serves too.
 * @throws Error at boot if a document does not fit the host's schema
 */
export function createRestAdapter(host: Host, surface: Surface = merchantSurface): RestAdapter {
  const match = createMatcher(surface.routes.map((route) => prepareRoute(route, surface, host)));
  return async (request, response) => {
    const requestId = readRequestId(request.headers['x-request-id']) ?? host.newRequestId();
    const exchange: Exchange = { request, response, requestId, headers: { 'X-Request-Id': requestId }, host };
    try {
      await handle(exchange, match, surface);
    } catch (error) {
      const failure = host.reportError(error, requestId);
      if (response.headersSent) response.destroy();
      else fail(exchange, failure);
    }
  };
}

async function handle(exchange: Exchange, match: Matcher, surface: Surface): Promise<void> {
  const { request, response, requestId, headers, host } = exchange;
  const url = request.url ?? '/';
  const queryAt = url.indexOf('?');
  const routeMatch = match(request.method ?? 'GET', queryAt === -1 ? url : url.slice(0, queryAt));
  if (routeMatch.kind !== 'route') {
    host.discardBody(request, response, BODY_LIMIT_BYTES);
    if (routeMatch.kind === 'method_not_allowed') headers.Allow = routeMatch.allow;
    const failure =
      routeMatch.kind === 'not_found' ? unknownPath(url, match, surface) : wrongMethod(routeMatch.allow);
    fail(exchange, failure);
    return;
  }
  const { route, parameters } = routeMatch;
  exchange.operation = route.route.operation;
  const { scopes, forPeople } = route;
  const requirements = { isCommand: isCommand(route.route), scopes, forPeople, parameters };
  const limit = host.limitWork();
  const admission = await limit.wait(host.admit(request, requirements, requestId, response));
  Object.assign(headers, admission.headers);
  if (!admission.ok) {
    host.discardBody(request, response, BODY_LIMIT_BYTES);
    fail(exchange, admission.failure);
    return;
  }
  const query = queryAt === -1 ? '' : url.slice(queryAt + 1);
  const read = await readVariables(exchange, route, parameters, query);
  if (!read.ok) {
    const missingKey = read.failure.code === 'idempotency_key_required';
    fail(exchange, read.failure, missingKey ? route.route.missingKeyStatus : undefined);
    return;
  }
  const running = route.execute(read.variables, admission.context);
  const result = running instanceof Promise ? await limit.wait(running) : running;
  answerResult(exchange, route.route, result);
}

/** @param status given where a route's status for the code differs from that in the contract's table */
function fail(exchange: Exchange, failure: Failure, status?: number): void {
  exchange.host.reportRefusal(exchange.response, failure.code, exchange.operation);
  answerFailure(exchange, failure, status);
}

/** Paths have no slash at their end. If the request's path has one and is known without it, the message says so. */
function unknownPath(url: string, match: Matcher, { prefix, openapi }: Surface): Failure {
  const path = /^([^?]*[^/?])\/(?:\?|$)/.exec(url)?.[1];
  const meant = path !== undefined && match('GET', path).kind !== 'not_found';
  const hint = meant
    ? 'There is one without the slash at its end.'
    : `GET ${openapi} lists the paths; they begin with ${prefix}.`;
  return { code: 'not_found', message: `There is no such path. ${hint}` };
}

function wrongMethod(allow: string): Failure {
  return { code: 'method_not_allowed', message: `The path does not take this method: it takes ${allow}.` };
}

function answerResult(exchange: Exchange, route: Route, result: ExecutionResult): void {
  const { response, requestId, headers, host } = exchange;
  const [error] = result.errors ?? [];
  if (error) {
    const failure = failureOf(error) ?? (result.data === undefined ? misfit(route, error.message) : null);
    const told = failure
      ? ofRoute(route, failure)
      : host.reportError(error.originalError ?? error, requestId);
    fail(exchange, told);
    return;
  }
  const payload = result.data?.[route.operation];
  if (typeof payload !== 'object' || payload === null) {
    throw new Error(`Root field ${route.operation} gave neither a payload nor an error`);
  }
  const { idempotent, created, ...body } = payload as Record<string, unknown>;
  if (idempotent === true) headers['Idempotent-Replayed'] = 'true';
  const fresh = idempotent !== true && created !== false;
  answer(response, fresh ? route.status.fresh : route.status.repeated, headers, body);
}

/**
 * A result without data means that a variable does not fit its GraphQL type, although it is valid under the JSON
 * Schema.
 */
function misfit(route: Route, message: string): Failure {
  return { code: route.violationCode, message };
}

function ofRoute(route: Route, failure: Failure): Failure {
  return failure.code === 'validation_failed' ? { ...failure, code: route.violationCode } : failure;
}

function prepareRoute(route: Route, { contracts }: Surface, host: Host): PreparedRoute {
  const contract = contracts[`${route.method} ${route.path}`];
  if (!contract) throw new Error(`Generate anew: ${route.method} ${route.path} has no contract`);
  const { scopes, forPeople = false, body, parameters, query } = contract;
  return {
    route,
    method: route.method,
    path: route.path,
    scopes,
    forPeople,
    pathIntegers: new Set(Object.keys(parameters).filter((name) => parameters[name]?.type === 'integer')),
    validatePath: host.compileSchema({ type: 'object', properties: parameters }),
    querySchema: query,
    validateQuery: query ? host.compileSchema(query) : () => [],
    validateBody: body && host.compileSchema(body),
    bodyFields: body?.required ?? [],
    execute: host.prepare(parse(documents[route.operation], { noLocation: true })),
  };
}
