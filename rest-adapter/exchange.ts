import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Host } from './host.ts';

/** Headers of a response, in addition to those that describe its content. */
export type Headers = Record<string, string>;

/** A request on its way through the adapter, with the response that it gets. */
export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  requestId: string;
  /** Of the response; they gather until it is sent. */
  headers: Headers;
  host: Host;
  /** That of the route, once it is found. */
  operation?: string;
}
