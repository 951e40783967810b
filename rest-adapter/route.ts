import type { documents } from './generated/documents.ts';
import type { ErrorCode } from './generated/error-codes.ts';

/** Whether a route is that of a command, which the ledger's writer carries out under an idempotency key. */
export function isCommand({ missingKeyStatus, keyInBody, managed }: Route): boolean {
  return !managed && (missingKeyStatus !== undefined || keyInBody === true);
}

/** One operation of a REST API, under the prefix of its surface. */
export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** `{name}` matches one segment; its decoded value is the input field or argument of that name. */
  path: string;
  /** For parameters that are named differently in the path: the name in the contract, by the name in the path. */
  pathNames?: Readonly<Record<string, string>>;
  /**
   * The query parameters of a read: for each name its place in the variables. A place is an argument, or a
   * field of one, such as `filter.programId`; the SDL says which values it takes.
   */
  query?: Readonly<Record<string, string>>;
  /**
   * Name of the root field in the SDL, of the document in rest-adapter/documents, and of the document's one operation.
   */
  operation: keyof typeof documents;
  /** Values that the body must have and that the operation implies: checked, not passed on. */
  constants?: Readonly<Record<string, string | boolean>>;
  /** Status of a success: of a new effect; and of a replay, or where what is asked for exists already. */
  status: { fresh: 200 | 201 | 202; repeated: 200 };
  /**
   * Status of the response to a mutation without Idempotency-Key. Absent for reads, also for a read with a body, and
   * where the key is in the body.
   */
  missingKeyStatus?: 400 | 422;
  /** True where the idempotency key is a property of the body, and no header. */
  keyInBody?: true;
  /**
   * True for a mutation that changes how the environment is set up, on connections of its own: it goes on while the
   * ledger's writer has too much to do.
   */
  managed?: true;
  /** True for a mutation without properties of its own, which may be sent without a body. */
  bodyOptional?: true;
  /** The largest body, where it is smaller than that of other routes. */
  bodyLimitBytes?: number;
  /**
   * Of a mutation whose body is the text of a document, which is its input's field of this name. The other fields come
   * from the path, from `query` (`input.note`) and from headers.
   */
  textBody?: { field: string; mediaTypes: readonly string[]; limitBytes: number };
  /** The field of the input that `If-Match` gives: a whole number, which the header has in double quotes. */
  ifMatch?: string;
  /** The query parameter whose `true` has the mutation change nothing, so that it needs no idempotency key. */
  changesNothingWith?: string;
  /** Code of the 422 for a body that violates the contract. */
  violationCode: Extract<ErrorCode, 'validation_failed' | 'invalid_event'>;
  /**
   * A list of the body that must be empty, and the code of the refusal otherwise; it precedes all other errors of the
   * body.
   */
  emptyList?: { field: string; code: ErrorCode; message: string };
}
