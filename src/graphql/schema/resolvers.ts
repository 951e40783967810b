import type { Resolvers } from '../generated/resolver-types.ts';
import { adjustmentMutations, adjustmentQueries } from '../resolvers/adjustments.ts';
import { auditQueries } from '../resolvers/audit.ts';
import { couponMutations, couponQueries } from '../resolvers/coupons.ts';
import { customerMutations, customerQueries } from '../resolvers/customers.ts';
import { disputeMutations } from '../resolvers/disputes.ts';
import { earningMutations, earningQueries } from '../resolvers/earning.ts';
import { engagementMutations } from '../resolvers/engagement.ts';
import { environmentMutations, environmentQueries } from '../resolvers/environment.ts';
import { financeMutations, financeQueries } from '../resolvers/finance.ts';
import { memberMergeMutations, memberMergeQueries } from '../resolvers/member-merges.ts';
import { memberMutations, memberQueries } from '../resolvers/members.ts';
import { offerQueries } from '../resolvers/offers.ts';
import { operationQueries } from '../resolvers/operations.ts';
import { peopleMutations, peopleQueries } from '../resolvers/people.ts';
import { programMutations, programQueries } from '../resolvers/programs.ts';
import { redemptionMutations, redemptionQueries } from '../resolvers/redemptions.ts';
import { reportQueries } from '../resolvers/reports.ts';
import { returnMutations } from '../resolvers/returns.ts';
import { sandboxMutations, sandboxQueries } from '../resolvers/sandbox.ts';
import { searchQueries } from '../resolvers/search.ts';
import { tokenIssuerMutations, tokenIssuerQueries } from '../resolvers/token-issuers.ts';
import { transactionQueries } from '../resolvers/transactions.ts';
import { webhookMutations, webhookQueries } from '../resolvers/webhooks.ts';
import { widgetDeploymentMutations, widgetDeploymentQueries } from '../resolvers/widget-deployments.ts';
import { widgetMutations, widgetQueries } from '../resolvers/widgets.ts';
import { DateTime, EventAttributes, JSONObject, Long } from './scalars.ts';

/** A function for each root field, and the scalars. Fields below a root field are properties of its result. */
export const resolvers: Resolvers = {
  Query: {
    ...searchQueries,
    ...memberQueries,
    ...transactionQueries,
    ...redemptionQueries,
    ...adjustmentQueries,
    ...memberMergeQueries,
    ...programQueries,
    ...tokenIssuerQueries,
    ...financeQueries,
    ...environmentQueries,
    ...reportQueries,
    ...couponQueries,
    ...offerQueries,
    ...earningQueries,
    ...webhookQueries,
    ...operationQueries,
    ...auditQueries,
    ...sandboxQueries,
    ...customerQueries,
    ...widgetDeploymentQueries,
    ...widgetQueries,
    ...peopleQueries,
  },
  Mutation: {
    ...memberMutations,
    ...earningMutations,
    ...couponMutations,
    ...returnMutations,
    ...engagementMutations,
    ...adjustmentMutations,
    ...memberMergeMutations,
    ...redemptionMutations,
    ...disputeMutations,
    ...programMutations,
    ...tokenIssuerMutations,
    ...financeMutations,
    ...environmentMutations,
    ...webhookMutations,
    ...sandboxMutations,
    ...customerMutations,
    ...widgetDeploymentMutations,
    ...widgetMutations,
    ...peopleMutations,
  },
  Long,
  DateTime,
  JSONObject,
  EventAttributes,
};
