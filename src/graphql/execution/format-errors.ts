import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { type Detail, refuse } from '../../refusal.ts';
import { type ErrorExtensions, extensionsOf, RefusalError } from '../errors/errors.ts';
import { cutMessage, locationLimit } from '../errors/kept-errors.ts';
import { refuseUnavailable } from '../errors/unavailable.ts';
import type { GraphqlRequest } from './graphql-request.ts';

/** The part of a pino logger that the endpoint writes to. */
export interface ErrorLog {
  error(fields: object, message: string): void;
}

/** An error as the endpoint sends it: its extensions are always complete. */
export interface FormattedError extends GraphQLFormattedError {
  extensions: ErrorExtensions & Record<string, unknown>;
}

/**
 * The operations of REST, such as `POST /api/v1/members`, by the fields that GraphQL lacks: `Mutation.createMember`.
 */
export type RestOnlyFields = ReadonlyMap<string, string>;

/** The most errors of a document, or of its variables, that a response lists: building each message takes time. */
export const errorLimit = 20;

const internal = refuse('internal_error', 'Internal error');

/**
 * Formats the errors of a result. A refusal keeps its message and details. An error in the client's document or
 * variables keeps the message of graphql-js; where introspection is open, a field that only REST serves is named with
 * its path there. Every other error is logged and sent as `unavailable` if it is temporary, else as "Internal error".
 * Messages, details and locations, which can repeat the request, are cut, so that a response is never many times as
 * long as its request.
 */
export function formatErrors(
  errors: readonly GraphQLError[],
  request: GraphqlRequest,
  log: ErrorLog,
  restOnly: RestOnlyFields,
): FormattedError[] {
  return errors.map((error) => formatError(error, request, log, restOnly));
}

function formatError(
  error: GraphQLError,
  request: GraphqlRequest,
  log: ErrorLog,
  restOnly: RestOnlyFields,
): FormattedError {
  const { requestId } = request;
  const refusal = refusalBehind(error);
  if (refusal) return formatted(refusal.message, error, extensionsOf(refusal.refusal, requestId));
  if (isClientMistake(error, request)) {
    const plain = withoutSuggestion(error.message);
    const message = showsSuggestions(request) ? (restHint(plain, restOnly) ?? error.message) : plain;
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
 * Whether an error is the client's mistake. Every error of an invalid document is. In a valid one, the errors of
 * coercing variables and arguments refer to nodes of the document by themselves. What a resolver or the completion of a
 * value throws does not.
 */
function isClientMistake(error: GraphQLError, { document }: GraphqlRequest): boolean {
  if (document?.validationErrors?.length) return true;
  if (error.path === undefined) return error.nodes !== undefined;
  const thrown = error.originalError;
  return thrown instanceof GraphQLError && thrown.nodes !== undefined;
}

function formatted(message: string, error: GraphQLError, extensions: ErrorExtensions): FormattedError {
  const result: { -readonly [Key in keyof FormattedError]: FormattedError[Key] } = {
    message: cutMessage(message),
    extensions: { ...extensions },
  };
  if (extensions.details) result.extensions.details = extensions.details.map(cutDetail);
  if (error.locations) result.locations = error.locations.slice(0, locationLimit);
  if (error.path) result.path = error.path;
  return result;
}

function cutDetail({ path, message }: Detail): Detail {
  return { path: cutMessage(path), message: cutMessage(message) };
}

function showsSuggestions(request: GraphqlRequest): boolean {
  return request.credential.environmentKind === 'sandbox';
}

const unknownField = /^Cannot query field "(\w+)" on type "(\w+)"\./;

/** The message for a field that only REST serves, with its path there; null for any other error. */
function restHint(message: string, restOnly: RestOnlyFields): string | null {
  const [, field, type] = unknownField.exec(message) ?? [];
  const operation = restOnly.get(`${type}.${field}`);
  return operation ? `${message} ${field} is served by REST: ${operation}` : null;
}

/** Production does not show the names of the schema with which graphql-js ends some messages: "Did you mean "id"?". */
function withoutSuggestion(message: string): string {
  return message.replace(/ Did you mean .*$/s, '');
}
