import type { Plugin } from 'graphql-yoga';
import { refuse } from '../../refusal.ts';
import { refusalError } from '../errors/errors.ts';
import type { GraphqlRequest } from '../execution/graphql-request.ts';

const otherThanOne = refuse('single_command_required', 'A mutation holds exactly one command');
const conditional = refuse('single_command_required', 'A command stands under no @skip and no @include');

/**
 * A mutation is exactly one command, counted with fragments spread out and whatever the aliases: the same field twice
 * is two, though graphql-js would merge them into one. Whether it runs never depends on a variable.
 */
export function useSingleCommand(): Plugin<GraphqlRequest, GraphqlRequest> {
  return {
    onValidate({ context: { operation, requestId } }) {
      if (operation?.kind !== 'mutation') return;
      if (operation.fields !== 1) throw refusalError(otherThanOne, requestId);
      if (operation.conditional) throw refusalError(conditional, requestId);
    },
  };
}
