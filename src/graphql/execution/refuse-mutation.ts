import type { GraphQLError } from 'graphql';
import type { Credential } from '../../auth/credential.ts';
import type { Refusal } from '../../refusal.ts';
import { refusalError } from '../errors/errors.ts';
import type { GraphqlRequest } from './graphql-request.ts';

/** The refusal of a command that would be refused anyway because too many wait; null where it may go on. */
export type RefuseCommand = (credential: Credential) => Refusal | null;

/** The refusal of a mutation as soon as its document is known, before anything is looked up for it. Null for queries. */
export function refuseMutation(
  { operation, credential, requestId }: GraphqlRequest,
  refuseCommand: RefuseCommand,
): GraphQLError | null {
  const refusal = operation?.kind === 'mutation' ? refuseCommand(credential) : null;
  return refusal && refusalError(refusal, requestId);
}
