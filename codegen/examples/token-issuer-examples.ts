import { requestId } from './example.ts';

const issuer = {
  id: 'iss_01jz8k2v9hf0sd1p9b4x6y8abc',
  issuer: 'https://login.shop.example',
  audience: 'loyalty',
  keysFrom: 'jwks_url',
  jwksUrl: 'https://login.shop.example/.well-known/jwks.json',
  origins: ['https://shop.example'],
  createdAt: '2026-01-31T12:00:00.000Z',
  removedAt: null,
};

const removed = { ...issuer, removedAt: '2026-02-28T12:00:00.000Z' };

/** The operations on issuers of customers' tokens, as openapi.json shows them. */
export const tokenIssuerExamples = {
  addTokenIssuer: {
    request: {
      issuer: issuer.issuer,
      audience: issuer.audience,
      jwksUrl: issuer.jwksUrl,
      origins: issuer.origins,
    },
    response: { requestId, issuer },
  },
  removeTokenIssuer: { request: {}, response: { requestId, issuer: removed } },
  tokenIssuer: { request: null, response: { requestId, issuer } },
  tokenIssuers: {
    request: null,
    response: { requestId, data: [issuer], page: { nextCursor: null, hasMore: false } },
  },
  checkToken: {
    request: { token: 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJjdXN0b21lci1hZGEifQ.c2lnbmF0dXJl' },
    response: {
      requestId,
      accepted: false,
      findings: [
        { part: 'sub', ok: true, message: 'customer-ada' },
        {
          part: 'exp',
          ok: false,
          message: 'is 2026-01-31T11:00:00.000Z: it is over since 60 minutes',
        },
      ],
    },
  },
};
