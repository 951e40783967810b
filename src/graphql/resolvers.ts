import type { Resolvers } from './generated/resolver-types.ts';
import { adjustmentMutations } from './resolvers/adjustments.ts';
import { earningMutations } from './resolvers/earning.ts';
import { memberMutations, memberQueries } from './resolvers/members.ts';
import { transactionQueries } from './resolvers/transactions.ts';
import { DateTime, EventAttributes, JSONObject, Long } from './scalars.ts';

/** One function for each root field, and the scalars. What is below a root field is read off the receipt. */
export const resolvers: Resolvers = {
  Query: { ...memberQueries, ...transactionQueries },
  Mutation: { ...memberMutations, ...earningMutations, ...adjustmentMutations },
  Long,
  DateTime,
  JSONObject,
  EventAttributes,
};
