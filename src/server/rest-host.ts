import type { IncomingMessage } from 'node:http';
import { type GraphQLSchema, print, validate } from 'graphql';
import type { Admission, Host } from '../../rest-adapter/host.ts';
import type { Credential } from '../auth/credential.ts';
import { refuseUnavailable } from '../graphql/errors/unavailable.ts';
import type { CustomerContext, RequestContext } from '../graphql/execution/context.ts';
import { prepareOperation } from '../graphql/execution/prepared-operation.ts';
import { compileSchema } from '../graphql/schema/validate-input.ts';
import type { Logger } from '../http/logger.ts';
import {
  type RateLimiter,
  type RateVerdict,
  rateLimitHeader,
  rateLimitPolicyHeader,
} from '../http/rate-limit.ts';
import { discardBody, readJsonBody } from '../http/read-json-body.ts';
import { parseStrictJson } from '../http/strict-json.ts';
import { isRefusal, type Refusal, refuse } from '../refusal.ts';
import { ALLOWED_ORIGIN } from './cors.ts';
import type { Service } from './service.ts';

const NO_HEADERS = Object.freeze({});
const internal = refuse('internal_error', 'Internal error');

/** What the interface of every REST surface is made of. */
export interface HostParts {
  schema: GraphQLSchema;
  newRequestId(): string;
  logger: Logger;
  reportRefusal: Host['reportRefusal'];
}

/** Creates the REST adapter's interface to the server (rest-adapter/host.ts describes each part), for merchants. */
export function createRestHost(
  service: Pick<Service, 'authenticator' | 'rateLimiter' | 'writer' | 'queries' | 'webhookSettings'>,
  parts: HostParts,
): Host {
  const { authenticator, rateLimiter } = service;
  return createHost(parts, async (request, scopes, requestId) => {
    const credential = await authenticator.authenticate(
      request.headers.authorization,
      soleHeader(request, 'x-environment'),
    );
    if (isRefusal(credential)) return refused(credential);
    const { verdict, headers } = await counted(rateLimiter, credential.keyId);
    if (!verdict.allowed) return overLimit(verdict, headers);
    if (!scopes.some((scope) => credential.scopes.has(scope))) {
      const message = `This needs a key with the scope ${scopes.join(' or ')}.`;
      return { ok: false, failure: { code: 'insufficient_scope', message }, headers };
    }
    return { ok: true, context: new RestContext(requestId, credential, service), headers };
  });
}

/** Creates the REST adapter's interface to the server, for customers. */
export function createCustomerHost(
  { customers, writer, queries }: Pick<Service, 'customers' | 'writer' | 'queries'>,
  parts: HostParts,
): Host {
  return createHost(parts, async (request, _scopes, requestId, response) => {
    const customer = await customers.authenticator.authenticate(
      request.headers.authorization,
      soleHeader(request, 'x-environment'),
    );
    if (isRefusal(customer)) return refused(customer);
    const { origin } = request.headers;
    if (origin === undefined || !customer.origins.includes(origin)) response.removeHeader(ALLOWED_ORIGIN);
    const name = `${customer.environmentId} ${customer.externalCustomerId}`;
    const { verdict, headers } = await counted(customers.rateLimiter, name);
    if (!verdict.allowed) return overLimit(verdict, headers);
    const context: CustomerContext = { requestId, customer, door: 'customer', commands: writer, queries };
    return { ok: true, context, headers };
  });
}

function createHost({ schema, newRequestId, logger, reportRefusal }: HostParts, admit: Host['admit']): Host {
  return {
    newRequestId,
    admit,
    async readBody(request, response, limitBytes) {
      const body = await readJsonBody(request, response, limitBytes);
      return isRefusal(body) ? { code: body.code, message: body.message } : body;
    },
    discardBody,
    parseJson: parseStrictJson,
    compileSchema,
    prepare(document) {
      const errors = validate(schema, document);
      if (errors.length > 0) throw new AggregateError(errors, 'A REST document does not fit the schema');
      const prepared = prepareOperation(schema, document);
      if (!prepared)
        throw new Error(`A REST document has more in it than one plain operation: ${print(document)}`);
      return prepared;
    },
    reportRefusal,
    reportError(error, requestId) {
      logger.error({ err: error, requestId }, 'A REST request failed');
      const { code, message } = refuseUnavailable(error) ?? internal;
      return { code, message };
    },
  };
}

function refused({ code, message }: Refusal): Admission {
  return { ok: false, failure: { code, message }, headers: NO_HEADERS };
}

async function counted(rateLimiter: RateLimiter, name: string) {
  const verdict = await rateLimiter.take(name);
  return { verdict, headers: rateHeaders(verdict) };
}

function overLimit({ limit }: RateVerdict, headers: Record<string, string>): Admission {
  const message = `More than ${limit} requests in a minute: wait as Retry-After says.`;
  return { ok: false, failure: { code: 'rate_limited', message }, headers };
}

/** The context that resolvers get for a REST request: one object of a fixed shape. */
class RestContext implements RequestContext {
  readonly door = 'rest';
  readonly requestId: string;
  readonly credential: Credential;
  readonly commands: RequestContext['commands'];
  readonly queries: RequestContext['queries'];
  readonly webhookSettings: RequestContext['webhookSettings'];
  readonly #service: Pick<Service, 'rateLimiter'>;

  constructor(
    requestId: string,
    credential: Credential,
    service: Pick<Service, 'rateLimiter' | 'writer' | 'queries' | 'webhookSettings'>,
  ) {
    this.requestId = requestId;
    this.credential = credential;
    this.commands = service.writer;
    this.queries = service.queries;
    this.webhookSettings = service.webhookSettings;
    this.#service = service;
  }

  takeRateUnit(): Promise<RateVerdict> {
    return this.#service.rateLimiter.take(this.credential.keyId);
  }
}

function rateHeaders(verdict: RateVerdict): Record<string, string> {
  const headers: Record<string, string> = {
    'RateLimit-Policy': rateLimitPolicyHeader(verdict.limit),
    RateLimit: rateLimitHeader(verdict),
  };
  if (!verdict.allowed) headers['Retry-After'] = String(verdict.resetSeconds);
  return headers;
}

function soleHeader(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' ? value : undefined;
}
