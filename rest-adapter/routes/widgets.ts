import { KEYLESS_BODY_LIMIT_BYTES } from '../read-variables.ts';
import type { Route } from '../route.ts';

/** Sessions of widgets, for merchants' backends; and what the pages with a widget do with them. */
export const widgetRoutes: readonly Route[] = [
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
