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
  /** Of a 429 or 503: how long the caller should wait. Default: 1. */
  retryAfterSeconds?: number;
}

/** Whether a request may continue. `headers` are sent with the response in both cases: RateLimit, Retry-After. */
export type Admission =
  | { ok: true; context: unknown; headers: Readonly<Record<string, string>> }
  | { ok: false; failure: Failure; headers: Readonly<Record<string, string>> };

/** A parsed body; `violations` are values that JSON allows and the contract does not. */
export type ParsedJson =
  | { ok: true; value: Record<string, unknown>; violations: Detail[] }
  | { ok: false; message: string };

/** What a request wants, as far as its method and its path say. */
export interface Requirements {
  /** Whether it is a command, and no read. */
  isCommand: boolean;
  /** The scopes of which a key needs one; empty for sessions of widgets and of people, and for customers. */
  scopes: readonly string[];
  /** Whether it is about whoever has signed in, whatever the environment. */
  forPeople: boolean;
  /** The parameters of the path, still URL-encoded. */
  parameters: Readonly<Record<string, string>>;
}

/** Runs the one operation of a prepared document. */
export type Execute = (
  variables: Record<string, unknown>,
  context: unknown,
) => Promise<ExecutionResult> | ExecutionResult;

/** The time that the server may work on one request. */
export interface WorkLimit {
  /** Waits for work, for as long as the request has left. @throws where none is left; `reportError` knows the error */
  wait<T>(work: Promise<T>): Promise<T>;
}

/** What the adapter needs of the server that it is part of. It uses nothing else of the server. */
export interface Host {
  newRequestId(): string;
  /** The time for a request that begins now. */
  limitWork(): WorkLimit;
  /**
   * Authenticates the request, refuses a command where too many wait, counts the request and checks the scopes (any one
   * of them is enough), in this order. It may change the headers that the response has already.
   * @returns the context that `Execute` takes, or unauthorized, overloaded, rate_limited, insufficient_scope; of a
   *   widget's request also deployment_not_found, origin_not_allowed
   */
  admit(
    request: IncomingMessage,
    requirements: Requirements,
    requestId: string,
    response: ServerResponse,
  ): Promise<Admission>;
  /**
   * Reads a body.
   * @param mediaTypes those that it may have. Default: that of JSON alone
   * @returns its bytes; else unsupported_media_type, which is checked first, payload_too_large, or invalid_json for a
   *   body that ended early
   */
  readBody(
    request: IncomingMessage,
    response: ServerResponse,
    limitBytes: number,
    mediaTypes?: readonly string[],
  ): Promise<Uint8Array | Failure>;
  /** Reads and discards, up to a limit, the body of a request that was refused before its body was read. */
  discardBody(request: IncomingMessage, response: ServerResponse, limitBytes: number): void;
  /** Parses one strict UTF-8 JSON object. */
  parseJson(bytes: Uint8Array): ParsedJson;
  /** Compiles a JSON Schema, at boot. */
  compileSchema(schema: object): (value: unknown) => Detail[];
  /** Validates a document against the executable schema, at boot. @throws Error if it is not valid */
  prepare(document: DocumentNode): Execute;
  /** Called with the code of every error response, and with the operation of its route where one was found. */
  reportRefusal(response: ServerResponse, code: ErrorCode, operation?: string): void;
  /**
   * Called with every error that is not a refusal.
   * @returns what the client gets for it: unavailable if the error is temporary, else internal_error
   */
  reportError(error: unknown, requestId: string): Failure;
}
