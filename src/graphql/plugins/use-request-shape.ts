import type { Plugin } from 'graphql-yoga';
import { type Refusal, refuse } from '../../refusal.ts';
import { refusalError } from '../errors/errors.ts';
import type { GraphqlRequest } from '../execution/graphql-request.ts';

/**
 * Takes only bodies `{query, operationName?, variables?}`. `extensions` is accepted and ignored, as GraphQL over HTTP
 * requires. Optional members may be null.
 */
export function useRequestShape(): Plugin<GraphqlRequest, GraphqlRequest> {
  return {
    onParams({ params, context }) {
      const refusal = refuseShape(params as Readonly<Record<string, unknown>>);
      if (refusal) throw refusalError(refusal, (context as GraphqlRequest).requestId);
    },
  };
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
