import type { Route } from '../route.ts';

/** The environment of the credential. */
export const environmentRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/environment',
    operation: 'environment',
    status: { fresh: 200, repeated: 200 },
    violationCode: 'validation_failed',
  },
  {
    method: 'POST',
    path: '/environment/lock',
    operation: 'lockEnvironment',
    status: { fresh: 200, repeated: 200 },
    missingKeyStatus: 400,
    managed: true,
    bodyOptional: true,
    violationCode: 'validation_failed',
  },
  {
    method: 'POST',
    path: '/environment/unlock',
    operation: 'unlockEnvironment',
    status: { fresh: 200, repeated: 200 },
    missingKeyStatus: 400,
    managed: true,
    bodyOptional: true,
    violationCode: 'validation_failed',
  },
];
