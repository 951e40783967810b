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
  {
    method: 'POST',
    path: '/programs/{programId}/versions',
    query: { effectiveAt: 'input.effectiveAt', note: 'input.note', dryRun: 'input.dryRun' },
    operation: 'publishProgram',
    status: { fresh: 201, repeated: 200 },
    missingKeyStatus: 400,
    managed: true,
    textBody: {
      field: 'source',
      mediaTypes: ['application/yaml', 'application/json'],
      limitBytes: 262_144,
    },
    ifMatch: 'expectedVersion',
    changesNothingWith: 'dryRun',
    violationCode: 'validation_failed',
  },
  {
    method: 'GET',
    path: '/programs/{programId}/versions/{configurationVersion}',
    operation: 'programVersion',
    status: { fresh: 200, repeated: 200 },
    violationCode: 'validation_failed',
  },
  {
    method: 'GET',
    path: '/programs/{programId}/versions/{configurationVersion}/diff',
    query: { from: 'from' },
    operation: 'programDiff',
    status: { fresh: 200, repeated: 200 },
    violationCode: 'validation_failed',
  },
  {
    method: 'GET',
    path: '/programs/{programId}/versions/{configurationVersion}/finance',
    operation: 'financeSections',
    status: { fresh: 200, repeated: 200 },
    violationCode: 'validation_failed',
  },
  {
    method: 'POST',
    path: '/programs/{programId}/versions/{configurationVersion}/finance/approve',
    operation: 'approveFinance',
    status: { fresh: 200, repeated: 200 },
    missingKeyStatus: 400,
    managed: true,
    violationCode: 'validation_failed',
  },
];
