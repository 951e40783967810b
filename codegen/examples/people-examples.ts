import { type Example, requestId } from './example.ts';

const session = {
  id: 'ses_01jz8k2v9xe6tr8p2w4y6z8abc',
  current: true,
  begunAt: '2026-01-31T09:00:00.000Z',
  lastUsedAt: '2026-01-31T09:12:00.000Z',
  idleUntil: '2026-01-31T09:42:00.000Z',
  expiresAt: '2026-01-31T21:00:00.000Z',
};

/** Examples of the operations about whoever has signed in. */
export const peopleExamples = {
  personSession: {
    request: null,
    response: {
      requestId,
      person: {
        id: 'prs_01jz8jt5wkejgb6x5n9q2r4s7t',
        tenantId: 'ten_01jz8jt5wkejgb6x5n9q2r4s7t',
        name: 'Ada Byron',
        email: 'ada@shop.example',
        environments: [
          {
            environmentId: 'env_01jz8jt5wkejgb6x5n9q2r4s7t',
            kind: 'sandbox',
            name: 'Sandbox',
            roles: ['viewer'],
            scopes: ['members:read', 'transactions:read'],
          },
        ],
      },
      session,
    },
  },
  personSessions: { request: null, response: { requestId, data: [session] } },
  endPersonSession: {
    request: { sessionId: session.id },
    response: { requestId, sessionId: session.id },
  },
} satisfies Record<string, Example>;
