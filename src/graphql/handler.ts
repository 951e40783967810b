import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ExecutionResult, GraphQLError, type GraphQLSchema, locatedError } from 'graphql';
import { discardBody } from '../http/read-json-body.ts';
import { createDocumentCache, type DocumentCache } from './execution/document-cache.ts';
import { executePrepared } from './execution/execute-prepared.ts';
import { GraphqlRequest, type GraphqlServices } from './execution/graphql-request.ts';
import type { RefuseCommand } from './execution/overload.ts';
import { takeUnit } from './execution/rate-unit.ts';
import { type ResponseParts, sendResult } from './execution/response.ts';
import { bodyLimitBytes, type Gate, readParams } from './read-params.ts';
import { createYogaExecutor, type YogaExecutor } from './yoga.ts';

export interface GraphqlHandlerOptions extends GraphqlServices, Gate, ResponseParts {
  /** The public schema (see public-schema.ts). */
  schema: GraphQLSchema;
  refuseCommand: RefuseCommand;
  newRequestId(): string;
}

/** Handles every request of the endpoint, of any method. To be mounted before anything that reads bodies. */
export type GraphqlHandler = (req: IncomingMessage, res: ServerResponse) => void;

/** What executes documents. */
interface Executors {
  schema: GraphQLSchema;
  documents: DocumentCache;
  refuseCommand: RefuseCommand;
  yoga: YogaExecutor;
}

/**
 * Creates the GraphQL endpoint. A request is read (read-params.ts), its document is executed, by Yoga or, if it has
 * been before and is simple enough, as it was prepared then, and the result is sent (execution/response.ts).
 */
export function createGraphqlHandler(options: GraphqlHandlerOptions): GraphqlHandler {
  const { schema, refuseCommand } = options;
  const documents = createDocumentCache();
  const yoga = createYogaExecutor(schema, documents, refuseCommand);
  const executors = { schema, documents, refuseCommand, yoga };
  return (req, res) => {
    const request = new GraphqlRequest(req, res, requestIdOf(req, options), options);
    void answer(request, options, executors);
  };
}

async function answer(
  request: GraphqlRequest,
  options: GraphqlHandlerOptions,
  executors: Executors,
): Promise<void> {
  const { req, res, requestId } = request;
  try {
    const result = await countedResult(request, await resultOf(request, options, executors));
    // If the request was refused before its body was read, the rest of the body is discarded, up to a limit.
    discardBody(req, res, bodyLimitBytes);
    sendResult(request, result, options);
  } catch (error) {
    options.logger.error({ err: error, requestId }, 'The GraphQL endpoint failed');
    if (res.headersSent) return;
    discardBody(req, res, bodyLimitBytes);
    res.writeHead(500, { 'Content-Length': 0, 'Cache-Control': 'no-store', 'X-Request-Id': requestId }).end();
  }
}

async function resultOf(
  request: GraphqlRequest,
  gate: Gate,
  { schema, documents, refuseCommand, yoga }: Executors,
): Promise<ExecutionResult> {
  try {
    request.params = await readParams(request, gate);
    const prepared = executePrepared(request, documents, schema, refuseCommand);
    if (prepared) return await request.workLimit.wait(prepared);
    await request.workLimit.wait(yoga(request));
  } catch (error) {
    // Only one of graphql-js says by its nodes that the client made a mistake (see format-errors.ts).
    return { errors: [error instanceof GraphQLError ? error : locatedError(error, undefined)] };
  }
  if (!request.result) throw new Error('Yoga gave no result');
  return request.result;
}

/**
 * The result; an error alone where the request took no unit of the rate limit before, and there is none left for it.
 */
async function countedResult(request: GraphqlRequest, result: ExecutionResult): Promise<ExecutionResult> {
  if (request.rateVerdict !== null || request.authenticated === null) return result;
  const error = await takeUnit(request);
  return error ? { errors: [error] } : result;
}

const visibleAscii = /^[\x21-\x7e]{1,128}$/;

/** The client's own request id if it is 1 to 128 visible ASCII characters, else a new one. */
function requestIdOf(req: IncomingMessage, { newRequestId }: GraphqlHandlerOptions): string {
  const header = req.headers['x-request-id'];
  return typeof header === 'string' && visibleAscii.test(header) ? header : newRequestId();
}
