import type { documents } from './generated/documents.ts';
import type { ErrorCode } from './generated/error-codes.ts';

/** One operation of the REST API, under the prefix /api/v1. */
export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** `{name}` takes one segment, URL-decoded, for the input field or argument of that name. */
  path: string;
  /** Where the path calls an input field or argument otherwise: its name in the contract, by its name in the path. */
  pathNames?: Readonly<Record<string, string>>;
  /**
   * What a read takes in its query string: where each parameter goes, by its name there. A place is an argument, or a
   * field of one, such as `filter.programId`; the SDL says what may stand in it.
   */
  query?: Readonly<Record<string, string>>;
  /** SDL name of the root field, of rest-adapter/documents and of its one operation. */
  operation: keyof typeof documents;
  /** Values that the body must carry, which the operation itself implies: checked, not forwarded. */
  constants?: Readonly<Record<string, string>>;
  /** Success status of the first time, and of a replay or of what was there already. */
  status: { fresh: 200 | 201; repeated: 200 };
  /**
   * Mutations need an Idempotency-Key; without one they are answered with this status. Of a read it is absent, whether
   * the read takes a body or not.
   */
  missingKeyStatus?: 400 | 422;
  /** The 422 of a body that violates the contract. */
  violationCode: Extract<ErrorCode, 'validation_failed' | 'invalid_event'>;
  /** A list that must be empty, and the code that refuses it otherwise, whatever else is wrong. */
  emptyList?: { field: string; code: ErrorCode; message: string };
  /** What the operation itself may refuse for, beyond what every route does: for openapi.json. */
  refusals: readonly ErrorCode[];
}
