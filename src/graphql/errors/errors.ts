import { GraphQLError } from 'graphql';
import { type ErrorCode, httpStatusOf } from '../../contract/generated/error-codes.ts';
import type { Detail, Refusal } from '../../refusal.ts';

/** The `extensions` of every error that the GraphQL endpoint returns. */
export interface ErrorExtensions {
  code: ErrorCode;
  /** The status of the same refusal in REST; the status of the HTTP response may be 200. */
  httpStatus: number;
  requestId: string;
  details?: Detail[];
  /** After how long the field may be sent again, where that is not the window of the credential's rate limit. */
  retryAfterSeconds?: number;
}

/** A refusal as the error of a GraphQL field. Resolvers throw it; message and details reach the client unchanged. */
export class RefusalError extends GraphQLError {
  readonly refusal: Refusal;

  /** @param cause the error of graphql-js behind the refusal, if its position in the document is to be shown */
  constructor(refusal: Refusal, requestId: string, cause?: GraphQLError) {
    super(refusal.message, {
      extensions: { ...extensionsOf(refusal, requestId) },
      source: cause?.source,
      positions: cause?.positions,
    });
    this.refusal = refusal;
  }
}

/** Makes the error that a resolver throws for a refusal. */
export function refusalError(refusal: Refusal, requestId: string): RefusalError {
  return new RefusalError(refusal, requestId);
}

/** The `extensions` of a refusal. */
export function extensionsOf(refusal: Refusal, requestId: string): ErrorExtensions {
  const { code, details, retryAfterSeconds } = refusal;
  const extensions: ErrorExtensions = { code, httpStatus: httpStatusOf[code], requestId };
  if (details) extensions.details = details;
  if (retryAfterSeconds !== undefined) extensions.retryAfterSeconds = retryAfterSeconds;
  return extensions;
}
