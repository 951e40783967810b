import type { IncomingMessage, ServerResponse } from 'node:http';
import type { DocumentNode, ExecutionResult } from 'graphql';
import type { ErrorCode } from './generated/error-codes.ts';

/** One violated rule of an input: a path such as `items[2].quantity`, and what is wrong there. */
export interface Detail {
  path: string;
  message: string;
}

/** Why a request is refused. */
export interface Failure {
  code: ErrorCode;
  message: string;
  details?: Detail[];
}

/** Whether a request may go on. `headers` go out with the answer either way: RateLimit, Retry-After. */
export type Admission =
  | { ok: true; context: unknown; headers: Readonly<Record<string, string>> }
  | { ok: false; failure: Failure; headers: Readonly<Record<string, string>> };

/** A parsed body; `violations` are values that JSON allows and the contract does not. */
export type ParsedJson =
  | { ok: true; value: Record<string, unknown>; violations: Detail[] }
  | { ok: false; message: string };

/** Runs the one operation of a prepared document. */
export type Execute = (
  variables: Record<string, unknown>,
  context: unknown,
) => Promise<ExecutionResult> | ExecutionResult;

/** What the adapter needs of the server that it is part of. It knows nothing else of it. */
export interface Host {
  newRequestId(): string;
  /**
   * Checks who asks, counts the request and checks the scopes (any of them is enough), in this order.
   * @returns the context that `Execute` takes, or unauthorized, rate_limited, insufficient_scope
   */
  admit(request: IncomingMessage, scopes: readonly string[], requestId: string): Promise<Admission>;
  /** Reads a JSON body. @returns its bytes, or unsupported_media_type before payload_too_large */
  readBody(
    request: IncomingMessage,
    response: ServerResponse,
    limitBytes: number,
  ): Promise<Uint8Array | Failure>;
  /** Reads and throws away the body of a request that is refused before it, within bounds. */
  discardBody(request: IncomingMessage, response: ServerResponse, limitBytes: number): void;
  /** Parses one strict UTF-8 JSON object. */
  parseJson(bytes: Uint8Array): ParsedJson;
  /** Compiles a JSON Schema, at boot. */
  compileSchema(schema: object): (value: unknown) => Detail[];
  /** Validates a document against the executable schema, at boot. @throws Error where it does not fit */
  prepare(document: DocumentNode): Execute;
  /** Told of the code of every answer that is an error. */
  reportRefusal(response: ServerResponse, code: ErrorCode): void;
  /**
   * Told of every error that is no refusal.
   * @returns what a client sees of it: internal_error, or unavailable where it will pass
   */
  reportError(error: unknown, requestId: string): Failure;
}
