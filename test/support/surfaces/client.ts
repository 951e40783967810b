import { Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
import { programId, type TestEnvironment } from './world.ts';

export interface Sent {
  method: string;
  /** The full path, such as `/api/v1/events`. */
  path: string;
  headers?: OutgoingHttpHeaders;
  body?: string | Buffer;
}

/** The parts of an error that tests check, over REST and GraphQL. */
interface ErrorBody {
  code: string;
  message: string;
  requestId: string;
  details?: { path: string; message: string }[];
}

interface GraphqlErrorBody {
  message: string;
  path?: (string | number)[];
  extensions: ErrorBody & { httpStatus: number };
}

export interface Body {
  requestId?: string;
  id?: string;
  error?: ErrorBody;
  data?: Record<string, Record<string, unknown> | null> | null;
  errors?: GraphqlErrorBody[];
  [field: string]: unknown;
}

export interface Received {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** The parsed body; an empty object where it is not JSON. */
  body: Body;
  /** The code of the error, or of the first one. */
  code: string | null;
  replayed: boolean;
}

/** The connection broke before the whole response had arrived. */
export class BrokenConnection extends Error {
  /** The system's error code, such as ECONNRESET. */
  readonly code: string;
  /** Whether the connection had carried a request before. */
  readonly reused: boolean;

  constructor(code: string, reused: boolean) {
    super(code);
    this.code = code;
    this.reused = reused;
  }
}

/** Sends requests over a limited number of kept-alive connections; further requests wait for a free one. */
export class Client {
  readonly #url: URL;
  readonly #agent: Agent;

  constructor(url: string, connections = 64) {
    this.#url = new URL(url);
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections, scheduling: 'fifo' });
  }

  /** @throws BrokenConnection where the connection breaks before the whole response has arrived */
  send({ method, path, headers = {}, body }: Sent): Promise<Received> {
    const { hostname, port } = this.#url;
    const hasLength = 'content-length' in headers || 'transfer-encoding' in headers;
    // Node does not set the length for the body of a DELETE.
    const length = body === undefined || hasLength ? {} : { 'content-length': Buffer.byteLength(body) };
    return new Promise((resolve, reject) => {
      const sent = request(
        { hostname, port, method, path, headers: { ...headers, ...length }, agent: this.#agent },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', () => {});
          response.on('close', () => {
            if (!response.complete) reject(new BrokenConnection('INCOMPLETE', sent.reusedSocket));
          });
          response.on('end', () => {
            const text = Buffer.concat(chunks).toString('utf8');
            resolve(received(response.statusCode ?? 0, response.headers, text));
          });
        },
      );
      sent.on('error', (error: NodeJS.ErrnoException) => {
        reject(new BrokenConnection(error.code ?? error.message, sent.reusedSocket));
      });
      sent.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

function received(status: number, headers: IncomingHttpHeaders, text: string): Received {
  const isJson = /json/.test(headers['content-type'] ?? '');
  const body = isJson && text !== '' ? (JSON.parse(text) as Body) : {};
  const code = body.error?.code ?? body.errors?.[0]?.extensions.code ?? null;
  const replayed = headers['idempotent-replayed'] === 'true';
  return { status, headers, text, body, code, replayed };
}

export type Credentials = Pick<TestEnvironment, 'key' | 'environmentId'>;

/** The headers of a request with a JSON body. */
export function headersOf({ key, environmentId }: Credentials): Record<string, string> {
  return {
    authorization: `Bearer ${key}`,
    'x-environment': environmentId,
    'content-type': 'application/json',
  };
}

/** A REST mutation, or a read where there is no body. @param path below /api/v1 */
export function rest(
  credentials: Credentials,
  method: string,
  path: string,
  body?: object,
  idempotencyKey?: string,
): Sent {
  const headers = headersOf(credentials);
  if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey;
  const sent: Sent = { method, path: `/api/v1${path}`, headers };
  if (body) sent.body = JSON.stringify(body);
  return sent;
}

export function graphql(credentials: Credentials, query: string, variables: object = {}): Sent {
  const body = JSON.stringify({ query, variables });
  return { method: 'POST', path: '/api/graphql', headers: headersOf(credentials), body };
}

/** A REST purchase. */
export function earn(credentials: Credentials, purchase: object, idempotencyKey: string): Sent {
  const body = { type: 'purchase.completed', programId, channel: 'web', ...purchase };
  return rest(credentials, 'POST', '/events', body, idempotencyKey);
}

/** A REST return. */
export function returnOrder(credentials: Credentials, returned: object, idempotencyKey: string): Sent {
  return rest(credentials, 'POST', '/returns', returned, idempotencyKey);
}

export function createMember(
  credentials: Credentials,
  externalCustomerId: string,
  idempotencyKey = `create-${externalCustomerId}`,
): Sent {
  const body = { externalCustomerId, consentStatus: 'opted_in', noticeVersion: 'v1' };
  return rest(credentials, 'POST', '/members', body, idempotencyKey);
}

/** @param changes by default a new name */
export function updateMember(
  credentials: Credentials,
  externalCustomerId: string,
  idempotencyKey = `update-${externalCustomerId}`,
  changes: object = { displayName: 'New Name' },
): Sent {
  const path = `/members/${encodeURIComponent(externalCustomerId)}`;
  return rest(credentials, 'PATCH', path, changes, idempotencyKey);
}

/** The customer answers the question about consent. */
export function answerConsent(
  credentials: Credentials,
  externalCustomerId: string,
  consentStatus: 'opted_in' | 'opted_out',
  idempotencyKey = `${consentStatus}-${externalCustomerId}`,
): Sent {
  const changes = { consentStatus, noticeVersion: 'v2', evidence: { source: 'account page' } };
  return updateMember(credentials, externalCustomerId, idempotencyKey, changes);
}

export function enroll(
  credentials: Credentials,
  externalCustomerId: string,
  idempotencyKey = `enroll-${externalCustomerId}`,
): Sent {
  const path = `/members/${encodeURIComponent(externalCustomerId)}/programs/${programId}`;
  const body = { consentStatus: 'opted_in', noticeVersion: 'v1', evidence: { source: 'test' } };
  return rest(credentials, 'PUT', path, body, idempotencyKey);
}

export function unenroll(
  credentials: Credentials,
  externalCustomerId: string,
  idempotencyKey = `unenroll-${externalCustomerId}`,
): Sent {
  const path = `/members/${encodeURIComponent(externalCustomerId)}/programs/${programId}`;
  const body = { noticeVersion: 'v1', evidence: { source: 'test' }, reason: 'moved away' };
  return rest(credentials, 'DELETE', path, body, idempotencyKey);
}

export function readMember(credentials: Credentials, externalCustomerId: string): Sent {
  return rest(credentials, 'GET', `/members/${encodeURIComponent(externalCustomerId)}`);
}

/** Creates members and enrolls them in the program. @throws where one is refused */
export async function addMembers(
  client: Client,
  credentials: Credentials,
  externalCustomerIds: readonly string[],
): Promise<void> {
  await Promise.all(
    externalCustomerIds.map(async (id) => {
      for (const sent of [createMember(credentials, id), enroll(credentials, id)]) {
        const { status, text } = await client.send(sent);
        if (status !== 201) throw new Error(`${sent.path} answered ${status} ${text}`);
      }
    }),
  );
}

/** A REST engagement event, by default a review. */
export function engage(credentials: Credentials, event: object, idempotencyKey: string): Sent {
  const attributes = { sku: 'house-blend', stars: 5 };
  const body = { type: 'review', sourceReference: `event ${idempotencyKey}`, attributes, ...event };
  return rest(credentials, 'POST', '/custom-events', body, idempotencyKey);
}

/** A REST claim of a choice, by default the filters among the gifts. */
export function choose(credentials: Credentials, choice: object, idempotencyKey: string): Sent {
  const sourceReference = `choice ${idempotencyKey}`;
  const body = { choiceSetId: 'gifts', rewardId: 'filters', sourceReference, ...choice };
  return rest(credentials, 'POST', '/choice-benefits', body, idempotencyKey);
}

/** A quote of a reward, by default `free-coffee`. */
export function quote(credentials: Credentials, change: object, idempotencyKey: string): Sent {
  const body = { programId, rewardId: 'free-coffee', sourceReference: `for ${idempotencyKey}`, ...change };
  return rest(credentials, 'POST', '/redemptions/quote', body, idempotencyKey);
}

export function reserve(credentials: Credentials, quoteId: string, idempotencyKey: string): Sent {
  return rest(credentials, 'POST', '/redemptions/reserve', { quoteId }, idempotencyKey);
}

/** @param act such as `commit`, or `disputes` */
export function onReservation(
  credentials: Credentials,
  reservationId: string,
  act: string,
  body: object,
  idempotencyKey: string,
): Sent {
  return rest(credentials, 'POST', `/redemptions/${reservationId}/${act}`, body, idempotencyKey);
}

/** Quotes and reserves. @returns the reservation's id. @throws where it is refused */
export async function hold(
  client: Client,
  credentials: Credentials,
  change: object,
  idempotencyKey: string,
): Promise<string> {
  const quoted = await client.send(quote(credentials, change, idempotencyKey));
  const { id: quoteId } = (quoted.body.quote ?? {}) as { id?: string };
  if (!quoteId) throw new Error(quoted.text);
  const held = await client.send(reserve(credentials, quoteId, idempotencyKey));
  const { id } = (held.body.reservation ?? {}) as { id?: string };
  if (!id) throw new Error(held.text);
  return id;
}

/** Quotes, reserves and commits. @returns the reservation's id. @throws where it is refused */
export async function redeem(
  client: Client,
  credentials: Credentials,
  change: object,
  idempotencyKey: string,
): Promise<string> {
  const id = await hold(client, credentials, change, idempotencyKey);
  const body = { authorizationReference: 'auth-1' };
  const { status, text } = await client.send(onReservation(credentials, id, 'commit', body, idempotencyKey));
  if (status !== 200) throw new Error(text);
  return id;
}
