import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GraphQLSchema } from 'graphql';
import { createYoga } from 'graphql-yoga';
import type { Authenticate } from '../auth/credential.ts';
import type { RateVerdict } from '../http/rate-limit.ts';
import { discardBody } from '../http/read-json-body.ts';
import type { ErrorLog, RestOnlyFields } from './execution/format-errors.ts';
import { type Answer, GraphqlRequest, type GraphqlServices } from './execution/graphql-request.ts';
import { useAuthentication } from './plugins/use-authentication.ts';
import { useDepthLimit } from './plugins/use-depth-limit.ts';
import { useDocumentCache } from './plugins/use-document-cache.ts';
import { useIntrospectionPolicy } from './plugins/use-introspection-policy.ts';
import { bodyLimitBytes, useJsonBody } from './plugins/use-json-body.ts';
import { useOperationChoice } from './plugins/use-operation-choice.ts';
import { type RefuseCommand, useOverloadRefusal } from './plugins/use-overload-refusal.ts';
import { usePostOnly } from './plugins/use-post-only.ts';
import { usePreparedOperation } from './plugins/use-prepared-operation.ts';
import { useQueryFieldLimit } from './plugins/use-query-field-limit.ts';
import { useRateUnit } from './plugins/use-rate-unit.ts';
import { useRequestShape } from './plugins/use-request-shape.ts';
import { type ReportRefusal, useResponse } from './plugins/use-response.ts';
import { useSelectionBudget } from './plugins/use-selection-budget.ts';
import { useSingleCommand } from './plugins/use-single-command.ts';
import { useTokenLimit } from './plugins/use-token-limit.ts';
import { useVariableCheck } from './plugins/use-variable-check.ts';

export interface GraphqlHandlerOptions extends GraphqlServices {
  /** The public schema (see public-schema.ts). */
  schema: GraphQLSchema;
  authenticate: Authenticate;
  /** The rate verdict that refuses a key which is known to have no unit left; null if it may have one. */
  exhaustedRate(keyId: string): RateVerdict | null;
  refuseCommand: RefuseCommand;
  /** Gets every error that is sent masked. */
  logger: ErrorLog;
  reportRefusal: ReportRefusal;
  restOnly: RestOnlyFields;
  newRequestId(): string;
}

/** Handles every request of the endpoint, of any method. To be mounted before anything that reads bodies. */
export type GraphqlHandler = (req: IncomingMessage, res: ServerResponse) => void;

export const graphqlPath = '/api/graphql';

/**
 * The headers of every request that is passed to Yoga. Only the method is the client's: the plugins read the rest from the
 * request itself. Yoga would build a URL from the client's Host and path, which may be invalid, or that of another of
 * Yoga's routes.
 */
const endpointHeaders = { host: 'localhost' };
/** A body that nothing reads. Without one, Yoga would read the request as a stream. */
const unreadBody = '{}';

/**
 * Creates the GraphQL endpoint: Yoga with one plugin for each rule, in the order in which they apply to a request.
 */
export function createGraphqlHandler(options: GraphqlHandlerOptions): GraphqlHandler {
  const [parsing, validation] = useDocumentCache();
  const yoga = createYoga<GraphqlRequest>({
    schema: options.schema,
    graphqlEndpoint: graphqlPath,
    cors: false,
    graphiql: false,
    landingPage: false,
    multipart: false,
    batching: false,
    logging: false,
    maskedErrors: false,
    parserAndValidationCache: false,
    // useJsonBody enforces the limit. Yoga's own limit would turn the body into a stream first.
    maxRequestBodySize: false,
    plugins: [
      usePostOnly(),
      useAuthentication(options.authenticate),
      useJsonBody(),
      useRequestShape(),
      parsing,
      useTokenLimit(),
      useOperationChoice(),
      useOverloadRefusal(options.refuseCommand),
      useSingleCommand(),
      useQueryFieldLimit(),
      useDepthLimit(),
      useSelectionBudget(),
      useIntrospectionPolicy(),
      validation,
      useVariableCheck(),
      usePreparedOperation(),
      useRateUnit(options.exhaustedRate),
      useResponse(options.logger, options.reportRefusal, options.restOnly),
    ],
  });
  const handle: Handle = (request) =>
    yoga.handleNodeRequestAndResponse(
      { method: request.req.method, url: graphqlPath, headers: endpointHeaders, body: unreadBody },
      request.res,
      request,
    );
  return (req, res) => {
    const request = new GraphqlRequest(req, res, requestIdOf(req, options), options);
    void answer(request, handle, options.logger);
  };
}

type Handle = (request: GraphqlRequest) => Response | Promise<Response>;

async function answer(request: GraphqlRequest, handle: Handle, log: ErrorLog): Promise<void> {
  const { req, res, requestId } = request;
  try {
    const response = await handle(request);
    // If the request was refused before its body was read, the rest of the body is discarded, up to a limit.
    discardBody(req, res, bodyLimitBytes);
    // `answer` is null if the request did not reach useResponse.
    send(res, request.answer ?? { status: response.status, headers: {}, body: '' });
  } catch (error) {
    log.error({ err: error, requestId }, 'The GraphQL endpoint failed');
    if (res.headersSent) return;
    discardBody(req, res, bodyLimitBytes);
    send(res, { status: 500, headers: {}, body: '' });
  }
}

function send(res: ServerResponse, { status, headers, body }: Answer): void {
  res.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) });
  res.end(body);
}

const visibleAscii = /^[\x21-\x7e]{1,128}$/;

/** The client's own request id if it is 1 to 128 visible ASCII characters, else a new one. */
function requestIdOf(req: IncomingMessage, { newRequestId }: GraphqlHandlerOptions): string {
  const given = req.headers['x-request-id'];
  return typeof given === 'string' && visibleAscii.test(given) ? given : newRequestId();
}
