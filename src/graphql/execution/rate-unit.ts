import type { GraphQLError } from 'graphql';
import type { RateVerdict } from '../../http/rate-limit.ts';
import { type Refusal, refuse } from '../../refusal.ts';
import { refusalError } from '../errors/errors.ts';
import type { GraphqlRequest } from './graphql-request.ts';

/**
 * Takes a unit of the credential's rate limit for a request that executes no top-level field, since it costs the server
 * work too. Each top-level field takes one when it executes (see executable-schema.ts).
 * @returns the refusal of a request that is over the limit, else null
 */
export async function takeUnit(request: GraphqlRequest): Promise<GraphQLError | null> {
  const verdict = await request.takeRateUnit();
  return verdict.allowed ? null : refusalError(overLimit(verdict), request.requestId);
}

/** The refusal of a whole request or a field that is over the limit. */
export function overLimit({ limit }: RateVerdict): Refusal {
  return refuse('rate_limited', `More than ${limit} requests in a minute: see Retry-After`);
}
