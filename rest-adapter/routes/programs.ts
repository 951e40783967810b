import type { Route } from '../route.ts';

/** The published programs and their versions, in pages. */
export const programRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/programs',
    query: { limit: 'limit', cursor: 'cursor' },
    operation: 'programs',
    status: { fresh: 200, repeated: 200 },
    violationCode: 'validation_failed',
  },
  {
    method: 'GET',
    path: '/programs/{programId}/versions',
    query: { limit: 'limit', cursor: 'cursor' },
    operation: 'programVersions',
    status: { fresh: 200, repeated: 200 },
    violationCode: 'validation_failed',
  },
];
