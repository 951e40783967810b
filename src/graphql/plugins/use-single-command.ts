import type { Plugin } from 'graphql-yoga';
import { refuse } from '../../refusal.ts';
import { refusalError } from '../errors/errors.ts';
import type { GraphqlRequest } from '../execution/graphql-request.ts';

const otherThanOne = refuse(
  'single_command_required',
  'A mutation has exactly one command: send the others as requests of their own',
);
const conditional = refuse('single_command_required', 'A command stands under no @skip and no @include');

/**
 * Takes only mutations of exactly one command, counted with fragments expanded and regardless of aliases: the same
 * field twice counts as two, though graphql-js would merge them into one. `@skip` and `@include` are refused on it, so
 * that no variable decides whether it runs.
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
