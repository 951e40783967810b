import type { GraphQLParams } from 'graphql-yoga';
import type { Authenticate } from '../auth/credential.ts';
import { inContractWords } from '../http/json-violations.ts';
import type { RateVerdict } from '../http/rate-limit.ts';
import { readJsonBody } from '../http/read-json-body.ts';
import { parseStrictJson } from '../http/strict-json.ts';
import { type Detail, isRefusal, type Refusal, refuse } from '../refusal.ts';
import { refusalError } from './errors/errors.ts';
import type { GraphqlRequest } from './execution/graphql-request.ts';
import { overLimit } from './execution/rate-unit.ts';
import { findVariableDetails } from './schema/variable-details.ts';

export const bodyLimitBytes = 65_536;

const postOnly = refuse('method_not_allowed', 'The GraphQL endpoint takes POST alone');

/** What requests are admitted by, before their bodies are read. */
export interface Gate {
  authenticate: Authenticate;
  /** The rate verdict that refuses a key which is known to have no unit left; null if it may have one. */
  exhaustedRate(keyId: string): RateVerdict | null;
}

/**
 * Reads what a request asks for, and stores its credential in it. In this order:
 * 1. Every method but POST is refused with 405: a query in a URL would end up in logs and caches.
 * 2. The request is authenticated, before any byte of its body is read.
 * 3. A key that has no unit of its rate limit left is refused.
 * 4. The body is `application/json`, of at most 65,536 bytes, with one strict JSON object. Values that the contract
 *   does not allow (NUL, lone surrogates, integers beyond 2^53-1) are refused with `validation_failed` inside the
 *   variables, as in REST, and with `invalid_request` anywhere else.
 * 5. The object is `{query, operationName?, variables?}`. `extensions` is accepted and ignored, as GraphQL over HTTP
 *   requires. Optional members may be null.
 * @throws RefusalError
 */
export async function readParams(request: GraphqlRequest, gate: Gate): Promise<GraphQLParams> {
  const { req, res, requestId } = request;
  if (req.method !== 'POST') throw refusalError(postOnly, requestId);
  const { authorization, 'x-environment': environment } = req.headers;
  const credential = await request.workLimit.wait(
    gate.authenticate(authorization, typeof environment === 'string' ? environment : undefined),
  );
  if (isRefusal(credential)) throw refusalError(credential, requestId);
  request.authenticated = credential;
  request.rateVerdict = gate.exhaustedRate(credential.keyId);
  if (request.rateVerdict) throw refusalError(overLimit(request.rateVerdict), requestId);
  const bytes = await readJsonBody(req, res, bodyLimitBytes);
  if (isRefusal(bytes)) throw refusalError(bytes, requestId);
  const params = paramsIn(bytes);
  if (isRefusal(params)) throw refusalError(params, requestId);
  return params;
}

function paramsIn(bytes: Uint8Array): GraphQLParams | Refusal {
  const body = parseStrictJson(bytes);
  if (!body.ok) return refuse('invalid_json', body.message);
  if (body.violations.length > 0) {
    return refuseValues(inContractWords(body.violations, findVariableDetails(body.value)));
  }
  return refuseShape(body.value) ?? body.value;
}

function refuseValues(violations: Detail[]): Refusal {
  const first = `: ${violations[0]?.path} ${violations[0]?.message}`;
  if (violations.every(({ path }) => path.startsWith('variables.') || path.startsWith('variables['))) {
    return refuse('validation_failed', `The variables have values that are not allowed${first}`, violations);
  }
  return refuse('invalid_request', `The body has values that are not allowed${first}`, violations);
}

function refuseShape(body: Readonly<Record<string, unknown>>): Refusal | null {
  for (const member of Object.keys(body)) {
    const value = body[member];
    switch (member) {
      case 'query':
        break;
      case 'operationName':
        if (value !== null && typeof value !== 'string') return invalid(member, 'must be a string');
        break;
      case 'variables':
      case 'extensions':
        if (typeof value !== 'object' || Array.isArray(value)) return invalid(member, 'must be an object');
        break;
      default:
        return invalid(member, 'is not known here');
    }
  }
  if (typeof body.query !== 'string' || body.query.trim() === '') {
    return invalid('query', 'must be a string that is not empty');
  }
  return null;
}

function invalid(path: string, message: string): Refusal {
  return refuse(
    'invalid_request',
    `The body is not {query, operationName?, variables?}: ${path} ${message}`,
    [{ path, message }],
  );
}
