import type { GraphQLParams, Plugin } from 'graphql-yoga';
import { inContractWords } from '../../http/json-violations.ts';
import { readJsonBody } from '../../http/read-json-body.ts';
import { parseStrictJson } from '../../http/strict-json.ts';
import { type Detail, isRefusal, refuse } from '../../refusal.ts';
import { refusalError } from '../errors/errors.ts';
import type { GraphqlRequest } from '../execution/graphql-request.ts';
import { findVariableDetails } from '../schema/variable-details.ts';

export const bodyLimitBytes = 65_536;

/**
 * Takes only bodies of `application/json`, of at most 65,536 bytes, with one strict JSON object. Yoga's own parsers,
 * which also take forms, multipart and bare GraphQL, never run. Values that the contract does not allow (NUL, lone
 * surrogates, integers beyond 2^53-1) are refused with `validation_failed` inside the variables, as in REST, and with
 * `invalid_request` anywhere else.
 */
export function useJsonBody(): Plugin<GraphqlRequest, GraphqlRequest> {
  return {
    onRequestParse({ serverContext, setRequestParser }) {
      setRequestParser(() => readParams(serverContext));
    },
  };
}

async function readParams({ req, res, requestId }: GraphqlRequest): Promise<GraphQLParams> {
  const bytes = await readJsonBody(req, res, bodyLimitBytes);
  if (isRefusal(bytes)) throw refusalError(bytes, requestId);
  const body = parseStrictJson(bytes);
  if (!body.ok) throw refusalError(refuse('invalid_json', body.message), requestId);
  if (body.violations.length > 0) {
    const violations = inContractWords(body.violations, findVariableDetails(body.value));
    throw refusalError(refuseValues(violations), requestId);
  }
  return body.value;
}

function refuseValues(violations: Detail[]) {
  const first = `: ${violations[0]?.path} ${violations[0]?.message}`;
  if (violations.every(({ path }) => path.startsWith('variables.') || path.startsWith('variables['))) {
    return refuse('validation_failed', `The variables have values that are not allowed${first}`, violations);
  }
  return refuse('invalid_request', `The body has values that are not allowed${first}`, violations);
}
