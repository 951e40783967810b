import { previewForCustomer } from '../../commands/earning/preview-purchase.ts';
import { enrollMember } from '../../commands/members/enroll-member.ts';
import { unenrollMember } from '../../commands/members/unenroll-member.ts';
import { commitForCustomer } from '../../commands/redemptions/commit-for-customer.ts';
import { quoteForCustomer } from '../../commands/redemptions/quote-for-customer.ts';
import { releaseRedemption } from '../../commands/redemptions/release-redemption.ts';
import { reserveRedemption } from '../../commands/redemptions/reserve-redemption.ts';
import { reverseForCustomer } from '../../commands/redemptions/reverse-for-customer.ts';
import { type Caller, customerActor, type Keyed } from '../../commands/shared/caller.ts';
import { forCustomer, toldCustomer } from '../../commands/shared/for-customer.ts';
import type { RefusalOf } from '../../commands/shared/operation-command.ts';
import type { RefusalCodeOf } from '../../contract/generated/refusals.ts';
import type { Mutation } from '../../contract/generated/types.ts';
import type { Command } from '../../ledger/command.ts';
import { receiptUnreadable } from '../../ledger/receipts/stored-receipt.ts';
import type { OwnedResource } from '../../ledger/resource-owner.ts';
import { customerDetails } from '../../queries/customers/details.ts';
import { isRefusal, refuse } from '../../refusal.ts';
import { refusalError } from '../errors/errors.ts';
import type { CustomerContext } from '../execution/context.ts';
import type { MutationResolvers, QueryResolvers } from '../generated/resolver-types.ts';
import { findOwned } from './shared/owned-resources.ts';
import { pageOf } from './shared/page-of.ts';
import { previewOf } from './shared/preview.ts';
import { answerOf, orThrow } from './shared/submit-command.ts';

/** The default of the `limit` of the activity in the SDL. */
const ACTIVITY_LIMIT = 20;
/** The `reason` of a release if it is null: as in the SDL. */
const DEFAULT_REASON = 'customer_request';

const notMember = refuse('member_not_found', 'You are no member yet: enroll in a program first.');

export const customerQueries: Required<
  Pick<
    QueryResolvers,
    'customerMember' | 'customerDetails' | 'customerActivity' | 'customerCatalog' | 'previewForCustomer'
  >
> = {
  customerMember: async (_root, _arguments, context) => {
    const { queries, customer, requestId } = context;
    const view = await orThrow(
      context,
      queries.customerMember(customer.environmentId, customer.externalCustomerId),
    );
    if (!view) throw refusalError(notMember, requestId);
    return { requestId, ...view };
  },
  customerDetails: async (_root, _arguments, context) => {
    const { queries, customer, requestId } = context;
    const details = await orThrow(
      context,
      queries.memberDetails(customer.environmentId, customer.externalCustomerId),
    );
    if (!details) throw refusalError(notMember, requestId);
    return { requestId, programs: customerDetails(details) };
  },
  customerActivity: async (_root, { programId, limit, cursor }, context) => {
    const { queries, customer, requestId } = context;
    const reading = queries.customerActivity(
      customer.environmentId,
      { externalCustomerId: customer.externalCustomerId, programId: programId ?? null },
      pageOf({ limit, cursor }, ACTIVITY_LIMIT),
    );
    return { requestId, ...(await orThrow(context, reading)) };
  },
  customerCatalog: async (_root, { programId }, context) => {
    const { queries, customer, requestId } = context;
    const { environmentId, externalCustomerId } = customer;
    const data = await orThrow(
      context,
      queries.customerCatalog(environmentId, externalCustomerId, programId),
    );
    return { requestId, data };
  },
  previewForCustomer: async (_root, { input }, context) => {
    const { queries, couponGuesses, customer, requestId } = context;
    const { environmentId, externalCustomerId } = customer;
    const guess = { environmentId, externalCustomerId, couponCode: input.couponCode };
    const previewing = couponGuesses.guard(guess, () =>
      previewOf(queries, environmentId, { ...input, externalCustomerId }, previewForCustomer),
    );
    return { requestId, ...(await orThrow(context, previewing)) };
  },
};

export const customerMutations: Required<
  Pick<
    MutationResolvers,
    | 'enrollCustomer'
    | 'unenrollCustomer'
    | 'quoteForCustomer'
    | 'reserveForCustomer'
    | 'commitForCustomer'
    | 'releaseForCustomer'
    | 'reverseForCustomer'
  >
> = {
  enrollCustomer: (_root, { input }, context) =>
    submitOwn('enrollCustomer', input, context, (caller) =>
      enrollMember({ ...input, ...identity(context) }, caller, { makesMember: true }),
    ),
  unenrollCustomer: (_root, { input }, context) =>
    submitOwn('unenrollCustomer', input, context, (caller) =>
      unenrollMember({ ...input, ...identity(context) }, caller),
    ),
  quoteForCustomer: async (_root, { input }, context) => {
    const { quote, ...receipt } = await submitOwn('quoteForCustomer', input, context, (caller) =>
      quoteForCustomer({ ...input, ...identity(context) }, caller),
    );
    // A stored receipt may have been damaged.
    if (!quote?.terms) throw refusalError(receiptUnreadable, context.requestId);
    const { discountMinor = null }: { discountMinor?: number | null } = quote.terms;
    return { ...receipt, quote: { ...quote, discountMinor } };
  },
  reserveForCustomer: async (_root, { input }, context) => {
    const quote = await findOwn('quote', input.quoteId, context);
    return submitOwn('reserveForCustomer', input, context, (caller) =>
      reserveRedemption(input, quote, caller),
    );
  },
  commitForCustomer: async (_root, { input }, context) => {
    const reservation = await findOwn('reservation', input.reservationId, context);
    const { authorizationReference } = context.customer;
    return submitOwn('commitForCustomer', input, context, (caller) =>
      commitForCustomer(input, reservation, authorizationReference, caller),
    );
  },
  releaseForCustomer: async (_root, { input }, context) => {
    const reservation = await findOwn('reservation', input.reservationId, context);
    const completeInput = { ...input, reason: input.reason ?? DEFAULT_REASON };
    return submitOwn('releaseForCustomer', completeInput, context, (caller) =>
      releaseRedemption(completeInput, reservation, caller),
    );
  },
  reverseForCustomer: async (_root, { input }, context) => {
    const reservation = await findOwn('reservation', input.reservationId, context);
    return submitOwn('reverseForCustomer', input, context, (caller) =>
      reverseForCustomer(input, reservation, caller),
    );
  },
};

function identity({ customer }: CustomerContext): { externalCustomerId: string } {
  return { externalCustomerId: customer.externalCustomerId };
}

/** Submits a command as the customer's own operation. */
async function submitOwn<Name extends keyof Mutation, Receipt extends object>(
  operation: Name,
  input: Keyed,
  context: CustomerContext,
  make: (caller: Caller) => Command<Receipt, RefusalCodeOf<Name>> | RefusalOf<Name>,
): Promise<Receipt & { requestId: string; idempotent: boolean }> {
  const { environmentId, externalCustomerId } = context.customer;
  const caller: Caller = {
    environmentId,
    actor: customerActor(context.customer),
    requestId: context.requestId,
  };
  const command = forCustomer(operation, input, externalCustomerId, make(caller), caller);
  if (isRefusal(command)) throw refusalError(command, context.requestId);
  return answerOf(context, toldCustomer(await context.commands.submit(command)));
}

/** Looks up what a customer names by its id. @returns null where it is not the customer's: as if it did not exist */
async function findOwn(
  kind: 'quote' | 'reservation',
  id: string,
  context: CustomerContext,
): Promise<OwnedResource | null> {
  const resource = await findOwned(kind, id, context.customer, context);
  const { environmentId, externalCustomerId } = context.customer;
  if (resource === null || resource.externalCustomerId === externalCustomerId) return resource;
  // The customer's name may be that of an account that was merged into the owner's.
  const view = await orThrow(context, context.queries.member(environmentId, externalCustomerId));
  return view?.member.externalCustomerId === resource.externalCustomerId ? resource : null;
}
