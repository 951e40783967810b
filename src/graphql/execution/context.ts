import type { Credential } from '../../auth/credential.ts';
import type { Customer } from '../../auth/customer/customer-authenticator.ts';
import type { WebhookSettings } from '../../auth/webhook-settings.ts';
import type { RateVerdict } from '../../http/rate-limit.ts';
import type { CommandDoor } from '../../ledger/command.ts';
import type { BoundedQueries } from '../../queries/bounded-queries.ts';

/** The context of merchants' fields: the request's credential, and the interfaces for commands and for reads. */
export interface RequestContext {
  requestId: string;
  credential: Credential;
  /**
   * The API that received the request. REST has validated the input, counted the request and checked the scope before it
   * executes a document.
   */
  door: 'rest' | 'graphql';
  /** Takes one unit of the credential's rate limit. Each top-level field takes one. */
  takeRateUnit(): Promise<RateVerdict>;
  commands: CommandDoor;
  queries: BoundedQueries;
  webhookSettings: WebhookSettings;
}

/**
 * The context of `@customer` fields. It has no credential and no scopes: the token's customer is all that it is about. The
 * customers' surface has validated the input and counted the request before it executes a document.
 */
export interface CustomerContext {
  requestId: string;
  customer: Customer;
  door: 'customer';
  commands: CommandDoor;
  queries: BoundedQueries;
}

/** The type of the context that fields with `@customer` get, for the generated types of resolvers. */
export type ContextOfCustomer<_RequestContext> = CustomerContext;
