import type { IncomingMessage } from 'node:http';
import type { Exchange } from './exchange.ts';
import type { Detail, Failure } from './host.ts';
import { percentDecode } from './percent-decode.ts';
import { parseInteger, placeQuery, type QuerySchema, readQuery } from './query-parameters.ts';
import { readIdempotencyKey, readVersion } from './request-headers.ts';
import type { Route } from './route.ts';

/** Largest body: 128 KiB. */
export const BODY_LIMIT_BYTES = 131_072;

/**
 * Largest body of a request that brings no key of a merchant's server, which anybody may send: 8 KiB. Messages of
 * agents and actions of widgets are far smaller.
 */
export const KEYLESS_BODY_LIMIT_BYTES = 8_192;

/** Stands for the body of a request that may come without one. */
const NO_PROPERTIES = Buffer.from('{}');

/** The idempotency key of what changes nothing. It is not stored. */
const NO_CHANGE = 'changes-nothing';

/** The most violations that a response lists. */
const MAX_DETAILS = 20;

/** What a route needs to read its requests, made once at boot. */
export interface InputReader {
  route: Route;
  /** The parameters of the path that are whole numbers. */
  pathIntegers: ReadonlySet<string>;
  /** Checks the decoded parameters of the path. */
  validatePath(value: unknown): Detail[];
  /** The parameters that the query string may have; null if it may have none. */
  querySchema: QuerySchema | null;
  /** Checks the parameters of the query string. */
  validateQuery(value: unknown): Detail[];
  /** Checks the body; null if the route takes none. */
  validateBody: ((value: unknown) => Detail[]) | null;
  /** Names of the members that a body must have. */
  bodyFields: readonly string[];
}

/** The variables of a route's document, or why the request is refused. */
export type Variables = { ok: true; variables: Record<string, unknown> } | { ok: false; failure: Failure };

/**
 * Reads a request's variables from its path, query string, body and headers. The checks of a body come in the order
 * that the decisions fix: media type, size, JSON, idempotency key, shape.
 * @param parameters the path's parameters, still URL-encoded, by their names in the path
 * @param query the query string without its question mark
 */
export async function readVariables(
  { request, response, host }: Pick<Exchange, 'request' | 'response' | 'host'>,
  reader: InputReader,
  parameters: Readonly<Record<string, string>>,
  query: string,
): Promise<Variables> {
  const { route, validateBody } = reader;
  if (route.textBody) return readText({ request, response, host }, reader, { parameters, query });
  if (!validateBody) {
    const values: Record<string, unknown> = {};
    const details = [...readPath(reader, parameters, values), ...readParameters(reader, query, values)];
    return details.length > 0 ? violated(route, details) : { ok: true, variables: values };
  }
  const bytes =
    route.bodyOptional && hasNoBody(request)
      ? NO_PROPERTIES
      : await host.readBody(request, response, route.bodyLimitBytes ?? BODY_LIMIT_BYTES);
  if (!(bytes instanceof Uint8Array)) {
    const isBare = bytes.code === 'unsupported_media_type' && hasNoBody(request);
    const message = isBare ? `${bytes.message} ${emptyBody(reader)}` : bytes.message;
    return { ok: false, failure: { code: bytes.code, message } };
  }
  if (bytes.length === 0) return { ok: false, failure: { code: 'invalid_json', message: emptyBody(reader) } };
  const body = host.parseJson(bytes);
  if (!body.ok) return { ok: false, failure: { code: 'invalid_json', message: body.message } };
  const input: Record<string, unknown> = {};
  if (route.missingKeyStatus !== undefined) {
    const idempotencyKey = readIdempotencyKey(request.headers['idempotency-key']);
    if (idempotencyKey === null) return { ok: false, failure: missingKey };
    input.idempotencyKey = idempotencyKey;
  }
  const refusedList = nonEmptyList(route, body.value);
  if (refusedList) return { ok: false, failure: refusedList };
  const { details } = readQuery(query, null);
  // Of one value, what the contract says comes first: it knows which bounds hold for a number.
  details.push(...readPath(reader, parameters, input), ...validateBody(body.value), ...body.violations);
  if (details.length > 0) return violated(route, details);
  for (const name in body.value) {
    if (route.constants?.[name] === undefined) input[name] = body.value[name];
  }
  return { ok: true, variables: { input } };
}

/** Reads the variables of a mutation whose body is the text of a document. */
async function readText(
  { request, response, host }: Pick<Exchange, 'request' | 'response' | 'host'>,
  reader: InputReader,
  { parameters, query }: { parameters: Readonly<Record<string, string>>; query: string },
): Promise<Variables> {
  const { route } = reader;
  const { textBody, ifMatch, changesNothingWith } = route;
  if (!textBody) throw new Error(`${route.method} ${route.path} takes no text`);
  const bytes = await host.readBody(request, response, textBody.limitBytes, textBody.mediaTypes);
  if (!(bytes instanceof Uint8Array)) return { ok: false, failure: bytes };
  const input: Record<string, unknown> = {};
  const placed: Record<string, unknown> = { input };
  const details = [...readPath(reader, parameters, input), ...readParameters(reader, query, placed)];
  Object.assign(input, placed.input);
  const source = decodeText(bytes);
  if (source === null) details.push({ path: textBody.field, message: 'is not UTF-8' });
  else if (source === '')
    details.push({ path: textBody.field, message: 'is empty: the body is the document' });
  else input[textBody.field] = source;
  const version = request.headers['if-match'];
  if (ifMatch !== undefined && version !== undefined) {
    const expected = readVersion(version);
    if (expected === null) {
      details.push({ path: 'If-Match', message: 'has to be one version in double quotes, such as "3"' });
    }
    input[ifMatch] = expected;
  }
  const changes = changesNothingWith === undefined || input[changesNothingWith] !== true;
  const idempotencyKey = changes ? readIdempotencyKey(request.headers['idempotency-key']) : NO_CHANGE;
  if (idempotencyKey === null) return { ok: false, failure: missingKey };
  if (details.length > 0) return violated(route, details);
  return { ok: true, variables: { input: { ...input, idempotencyKey } } };
}

function decodeText(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function hasNoBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
}

function emptyBody({ route, bodyFields }: InputReader): string {
  const fields = bodyFields.length > 0 ? ` with ${bodyFields.join(', ')}` : '';
  return `The body is empty: ${route.method} takes a JSON object${fields}.`;
}

const missingKey: Failure = {
  code: 'idempotency_key_required',
  message:
    'Send one Idempotency-Key header: 1 to 255 visible ASCII characters ' +
    'without spaces that identify the business event.',
};

/** Decodes the path's parameters into `values`, under their names in the contract. */
function readPath(
  { route, validatePath, pathIntegers }: InputReader,
  parameters: Readonly<Record<string, string>>,
  values: Record<string, unknown>,
): Detail[] {
  const decoded: Record<string, unknown> = {};
  for (const name in parameters) {
    const text = percentDecode(parameters[name] ?? '');
    if (text === null) return [{ path: name, message: 'is not percent-encoded UTF-8' }];
    const value = pathIntegers.has(name) ? parseInteger(text) : text;
    decoded[name] = value;
    values[route.pathNames?.[name] ?? name] = value;
  }
  return validatePath(decoded);
}

/** Reads the query string into `values`. The details list errors of its form first, then errors of its values. */
function readParameters(
  { route, querySchema, validateQuery }: InputReader,
  query: string,
  values: Record<string, unknown>,
): Detail[] {
  const read = readQuery(query, querySchema);
  placeQuery(read.values, route.query ?? {}, values);
  return [...read.details, ...validateQuery(read.values)];
}

function nonEmptyList({ emptyList }: Route, body: Record<string, unknown>): Failure | null {
  if (!emptyList) return null;
  const value = body[emptyList.field];
  return Array.isArray(value) && value.length > 0
    ? { code: emptyList.code, message: emptyList.message }
    : null;
}

function violated(route: Route, details: Detail[]): Variables {
  const paths = new Set<string>();
  const first = details.filter(({ path }) => !paths.has(path) && paths.add(path)).slice(0, MAX_DETAILS);
  const message = `The request violates the contract: ${first[0]?.path} ${first[0]?.message}.`;
  return { ok: false, failure: { code: route.violationCode, message, details: first } };
}
