import type { Plugin } from 'graphql-yoga';
import type { Credential } from '../../auth/credential.ts';
import type { Refusal } from '../../refusal.ts';
import { refusalError } from '../errors/errors.ts';
import type { GraphqlRequest } from '../execution/graphql-request.ts';

/** The refusal of a command that would be refused anyway because too many wait; null where it may go on. */
export type RefuseCommand = (credential: Credential) => Refusal | null;

/**
 * Refuses a mutation as soon as the document says that it is one, before it is validated and anything is looked up for it.
 * Queries go on.
 */
export function useOverloadRefusal(refuseCommand: RefuseCommand): Plugin<GraphqlRequest, GraphqlRequest> {
  return {
    onValidate({ context: { operation, credential, requestId } }) {
      const refusal = operation?.kind === 'mutation' ? refuseCommand(credential) : null;
      if (refusal) throw refusalError(refusal, requestId);
    },
  };
}
