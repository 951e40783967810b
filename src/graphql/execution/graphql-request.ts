import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Credential } from '../../auth/credential.ts';
import type { RateVerdict } from '../../http/rate-limit.ts';
import type { CommandDoor } from '../../ledger/command.ts';
import type { BoundedQueries } from '../../queries/bounded-queries.ts';
import type { OperationCost } from '../limits/document-cost.ts';
import type { RequestContext } from './context.ts';
import type { CachedDocument } from './document-cache.ts';

/** What is the same for every request of the endpoint. */
export interface GraphqlServices {
  takeRateUnit(keyId: string): Promise<RateVerdict>;
  commands: CommandDoor;
  queries: BoundedQueries;
}

/** An HTTP response, whole and in one piece. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/**
 * One request on its way through the plugins, and what its resolvers are handed. A single object of a fixed shape:
 * it is Yoga's server context and the execution's context value at once, so nothing is copied between them.
 */
export class GraphqlRequest implements RequestContext {
  readonly door = 'graphql';
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly requestId: string;
  readonly commands: CommandDoor;
  readonly queries: BoundedQueries;
  /** The newest state of the credential's window; null while the request has taken no unit. */
  rateVerdict: RateVerdict | null = null;
  /** The document, once it is parsed. */
  document: CachedDocument | null = null;
  /** The operation that the request chose out of the document. */
  operation: OperationCost | null = null;
  /** Null until the key has proved itself. */
  authenticated: Credential | null = null;
  /** What is sent, once it is made. */
  answer: Answer | null = null;
  /** One unit of the credential's window. */
  readonly takeRateUnit: () => Promise<RateVerdict>;

  constructor(req: IncomingMessage, res: ServerResponse, requestId: string, services: GraphqlServices) {
    this.req = req;
    this.res = res;
    this.requestId = requestId;
    this.commands = services.commands;
    this.queries = services.queries;
    this.takeRateUnit = async () => {
      this.rateVerdict = await services.takeRateUnit(this.credential.keyId);
      return this.rateVerdict;
    };
  }

  /** The key that proved itself: no field executes and no rule of a document is asked before. */
  get credential(): Credential {
    if (this.authenticated === null) throw new Error('The credential was read before it was checked');
    return this.authenticated;
  }
}
