import type { Route } from '../route.ts';

/** One search over all that has an id, a name or a code. */
export const searchRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/search',
    query: { q: 'q' },
    operation: 'search',
    status: { fresh: 200, repeated: 200 },
    violationCode: 'validation_failed',
  },
];
