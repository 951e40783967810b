import type { Route } from './route.ts';
import { adjustmentRoutes } from './routes/adjustments.ts';
import { couponRoutes } from './routes/coupons.ts';
import { earningRoutes } from './routes/earning.ts';
import { environmentRoutes } from './routes/environment.ts';
import { memberMergeRoutes } from './routes/member-merges.ts';
import { memberRoutes } from './routes/members.ts';
import { offerRoutes } from './routes/offers.ts';
import { operationRoutes } from './routes/operations.ts';
import { peopleRoutes } from './routes/people.ts';
import { programRoutes } from './routes/programs.ts';
import { redemptionRoutes } from './routes/redemptions.ts';
import { reportRoutes } from './routes/reports.ts';
import { sandboxRoutes } from './routes/sandbox.ts';
import { searchRoutes } from './routes/search.ts';
import { tokenIssuerRoutes } from './routes/token-issuers.ts';
import { transactionRoutes } from './routes/transactions.ts';
import { webhookRoutes } from './routes/webhooks.ts';
import { widgetRoutes } from './routes/widgets.ts';

/** Every route, in the order of the specification. */
export const routes: readonly Route[] = [
  ...memberRoutes,
  ...earningRoutes,
  ...couponRoutes,
  ...offerRoutes,
  ...transactionRoutes,
  ...redemptionRoutes,
  ...adjustmentRoutes,
  ...programRoutes,
  ...tokenIssuerRoutes,
  ...memberMergeRoutes,
  ...reportRoutes,
  ...webhookRoutes,
  ...operationRoutes,
  ...searchRoutes,
  ...environmentRoutes,
  ...sandboxRoutes,
  ...widgetRoutes,
  ...peopleRoutes,
];
