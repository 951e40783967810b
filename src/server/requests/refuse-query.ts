import type { IncomingMessage } from 'node:http';
import { readQuery } from '../../../rest-adapter/query-parameters.ts';
import { type Refusal, refuse } from '../../refusal.ts';

/** Refuses the query of a request to a path that takes none. @returns null where there is none */
export function refuseQuery({ url = '' }: IncomingMessage): Refusal | null {
  const [, query = ''] = url.split('?', 2);
  const { details } = readQuery(query, null);
  const [first] = details;
  if (!first) return null;
  const message = `The request violates the contract: ${first.path} ${first.message}.`;
  return refuse('validation_failed', message, details);
}
