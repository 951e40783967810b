import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { type Detail, refuse } from '../../refusal.ts';
import { type ErrorExtensions, extensionsOf, RefusalError } from '../errors/errors.ts';
import { refuseUnavailable } from '../errors/unavailable.ts';
import type { GraphqlRequest } from './graphql-request.ts';

/** The part of a pino logger that the endpoint writes to. */
export interface ErrorLog {
  error(fields: object, message: string): void;
}

/** An error as it leaves the endpoint: its extensions are always complete. */
export interface FormattedError extends GraphQLFormattedError {
  extensions: ErrorExtensions & Record<string, unknown>;
}

/** Enough to mend a request by, for mistakes in a document as in its variables; each costs the time of its message. */
export const errorLimit = 20;
const messageLimit = 300;
const locationLimit = 20;

const internal = refuse('internal_error', 'Internal error');

/**
 * Formats the errors of a result. A refusal shows its message and details; what the client's document or variables
 * got wrong shows the message of graphql-js; everything else is logged, and leaves as `unavailable` where it will pass
 * and as "Internal error" elsewhere. What repeats the request is cut, so that an answer is never many times as long as
 * its request.
 */
export function formatErrors(
  errors: readonly GraphQLError[],
  request: GraphqlRequest,
  log: ErrorLog,
): FormattedError[] {
  return errors.map((error) => formatError(error, request, log));
}

function formatError(error: GraphQLError, request: GraphqlRequest, log: ErrorLog): FormattedError {
  const { requestId } = request;
  const refusal = refusalBehind(error);
  if (refusal) return formatted(refusal.message, error, extensionsOf(refusal.refusal, requestId));
  if (isClientMistake(error, request)) {
    const message = showsSuggestions(request) ? error.message : withoutSuggestion(error.message);
    return formatted(message, error, extensionsOf(refuse('graphql_validation_failed', message), requestId));
  }
  const cause = error.originalError ?? error;
  log.error({ err: cause, path: error.path, requestId }, 'A GraphQL request failed');
  const told = refuseUnavailable(cause) ?? internal;
  return formatted(told.message, error, extensionsOf(told, requestId));
}

function refusalBehind(error: GraphQLError): RefusalError | null {
  if (error instanceof RefusalError) return error;
  return error.originalError instanceof RefusalError ? error.originalError : null;
}

/**
 * A document that is not valid is the client's mistake whatever the error. Later, what comes of coercing variables and
 * arguments points into the document before it has a path in the result; what a resolver or the completion of a value
 * throws points nowhere by itself.
 */
function isClientMistake(error: GraphQLError, { document }: GraphqlRequest): boolean {
  if (document?.validationErrors?.length) return true;
  if (error.path === undefined) return error.nodes !== undefined;
  const thrown = error.originalError;
  return thrown instanceof GraphQLError && thrown.nodes !== undefined;
}

function formatted(message: string, error: GraphQLError, extensions: ErrorExtensions): FormattedError {
  const result: { -readonly [Key in keyof FormattedError]: FormattedError[Key] } = {
    message: cut(message),
    extensions: { ...extensions },
  };
  if (extensions.details) result.extensions.details = extensions.details.map(cutDetail);
  if (error.locations) result.locations = error.locations.slice(0, locationLimit);
  if (error.path) result.path = error.path;
  return result;
}

function cutDetail({ path, message }: Detail): Detail {
  return { path: cut(path), message: cut(message) };
}

function cut(text: string): string {
  if (text.length <= messageLimit) return text;
  // Half of a surrogate pair would not survive UTF-8.
  return `${text.slice(0, messageLimit - 1).toWellFormed()}…`;
}

function showsSuggestions(request: GraphqlRequest): boolean {
  return request.credential.environmentKind === 'sandbox';
}

/** graphql-js ends some messages with names of the schema: "Did you mean "id"?". Production does not tell. */
function withoutSuggestion(message: string): string {
  return message.replace(/ Did you mean .*$/s, '');
}
