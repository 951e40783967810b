import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ExecutionResult } from 'graphql';
import type { GraphQLParams } from 'graphql-yoga';
import type { Credential } from '../../auth/credential.ts';
import type { WebhookSettings } from '../../auth/webhook-settings.ts';
import type { RateVerdict } from '../../http/rate-limit.ts';
import { WorkLimit } from '../../http/work-limit.ts';
import type { CommandDoor } from '../../ledger/command.ts';
import type { BoundedQueries } from '../../queries/bounded-queries.ts';
import type { OperationCost } from '../limits/document-cost.ts';
import type { RequestContext, WidgetServices } from './context.ts';
import type { CouponGuesses } from './coupon-guesses.ts';
import type { CachedDocument } from './document-cache.ts';
import type { RecentOwners } from './recent-owners.ts';

/** The services that all requests of the endpoint share. */
export interface GraphqlServices {
  takeRateUnit(keyId: string): Promise<RateVerdict>;
  commands: CommandDoor;
  queries: BoundedQueries;
  couponGuesses: CouponGuesses;
  searches: RequestContext['searches'];
  recentOwners: RecentOwners;
  sweep: RequestContext['sweep'];
  webhookSettings: WebhookSettings;
  widgets: WidgetServices;
  management: RequestContext['management'];
}

/**
 * The state of one request, for the plugins and for the resolvers. The same object is Yoga's server context and the
 * context value of the execution, so nothing is copied between them. Its shape is fixed.
 */
export class GraphqlRequest implements RequestContext {
  readonly door = 'graphql';
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly requestId: string;
  readonly commands: CommandDoor;
  readonly queries: BoundedQueries;
  readonly couponGuesses: CouponGuesses;
  readonly searches: RequestContext['searches'];
  readonly recentOwners: RecentOwners;
  readonly sweep: RequestContext['sweep'];
  readonly webhookSettings: WebhookSettings;
  readonly widgets: WidgetServices;
  readonly management: RequestContext['management'];
  /** The latest state of the credential's rate limit window; null while the request has taken no unit. */
  rateVerdict: RateVerdict | null = null;
  /** The document; null until it is parsed. */
  document: CachedDocument | null = null;
  /** The cost of the operation of the document that the request selects; null until it is selected. */
  operation: OperationCost | null = null;
  /** The credential; null until the request is authenticated. */
  authenticated: Credential | null = null;
  /** What the body asks for; empty until it is read. Yoga's plugins find it in their context by this name. */
  params: GraphQLParams = {};
  /** The result of Yoga; null until the document is executed, and where it is executed without Yoga. */
  result: ExecutionResult | null = null;
  /** The time that the server may work on it. */
  readonly workLimit = new WorkLimit();
  /** Takes one unit of the credential's rate limit. */
  readonly takeRateUnit: () => Promise<RateVerdict>;

  constructor(req: IncomingMessage, res: ServerResponse, requestId: string, services: GraphqlServices) {
    this.req = req;
    this.res = res;
    this.requestId = requestId;
    this.commands = services.commands;
    this.queries = services.queries;
    this.couponGuesses = services.couponGuesses;
    this.searches = services.searches;
    this.recentOwners = services.recentOwners;
    this.sweep = services.sweep;
    this.webhookSettings = services.webhookSettings;
    this.widgets = services.widgets;
    this.management = services.management;
    this.takeRateUnit = async () => {
      this.rateVerdict = await services.takeRateUnit(this.credential.keyId);
      return this.rateVerdict;
    };
  }

  /** The credential. Every rule of a document and every field comes after authentication, so it is present there. */
  get credential(): Credential {
    if (this.authenticated === null) throw new Error('The credential was read before it was checked');
    return this.authenticated;
  }
}
