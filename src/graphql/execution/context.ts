import type { PrismaClient } from '../../../generated/prisma/client.ts';
import type { Credential } from '../../auth/credential.ts';
import type { IssuerAccess } from '../../auth/customer/check-token.ts';
import type { Customer } from '../../auth/customer/customer-authenticator.ts';
import type { PersonSession, PersonSessions } from '../../auth/person/person-sessions.ts';
import type { WebhookSettings } from '../../auth/webhook-settings.ts';
import type { WidgetDirectory } from '../../auth/widget/widget-directory.ts';
import type { WidgetSession } from '../../auth/widget/widget-session.ts';
import type { WidgetSessions } from '../../auth/widget/widget-sessions.ts';
import type { SandboxSweep } from '../../contract/generated/types.ts';
import type { RateLimiter, RateVerdict } from '../../http/rate-limit.ts';
import type { CommandDoor } from '../../ledger/command.ts';
import type { BoundedQueries } from '../../queries/bounded-queries.ts';
import type { Refusal } from '../../refusal.ts';
import type { WidgetDeployment } from '../../widget/widget-document.ts';
import type { CouponGuesses } from './coupon-guesses.ts';
import type { RecentOwners } from './recent-owners.ts';

/** What finds widgets and makes their sessions. */
export interface WidgetServices {
  directory: Pick<WidgetDirectory, 'find'>;
  sessions: Pick<WidgetSessions, 'mint'>;
}

/** What does changes of how an environment is set up. */
export interface ManagementDoor {
  /** @param environmentId UUID */
  run<Result>(
    environmentId: string,
    work: (prisma: PrismaClient) => Promise<Result>,
  ): Promise<Result | Refusal<'management_unavailable' | 'overloaded'>>;
  /** What issuers of customers' tokens are added and checked with. */
  issuers: IssuerAccess & Pick<WebhookSettings, 'allowPrivate'>;
}

/** The context of merchants' fields: the request's credential, and the interfaces for commands and for reads. */
export interface RequestContext {
  requestId: string;
  credential: Credential;
  /**
   * The API that received the request. REST has validated the input, counted the request and checked the scope before
   * it executes a document.
   */
  door: 'rest' | 'graphql';
  /** Takes one unit of the credential's rate limit. Each top-level field takes one. */
  takeRateUnit(): Promise<RateVerdict>;
  commands: CommandDoor;
  queries: BoundedQueries;
  couponGuesses: CouponGuesses;
  /** Counts the searches of a key, apart from its other requests. */
  searches: Pick<RateLimiter, 'take'>;
  recentOwners: RecentOwners;
  /** Does what is due in an environment by its clock. @param environmentId UUID */
  sweep(environmentId: string): Promise<SandboxSweep>;
  webhookSettings: WebhookSettings;
  widgets: WidgetServices;
  management: ManagementDoor;
}

/**
 * The context of `@customer` fields. It has no credential and no scopes: the token's customer is all that it is about.
 * The customers' surface has validated the input and counted the request before it executes a document.
 */
export interface CustomerContext {
  requestId: string;
  customer: Customer;
  door: 'customer';
  commands: CommandDoor;
  queries: BoundedQueries;
  couponGuesses: CouponGuesses;
}

/** The context of `@widget` fields: a session is all that they are about, as a token is of `@customer` fields. */
export interface WidgetContext {
  requestId: string;
  session: WidgetSession;
  /** The deployment in its present version. */
  deployment: WidgetDeployment;
  /** The request's `If-Match`: what the page has read of the widget; null where it has none. */
  ifMatch: string | null;
  door: 'widget';
  commands: CommandDoor;
}

/** The context of `@person` fields: the session is all that they are about. */
export interface PersonContext {
  requestId: string;
  session: PersonSession;
  door: 'person';
  sessions: PersonSessions;
  management: ManagementDoor;
}

/**
 * The types of the contexts that fields with `@customer`, `@widget` and `@person` get, for the generated types of
 * resolvers.
 */
export type ContextOfCustomer<_RequestContext> = CustomerContext;
export type ContextOfWidget<_RequestContext> = WidgetContext;
export type ContextOfPerson<_RequestContext> = PersonContext;
