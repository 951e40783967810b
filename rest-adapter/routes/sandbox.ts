import type { Route } from '../route.ts';

/** The clock of a Sandbox. */
export const sandboxRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/sandbox/clock',
    operation: 'sandboxClock',
    status: { fresh: 200, repeated: 200 },
    violationCode: 'validation_failed',
  },
  {
    method: 'POST',
    path: '/sandbox/clock',
    operation: 'moveSandboxClock',
    status: { fresh: 200, repeated: 200 },
    missingKeyStatus: 400,
    violationCode: 'validation_failed',
  },
];
