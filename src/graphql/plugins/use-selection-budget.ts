import type { Plugin } from 'graphql-yoga';
import { refuse } from '../../refusal.ts';
import { refusalError } from '../errors/errors.ts';
import type { GraphqlRequest } from '../execution/graphql-request.ts';

export const selectionLimit = 500;
const aliasLimit = 30;

const tooManySelections = refuse(
  'budget_exceeded',
  `The operation selects more than ${selectionLimit} fields`,
);
const tooManyAliases = refuse('budget_exceeded', `The operation has more than ${aliasLimit} aliases`);

/** Limits an operation to 500 selected fields and 30 aliases, each counted as often as its fragment is spread. */
export function useSelectionBudget(): Plugin<GraphqlRequest, GraphqlRequest> {
  return {
    onValidate({ context: { operation, requestId } }) {
      if (operation === null) return;
      if (operation.selections > selectionLimit) throw refusalError(tooManySelections, requestId);
      if (operation.aliases > aliasLimit) throw refusalError(tooManyAliases, requestId);
    },
  };
}
