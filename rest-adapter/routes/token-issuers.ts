import type { Route } from '../route.ts';

/** Issuers of customers' tokens. */
export const tokenIssuerRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/issuers',
    operation: 'addTokenIssuer',
    status: { fresh: 201, repeated: 200 },
    missingKeyStatus: 400,
    violationCode: 'validation_failed',
  },
  {
    method: 'GET',
    path: '/issuers',
    query: { limit: 'limit', cursor: 'cursor' },
    operation: 'tokenIssuers',
    status: { fresh: 200, repeated: 200 },
    violationCode: 'validation_failed',
  },
  {
    method: 'GET',
    path: '/issuers/{issuerId}',
    operation: 'tokenIssuer',
    status: { fresh: 200, repeated: 200 },
    violationCode: 'validation_failed',
  },
  {
    method: 'DELETE',
    path: '/issuers/{issuerId}',
    operation: 'removeTokenIssuer',
    status: { fresh: 200, repeated: 200 },
    missingKeyStatus: 400,
    bodyOptional: true,
    violationCode: 'validation_failed',
  },
  {
    method: 'POST',
    path: '/issuers/{issuerId}/check',
    operation: 'checkToken',
    status: { fresh: 200, repeated: 200 },
    violationCode: 'validation_failed',
  },
];
