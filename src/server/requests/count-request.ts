import {
  type RateLimiter,
  type RateVerdict,
  rateLimitHeader,
  rateLimitPolicyHeader,
} from '../../http/rate-limit.ts';
import { type Refusal, refuse } from '../../refusal.ts';

/** Whether a request is within its limit, and the headers that say so. */
export interface CountedRequest {
  verdict: RateVerdict;
  headers: Record<string, string>;
}

/** Counts a request. @param name of whom it is counted for */
export async function countRequest(rateLimiter: RateLimiter, name: string): Promise<CountedRequest> {
  const verdict = await rateLimiter.take(name);
  const headers: Record<string, string> = {
    'RateLimit-Policy': rateLimitPolicyHeader(verdict.limit),
    RateLimit: rateLimitHeader(verdict),
  };
  if (!verdict.allowed) headers['Retry-After'] = String(verdict.resetSeconds);
  return { verdict, headers };
}

/** The refusal of a request that is over its limit. */
export function overLimit({ limit }: RateVerdict): Refusal {
  return refuse('rate_limited', `More than ${limit} requests in a minute: wait as Retry-After says.`);
}
