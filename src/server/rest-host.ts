import type { IncomingMessage } from 'node:http';
import { type GraphQLSchema, print, validate } from 'graphql';
import type { Admission, Host } from '../../rest-adapter/host.ts';
import type { Credential } from '../auth/credential.ts';
import { refuseUnavailable } from '../graphql/errors/unavailable.ts';
import type { RequestContext } from '../graphql/execution/context.ts';
import { prepareOperation } from '../graphql/execution/prepared-operation.ts';
import { compileSchema } from '../graphql/schema/validate-input.ts';
import type { Logger } from '../http/logger.ts';
import { type RateVerdict, rateLimitHeader, rateLimitPolicyHeader } from '../http/rate-limit.ts';
import { discardBody, readJsonBody } from '../http/read-json-body.ts';
import { parseStrictJson } from '../http/strict-json.ts';
import { isRefusal, refuse } from '../refusal.ts';
import type { Service } from './service.ts';

const NO_HEADERS = Object.freeze({});
const internal = refuse('internal_error', 'Internal error');

/** Creates the REST adapter's interface to the server (rest-adapter/host.ts describes each part). */
export function createRestHost(
  service: Pick<Service, 'authenticator' | 'rateLimiter' | 'writer' | 'queries' | 'webhookSettings'>,
  schema: GraphQLSchema,
  newRequestId: () => string,
  logger: Logger,
  reportRefusal: Host['reportRefusal'],
): Host {
  const { authenticator, rateLimiter } = service;
  return {
    newRequestId,
    async admit(request, scopes, requestId): Promise<Admission> {
      const credential = await authenticator.authenticate(
        request.headers.authorization,
        soleHeader(request, 'x-environment'),
      );
      if (isRefusal(credential)) {
        const { code, message } = credential;
        return { ok: false, failure: { code, message }, headers: NO_HEADERS };
      }
      const verdict = await rateLimiter.take(credential.keyId);
      const headers = rateHeaders(verdict);
      if (!verdict.allowed) {
        const message = `More than ${verdict.limit} requests in a minute: wait as Retry-After says.`;
        return { ok: false, failure: { code: 'rate_limited', message }, headers };
      }
      if (!scopes.some((scope) => credential.scopes.has(scope))) {
        const message = `This needs a key with the scope ${scopes.join(' or ')}.`;
        return { ok: false, failure: { code: 'insufficient_scope', message }, headers };
      }
      return { ok: true, context: new RestContext(requestId, credential, service), headers };
    },
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
