import type { Plugin } from 'graphql-yoga';
import type { RateVerdict } from '../../http/rate-limit.ts';
import { refuse } from '../../refusal.ts';
import { refusalError } from '../errors/errors.ts';
import type { GraphqlRequest } from '../execution/graphql-request.ts';

/**
 * Makes every authenticated request take at least one unit of the rate limit. Each top-level field takes one when it
 * executes (see executable-schema.ts). A request that executes no such field (a refused one, `__typename`, introspection)
 * takes one here, because it costs the server work too; over the limit, the 429 is its only error. If a credential has no
 * unit left, its request is refused before the body is read.
 */
export function useRateUnit(
  exhaustedRate: (keyId: string) => RateVerdict | null,
): Plugin<GraphqlRequest, GraphqlRequest> {
  return {
    onRequestParse({ serverContext }) {
      serverContext.rateVerdict = exhaustedRate(serverContext.credential.keyId);
      if (serverContext.rateVerdict) throw overLimit(serverContext.rateVerdict, serverContext.requestId);
    },
    onExecute({ context, setResultAndStopExecution }) {
      const operation = context.operation;
      if (operation !== null && operation.fields > operation.introspectionFields) return;
      return takeUnit(context as GraphqlRequest).then((error) => {
        if (error) setResultAndStopExecution({ errors: [error] });
      });
    },
    onResultProcess({ serverContext, setResult }) {
      if (serverContext.rateVerdict !== null || serverContext.authenticated === null) return;
      return takeUnit(serverContext).then((error) => {
        if (error) setResult({ errors: [error] });
      });
    },
  };
}

async function takeUnit(request: GraphqlRequest) {
  const verdict = await request.takeRateUnit();
  return verdict.allowed ? null : overLimit(verdict, request.requestId);
}

function overLimit({ limit }: RateVerdict, requestId: string) {
  return refusalError(
    refuse('rate_limited', `More than ${limit} requests in a minute: see Retry-After`),
    requestId,
  );
}
