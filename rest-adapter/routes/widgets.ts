import { KEYLESS_BODY_LIMIT_BYTES } from '../read-variables.ts';
import type { Route } from '../route.ts';

/**
 * What merchants publish; sessions of widgets, for merchants' backends; and what the pages with a widget do with them.
 */
export const widgetRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/widgets',
    query: { dryRun: 'input.dryRun' },
    operation: 'publishWidget',
    status: { fresh: 201, repeated: 200 },
    missingKeyStatus: 400,
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
    path: '/widgets',
    query: { limit: 'limit', cursor: 'cursor' },
    operation: 'widgetDeployments',
    status: { fresh: 200, repeated: 200 },
    violationCode: 'validation_failed',
  },
  {
    method: 'GET',
    path: '/widgets/{deploymentId}',
    operation: 'widgetDeployment',
    status: { fresh: 200, repeated: 200 },
    violationCode: 'validation_failed',
  },
  {
    method: 'GET',
    path: '/widgets/{deploymentId}/versions',
    query: { limit: 'limit', cursor: 'cursor' },
    operation: 'widgetVersions',
    status: { fresh: 200, repeated: 200 },
    violationCode: 'validation_failed',
  },
  {
    method: 'GET',
    path: '/widgets/{deploymentId}/versions/{version}',
    operation: 'widgetVersion',
    status: { fresh: 200, repeated: 200 },
    violationCode: 'validation_failed',
  },
  {
    method: 'GET',
    path: '/widgets/{deploymentId}/preview',
    query: { externalCustomerId: 'externalCustomerId', version: 'version' },
    operation: 'widgetPreview',
    status: { fresh: 200, repeated: 200 },
    violationCode: 'validation_failed',
  },
  {
    method: 'POST',
    path: '/widgets/{deploymentId}/sessions',
    operation: 'widgetSession',
    status: { fresh: 201, repeated: 200 },
    violationCode: 'validation_failed',
  },
  {
    method: 'POST',
    path: '/widgets/{deploymentId}/actions/redeem',
    operation: 'redeemInWidget',
    constants: { action: 'redeem', confirmed: true },
    keyInBody: true,
    bodyLimitBytes: KEYLESS_BODY_LIMIT_BYTES,
    status: { fresh: 201, repeated: 200 },
    violationCode: 'validation_failed',
  },
];
