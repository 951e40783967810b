import { enrollMember } from '../../commands/members/enroll-member.ts';
import { unenrollMember } from '../../commands/members/unenroll-member.ts';
import { commitRedemption } from '../../commands/redemptions/commit-redemption.ts';
import { quoteRedemption } from '../../commands/redemptions/quote-redemption.ts';
import { releaseRedemption } from '../../commands/redemptions/release-redemption.ts';
import { reserveRedemption } from '../../commands/redemptions/reserve-redemption.ts';
import { reverseForCustomer } from '../../commands/redemptions/reverse-for-customer.ts';
import { type Caller, customerActor, type Keyed } from '../../commands/shared/caller.ts';
import { forCustomer } from '../../commands/shared/for-customer.ts';
import type { Mutation } from '../../contract/generated/types.ts';
import { newUuid } from '../../ids.ts';
import type { Command, Outcome } from '../../ledger/command.ts';
import { receiptUnreadable } from '../../ledger/receipts/stored-receipt.ts';
import type { OwnedResource } from '../../ledger/resource-owner.ts';
import { customerDetails } from '../../queries/customers/details.ts';
import { isRefusal, type Refusal, type RefusalCode, refuse } from '../../refusal.ts';
import { refusalError } from '../errors/errors.ts';
import type { CustomerContext } from '../execution/context.ts';
import type { MutationResolvers, QueryResolvers } from '../generated/resolver-types.ts';
import { findOwned } from './shared/owned-resources.ts';
import { pageOf } from './shared/page-of.ts';
import { previewOf } from './shared/preview.ts';
import { found, submitCommand } from './shared/submit-command.ts';

/** The default of the `limit` of the activity in the SDL. */
const ACTIVITY_LIMIT = 20;
/** The `reason` of a release if it is null: as in the SDL. */
const DEFAULT_REASON = 'customer_request';

const notMember = refuse('member_not_found', 'You are no member yet: enroll in a program first.');
const notAuthorized = refuse(
  'authorization_required',
  "The merchant's checkout has to authorize this: send a token whose claim authorization_reference is the one in the body.",
);

/** What customers are told of refusals whose own message names the merchant's rules, or an id of another customer. */
const TOLD: Partial<Record<RefusalCode, string>> = {
  idempotency_key_reused:
    'This Idempotency-Key was used before with another input. Use a new one for a new event.',
  reward_not_eligible: 'This reward is not for you at present.',
};

/** Refusals of customers who are no members, or not of the program. */
const NOT_ENROLLED: ReadonlySet<RefusalCode> = new Set(['member_not_found', 'enrollment_required']);

export const customerQueries: Required<
  Pick<
    QueryResolvers,
    'customerMember' | 'customerDetails' | 'customerActivity' | 'customerCatalog' | 'previewForCustomer'
  >
> = {
  customerMember: async (_root, _arguments, context) => {
    const { queries, customer, requestId } = context;
    const view = await found(
      context,
      queries.customerMember(customer.environmentId, customer.externalCustomerId),
    );
    if (!view) throw refusalError(notMember, requestId);
    return { requestId, ...view };
  },
  customerDetails: async (_root, _arguments, context) => {
    const { queries, customer, requestId } = context;
    const details = await found(
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
    return { requestId, ...(await found(context, reading)) };
  },
  customerCatalog: async (_root, { programId }, context) => {
    const { queries, customer, requestId } = context;
    const { environmentId, externalCustomerId } = customer;
    const data = await found(context, queries.customerCatalog(environmentId, externalCustomerId, programId));
    return { requestId, data };
  },
  previewForCustomer: async (_root, { input }, context) => {
    const { queries, couponGuesses, customer, requestId } = context;
    const { environmentId, externalCustomerId } = customer;
    const guess = { environmentId, externalCustomerId, couponCode: input.couponCode };
    const previewing = couponGuesses.guard(guess, async () => {
      const preview = await previewOf(queries, environmentId, { ...input, externalCustomerId });
      // Whoever could not earn with it is told what a new member would get.
      const notEnrolled = isRefusal(preview) && NOT_ENROLLED.has(preview.code);
      return notEnrolled ? previewOf(queries, environmentId, input) : preview;
    });
    return { requestId, ...(await found(context, previewing)) };
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
    const { quote, ...receipt } = await submitOwn('quoteForCustomer', input, context, (caller) => {
      // The merchant has no reference of its own for it yet: its checkout authorizes the commit.
      const sourceReference = `customer-${newUuid()}`;
      return quoteRedemption({ ...input, ...identity(context), sourceReference }, caller);
    });
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
    // A reservation that the customer does not have is not found, whatever the token says about it.
    if (reservation && context.customer.authorizationReference !== input.authorizationReference) {
      throw refusalError(notAuthorized, context.requestId);
    }
    return submitOwn('commitForCustomer', input, context, (caller) =>
      commitRedemption(input, reservation, caller),
    );
  },
  releaseForCustomer: async (_root, { input }, context) => {
    const reservation = await findOwn('reservation', input.reservationId, context);
    const given = { ...input, reason: input.reason ?? DEFAULT_REASON };
    return submitOwn('releaseForCustomer', given, context, (caller) =>
      releaseRedemption(given, reservation, caller),
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
function submitOwn<Receipt extends object>(
  operation: keyof Mutation,
  input: Keyed,
  context: CustomerContext,
  make: (caller: Caller) => Command<Receipt> | Refusal,
): Promise<Receipt & { requestId: string; idempotent: boolean }> {
  const { environmentId, externalCustomerId } = context.customer;
  const caller: Caller = {
    environmentId,
    actor: customerActor(context.customer),
    requestId: context.requestId,
  };
  const command = forCustomer(operation, input, externalCustomerId, make(caller), caller);
  return submitCommand({ requestId: context.requestId, commands: { submit } }, command);

  async function submit(submitted: Command): Promise<Outcome> {
    const outcome = await context.commands.submit(submitted);
    const told = isRefusal(outcome) ? TOLD[outcome.code] : undefined;
    return isRefusal(outcome) && told !== undefined ? refuse(outcome.code, told) : outcome;
  }
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
  const view = await found(context, context.queries.member(environmentId, externalCustomerId));
  return view?.member.externalCustomerId === resource.externalCustomerId ? resource : null;
}
