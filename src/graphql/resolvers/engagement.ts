import { claimChoiceBenefit } from '../../commands/engagement/claim-choice-benefit.ts';
import { recordCustomEvent } from '../../commands/engagement/record-custom-event.ts';
import type { MutationResolvers } from '../generated/resolver-types.ts';
import { callerOf, submitCommand } from './shared/submit-command.ts';

export const engagementMutations: Required<
  Pick<MutationResolvers, 'recordCustomEvent' | 'claimChoiceBenefit'>
> = {
  recordCustomEvent: (_root, { input }, context) =>
    submitCommand(context, recordCustomEvent(input, callerOf(context))),
  claimChoiceBenefit: (_root, { input }, context) =>
    submitCommand(context, claimChoiceBenefit(input, callerOf(context))),
};
