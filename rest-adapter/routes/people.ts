import type { Route } from '../route.ts';

/** The person who has signed in, and its sessions. */
export const peopleRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/session',
    operation: 'personSession',
    status: { fresh: 200, repeated: 200 },
    violationCode: 'validation_failed',
  },
  {
    method: 'GET',
    path: '/sessions',
    operation: 'personSessions',
    status: { fresh: 200, repeated: 200 },
    violationCode: 'validation_failed',
  },
  {
    method: 'POST',
    path: '/session/end',
    operation: 'endPersonSession',
    status: { fresh: 200, repeated: 200 },
    missingKeyStatus: 400,
    bodyOptional: true,
    violationCode: 'validation_failed',
  },
];
