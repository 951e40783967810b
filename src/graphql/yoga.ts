import type { GraphQLSchema } from 'graphql';
import { createYoga } from 'graphql-yoga';
import type { DocumentCache } from './execution/document-cache.ts';
import type { GraphqlRequest } from './execution/graphql-request.ts';
import type { RefuseCommand } from './execution/overload.ts';
import { useDepthLimit } from './plugins/use-depth-limit.ts';
import { useDocumentCache } from './plugins/use-document-cache.ts';
import { useIntrospectionPolicy } from './plugins/use-introspection-policy.ts';
import { useOperationChoice } from './plugins/use-operation-choice.ts';
import { useOverloadRefusal } from './plugins/use-overload-refusal.ts';
import { useParams } from './plugins/use-params.ts';
import { usePreparedOperation } from './plugins/use-prepared-operation.ts';
import { useQueryFieldLimit } from './plugins/use-query-field-limit.ts';
import { useRateUnit } from './plugins/use-rate-unit.ts';
import { useSelectionBudget } from './plugins/use-selection-budget.ts';
import { useSingleCommand } from './plugins/use-single-command.ts';
import { useTokenLimit } from './plugins/use-token-limit.ts';
import { useVariableCheck } from './plugins/use-variable-check.ts';

/** Executes a request whose parameters have been read, and stores the result in it. */
export type YogaExecutor = (request: GraphqlRequest) => Promise<void>;

export const graphqlPath = '/api/graphql';

/**
 * The headers of every request that is passed to Yoga. Only the method is the client's: everything else was read
 * before. Yoga would build a URL from the client's Host and path, which may be invalid, or that of another of Yoga's
 * routes.
 */
const endpointHeaders = { host: 'localhost' };
/** A body that nothing reads. Without one, Yoga would read the request as a stream. */
const unreadBody = '{}';

/**
 * Creates what executes any document: Yoga with one plugin for each rule, in the order in which they apply to a
 * request.
 * @param schema the public schema (see public-schema.ts)
 * @param documents where the plugins keep what they know of a document
 */
export function createYogaExecutor(
  schema: GraphQLSchema,
  documents: DocumentCache,
  refuseCommand: RefuseCommand,
): YogaExecutor {
  const [parsing, validation] = useDocumentCache(documents);
  const yoga = createYoga<GraphqlRequest>({
    schema,
    graphqlEndpoint: graphqlPath,
    cors: false,
    graphiql: false,
    landingPage: false,
    multipart: false,
    batching: false,
    logging: false,
    maskedErrors: false,
    parserAndValidationCache: false,
    maxRequestBodySize: false,
    plugins: [
      useParams(),
      parsing,
      useTokenLimit(),
      useOperationChoice(),
      useOverloadRefusal(refuseCommand),
      useSingleCommand(),
      useQueryFieldLimit(),
      useDepthLimit(),
      useSelectionBudget(),
      useIntrospectionPolicy(),
      validation,
      useVariableCheck(),
      usePreparedOperation(),
      useRateUnit(),
    ],
  });
  return async (request) => {
    const { req, res } = request;
    await yoga.handleNodeRequestAndResponse(
      { method: req.method, url: graphqlPath, headers: endpointHeaders, body: unreadBody },
      res,
      request,
    );
  };
}
