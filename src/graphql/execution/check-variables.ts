import type { GraphQLError, GraphQLSchema, VariableDefinitionNode } from 'graphql';
import { refuse } from '../../refusal.ts';
import { refusalError } from '../errors/errors.ts';
import { findVariableErrors } from '../errors/variable-errors.ts';
import { errorLimit } from './format-errors.ts';

const tooManyErrors = refuse(
  'graphql_validation_failed',
  'Too many errors in the variables: the others are not listed',
);

/**
 * Checks that variables fit the types that the operation declares. The executor checks the same, but repeats the whole
 * value in each of up to fifty errors, and its error that there are more looks like an internal error.
 * @returns empty if all variables fit
 */
export function checkVariables(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[] | undefined,
  variables: Readonly<Record<string, unknown>>,
  requestId: string,
): GraphQLError[] {
  if (!definitions?.length) return [];
  const errors = findVariableErrors(schema, definitions, variables, errorLimit);
  if (errors.length === errorLimit) errors[errorLimit - 1] = refusalError(tooManyErrors, requestId);
  return errors;
}
