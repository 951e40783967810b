import type { IssuerAccess } from '../../auth/customer/check-token.ts';
import { CustomerAuthenticator } from '../../auth/customer/customer-authenticator.ts';
import { IssuerDirectory } from '../../auth/customer/issuer-directory.ts';
import { KeySets } from '../../auth/customer/key-sets.ts';
import { SecretBox } from '../../auth/secret-box.ts';
import type { Config } from '../../config.ts';
import type { Pool } from '../../db/pool.ts';
import type { Logger } from '../../http/logger.ts';
import { createRateLimiter, type RateLimiter } from '../../http/rate-limit.ts';
import type { CorsPolicy } from '../requests/cors.ts';
import { createKeySetFetcher } from './key-set-fetcher.ts';

/**
 * What pages of issuers may send and read. A preflight has neither environment nor token, so it is answered by the
 * origins of all issuers, and so is a request whose token is refused. Once the issuer of a request is known, the
 * response is for that issuer's origins alone (rest-host.ts).
 */
export const CUSTOMER_CORS: CorsPolicy = {
  methods: 'GET, HEAD, POST, PUT, DELETE',
  requestHeaders: 'Authorization, Content-Type, Idempotency-Key, X-Environment, X-Request-Id',
  responseHeaders: 'X-Request-Id, RateLimit, RateLimit-Policy, Retry-After, Idempotent-Replayed',
};

/** What the customers' surface needs. */
export interface Customers {
  authenticator: CustomerAuthenticator;
  directory: IssuerDirectory;
  rateLimiter: RateLimiter;
  /** What issuers are added and checked with. */
  issuers: IssuerAccess & { allowPrivate: boolean };
  close(): Promise<void>;
}

export function openCustomers(config: Config, pool: Pool, logger: Logger): Customers {
  const warn = (error: Error, message: string): void => logger.warn({ err: error }, message);
  const secrets = config.secretsKeys.length > 0 ? SecretBox.ofKeys(config.secretsKeys) : null;
  const fetcher = createKeySetFetcher(config);
  const directory = new IssuerDirectory(pool, secrets, warn);
  const rateLimiter = createRateLimiter({
    name: 'customers',
    unitsPerWindow: config.customerRateLimitPerMinute,
    ...(config.redisUrl ? { redisUrl: config.redisUrl } : {}),
    warn,
  });
  return {
    authenticator: new CustomerAuthenticator(directory, new KeySets(fetcher.fetch, warn)),
    directory,
    rateLimiter,
    issuers: { secrets, fetchKeySet: fetcher.fetch, allowPrivate: config.webhookAllowPrivate },
    async close() {
      await Promise.all([fetcher.close(), rateLimiter.close()]);
    },
  };
}
