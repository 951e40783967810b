import type { Plugin } from 'graphql-yoga';
import type { RateVerdict } from '../../http/rate-limit.ts';
import { refuse } from '../../refusal.ts';
import { refusalError } from '../errors/errors.ts';
import type { GraphqlRequest } from '../execution/graphql-request.ts';

/**
 * Every authenticated request costs a unit. Top-level fields take theirs as they execute (see executable-schema.ts);
 * a request that executes none (a refused one, `__typename`, introspection) takes one here. Refused documents cost
 * the server work too, so they do not come without limit; over it, the answer is the 429 alone. A credential with
 * nothing left is refused before its body is read.
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
