import type { IncomingMessage } from 'node:http';
import { type GraphQLSchema, print, validate } from 'graphql';
import type { Admission, Host } from '../../../rest-adapter/host.ts';
import type { Credential } from '../../auth/credential.ts';
import { credentialOf } from '../../auth/person/person-sessions.ts';
import { customerActor, widgetActor } from '../../commands/shared/caller.ts';
import { refuseUnavailable } from '../../graphql/errors/unavailable.ts';
import type {
  CustomerContext,
  PersonContext,
  RequestContext,
  WidgetContext,
  WidgetServices,
} from '../../graphql/execution/context.ts';
import { prepareOperation } from '../../graphql/execution/prepared-operation.ts';
import { compileSchema } from '../../graphql/schema/validate-input.ts';
import type { RateVerdict } from '../../http/rate-limit.ts';
import { discardBody, readJsonBody } from '../../http/read-json-body.ts';
import { parseStrictJson } from '../../http/strict-json.ts';
import { WorkLimit } from '../../http/work-limit.ts';
import { toTypeId } from '../../ids.ts';
import { isRefusal, type Refusal, refuse } from '../../refusal.ts';
import { ALLOWED_ORIGIN } from '../requests/cors.ts';
import { countRequest, overLimit } from '../requests/count-request.ts';
import type { FailureLog } from '../requests/outage-log.ts';
import { admitMember } from '../widgets/admit-visitor.ts';
import { refuseCommand } from './refuse-overload.ts';
import type { Service } from './service.ts';

const NO_HEADERS = Object.freeze({});
const internal = refuse('internal_error', 'Internal error');

/** What the interface of every REST surface is made of. */
export interface HostParts {
  schema: GraphQLSchema;
  newRequestId(): string;
  logger: FailureLog;
  reportRefusal: Host['reportRefusal'];
}

/** What requests of merchants and of widgets' pages need. */
type RestService = Pick<
  Service,
  | 'authenticator'
  | 'rateLimiter'
  | 'writer'
  | 'queries'
  | 'couponGuesses'
  | 'searches'
  | 'recentOwners'
  | 'sweep'
  | 'webhookSettings'
  | 'widgets'
  | 'management'
  | 'people'
>;

/**
 * Creates the REST adapter's interface to the server (rest-adapter/host.ts describes each part), for merchants, and for
 * the pages with their widgets.
 */
export function createRestHost(service: RestService, parts: HostParts): Host {
  const { authenticator, rateLimiter } = service;
  return createHost(parts, async (request, { isCommand, scopes, forPeople, parameters }, requestId) => {
    if (forPeople) return admitPerson(service, request, requestId);
    if (scopes.length === 0) return admitSession(service, request, parameters.deploymentId ?? '', requestId);
    // Sessions of widgets are for servers: what a browser sends along does not count.
    const credential =
      scopes.includes('widgets:session') || service.people.door.read(request).kind === 'none'
        ? await authenticator.authenticate(
            request.headers.authorization,
            soleHeader(request, 'x-environment'),
          )
        : await personIn(service, request);
    if (isRefusal(credential)) return refused(credential);
    const { environmentId, principal } = credential;
    const overloaded = isCommand && refuseCommand(service.writer, environmentId, principal);
    if (overloaded) return refused(overloaded);
    const { verdict, headers } = await countRequest(rateLimiter, credential.keyId);
    if (!verdict.allowed) return refused(overLimit(verdict), headers);
    if (!scopes.some((scope) => credential.scopes.has(scope))) {
      const message = `This needs a key with the scope ${scopes.join(' or ')}.`;
      return { ok: false, failure: { code: 'insufficient_scope', message }, headers };
    }
    return { ok: true, context: new RestContext(requestId, credential, service), headers };
  });
}

/** The credential of the person whose session a request has, in the environment that it names. */
async function personIn({ people }: RestService, request: IncomingMessage): Promise<Credential | Refusal> {
  const found = await people.door.admitIn(request);
  return isRefusal(found) ? found : credentialOf(found.session, found.environmentId, found.environment);
}

/** Admits whoever has signed in, for what is about that person alone. */
async function admitPerson(
  { people, management, rateLimiter }: RestService,
  request: IncomingMessage,
  requestId: string,
): Promise<Admission> {
  const session = await people.door.admit(request);
  if (isRefusal(session)) return refused(session);
  const { verdict, headers } = await countRequest(rateLimiter, toTypeId('prs', session.personId));
  if (!verdict.allowed) return refused(overLimit(verdict), headers);
  const context: PersonContext = {
    ...{ requestId, session, management },
    door: 'person',
    sessions: people.sessions,
  };
  return { ok: true, context, headers };
}

/** Admits the member of a widget's session. Such a request has no key and names no environment. */
async function admitSession(
  { widgets, writer }: RestService,
  request: IncomingMessage,
  deploymentId: string,
  requestId: string,
): Promise<Admission> {
  // All that a page does with its session is a command.
  const { visitor, headers } = await admitMember(widgets, request, deploymentId, (session) =>
    refuseCommand(writer, session.environmentId, widgetActor(session).id),
  );
  if (isRefusal(visitor)) return refused(visitor, headers);
  const { session, deployment } = visitor;
  const ifMatch = request.headers['if-match'] ?? null;
  const context: WidgetContext = {
    ...{ requestId, session, deployment, ifMatch },
    door: 'widget',
    commands: writer,
  };
  return { ok: true, context, headers };
}

/** Creates the REST adapter's interface to the server, for customers. */
export function createCustomerHost(
  {
    customers,
    writer,
    queries,
    couponGuesses,
  }: Pick<Service, 'customers' | 'writer' | 'queries' | 'couponGuesses'>,
  parts: HostParts,
): Host {
  return createHost(parts, async (request, { isCommand }, requestId, response) => {
    const customer = await customers.authenticator.authenticate(
      request.headers.authorization,
      soleHeader(request, 'x-environment'),
    );
    if (isRefusal(customer)) return refused(customer);
    const { origin } = request.headers;
    if (origin === undefined || !customer.origins.includes(origin)) response.removeHeader(ALLOWED_ORIGIN);
    const overloaded = isCommand && refuseCommand(writer, customer.environmentId, customerActor(customer).id);
    if (overloaded) return refused(overloaded);
    const name = `${customer.environmentId} ${customer.externalCustomerId}`;
    const { verdict, headers } = await countRequest(customers.rateLimiter, name);
    if (!verdict.allowed) return refused(overLimit(verdict), headers);
    const context: CustomerContext = {
      ...{ requestId, customer, queries, couponGuesses },
      door: 'customer',
      commands: writer,
    };
    return { ok: true, context, headers };
  });
}

function createHost({ schema, newRequestId, logger, reportRefusal }: HostParts, admit: Host['admit']): Host {
  return {
    newRequestId,
    limitWork: () => new WorkLimit(),
    admit,
    async readBody(request, response, limitBytes, mediaTypes) {
      const body = await readJsonBody(request, response, limitBytes, mediaTypes);
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

function refused(
  { code, message }: Refusal,
  headers: Readonly<Record<string, string>> = NO_HEADERS,
): Admission {
  return { ok: false, failure: { code, message }, headers };
}

/** The context that resolvers get for a REST request: one object of a fixed shape. */
class RestContext implements RequestContext {
  readonly door = 'rest';
  readonly requestId: string;
  readonly credential: Credential;
  readonly commands: RequestContext['commands'];
  readonly queries: RequestContext['queries'];
  readonly couponGuesses: RequestContext['couponGuesses'];
  readonly searches: RequestContext['searches'];
  readonly recentOwners: RequestContext['recentOwners'];
  readonly sweep: RequestContext['sweep'];
  readonly webhookSettings: RequestContext['webhookSettings'];
  readonly widgets: WidgetServices;
  readonly management: RequestContext['management'];
  readonly #service: Pick<Service, 'rateLimiter'>;

  constructor(requestId: string, credential: Credential, service: Omit<RestService, 'authenticator'>) {
    this.requestId = requestId;
    this.credential = credential;
    this.commands = service.writer;
    this.queries = service.queries;
    this.couponGuesses = service.couponGuesses;
    this.searches = service.searches;
    this.recentOwners = service.recentOwners;
    this.sweep = service.sweep;
    this.webhookSettings = service.webhookSettings;
    this.widgets = service.widgets;
    this.management = service.management;
    this.#service = service;
  }

  takeRateUnit(): Promise<RateVerdict> {
    return this.#service.rateLimiter.take(this.credential.keyId);
  }
}

function soleHeader(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' ? value : undefined;
}
