import type { Credential } from '../../auth/credential.ts';
import type { Refusal } from '../../refusal.ts';
import { refusalError } from '../errors/errors.ts';
import type { GraphqlRequest } from './graphql-request.ts';

/** The refusal of a command that would be refused anyway because too many wait; null where it may go on. */
export type RefuseCommand = (credential: Credential) => Refusal | null;

/**
 * Refuses a request whose operation is a mutation while too many commands wait. Queries go on.
 * @throws RefusalError
 */
export function checkOverload(
  { operation, credential, requestId }: Pick<GraphqlRequest, 'operation' | 'credential' | 'requestId'>,
  refuseCommand: RefuseCommand,
): void {
  const refusal = operation?.kind === 'mutation' ? refuseCommand(credential) : null;
  if (refusal) throw refusalError(refusal, requestId);
}
