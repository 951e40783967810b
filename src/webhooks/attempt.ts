import type { Dispatcher } from 'undici';
import { AddressRefused } from './address-refused.ts';

/** What one attempt sends. */
export interface AttemptRequest {
  url: URL;
  headers: Readonly<Record<string, string>>;
  body: string;
}

export interface AttemptResult {
  delivered: boolean;
  durationMs: number;
  /** Null where no response came. */
  responseStatus: number | null;
  /** The first 1,000 characters of the response; null where no response came. */
  responseExcerpt: string | null;
  /** Why it failed, in a few words; null where it was delivered. */
  error: string | null;
  /** The Retry-After header as it came. */
  retryAfter: string | null;
}

/** The whole attempt, from connecting to the end of the response. */
const TIMEOUT_MS = 15_000;
const READ_LIMIT_BYTES = 65_536;
const EXCERPT_CHARACTERS = 1_000;
/** As many as the characters of an excerpt can have in UTF-8. */
const EXCERPT_BYTES = EXCERPT_CHARACTERS * 4;

/**
 * Makes one attempt. Only a status of 2xx is success. A redirect is a failure: it is not followed.
 * @param stopping ends the attempt when the process stops
 */
export function attempt(
  { url, headers, body }: AttemptRequest,
  dispatcher: Dispatcher,
  stopping: AbortSignal,
): Promise<AttemptResult> {
  return new Promise((resolve) => {
    const running = new RunningAttempt(resolve, stopping);
    if (stopping.aborted) return running.handleEvent();
    const { origin, pathname, search } = url;
    const options = { origin, path: pathname + search, method: 'POST' as const, headers, body };
    // The attempt has a timer of its own, so undici needs none.
    dispatcher.dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, running);
  });
}

/**
 * An attempt in the course of which undici calls it. It is a handler of `dispatch`, since `request` makes a stream of
 * each response, which costs more than all else of it. What comes after its end is ignored.
 */
class RunningAttempt implements Dispatcher.DispatchHandler {
  readonly #startedAt = performance.now();
  readonly #timer: NodeJS.Timeout;
  readonly #stopping: AbortSignal;
  #resolve: ((result: AttemptResult) => void) | null;
  #controller: Dispatcher.DispatchController | null = null;
  #status = 0;
  #retryAfter: string | null = null;
  readonly #excerpt: Buffer[] = [];
  #size = 0;

  constructor(resolve: (result: AttemptResult) => void, stopping: AbortSignal) {
    this.#resolve = resolve;
    this.#stopping = stopping;
    this.#timer = setTimeout(
      () => this.#cutOff(`No answer came within ${TIMEOUT_MS / 1_000} seconds.`),
      TIMEOUT_MS,
    );
    stopping.addEventListener('abort', this);
  }

  /** The process stops. */
  handleEvent(): void {
    this.#cutOff('This process stopped before an answer came.');
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // It waited for a connection until after its end.
    if (this.#resolve === null) this.#abort();
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    // Of 1xx, the response itself is still to come.
    if (status < 200) return;
    this.#status = status;
    const retryAfter = headers['retry-after'];
    if (typeof retryAfter === 'string') this.#retryAfter = retryAfter;
  }

  /** Reads at most READ_LIMIT_BYTES, and closes the connection where more comes. */
  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#size < EXCERPT_BYTES) this.#excerpt.push(chunk);
    this.#size += chunk.length;
    if (this.#size < READ_LIMIT_BYTES) return;
    this.#answered();
    this.#abort();
  }

  onResponseEnd(): void {
    this.#answered();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#failed(reasonOf(error));
  }

  #answered(): void {
    const delivered = this.#status >= 200 && this.#status < 300;
    this.#end({
      delivered,
      durationMs: this.#durationMs(),
      responseStatus: this.#status,
      responseExcerpt: this.#size === 0 ? '' : excerptOf(this.#excerpt),
      error: delivered ? null : `The receiver answered ${this.#status}.`,
      retryAfter: this.#retryAfter,
    });
  }

  #cutOff(error: string): void {
    this.#failed(error);
    this.#abort();
  }

  #failed(error: string): void {
    const none = { responseStatus: null, responseExcerpt: null, retryAfter: null };
    this.#end({ delivered: false, durationMs: this.#durationMs(), error, ...none });
  }

  #end(result: AttemptResult): void {
    clearTimeout(this.#timer);
    this.#stopping.removeEventListener('abort', this);
    this.#resolve?.(result);
    this.#resolve = null;
  }

  #abort(): void {
    this.#controller?.abort(new Error('The attempt is over.'));
  }

  #durationMs(): number {
    return Math.round(performance.now() - this.#startedAt);
  }
}

function excerptOf(chunks: readonly Buffer[]): string {
  const text = Buffer.concat(chunks).subarray(0, EXCERPT_BYTES).toString('utf8');
  // A NUL cannot be stored as text.
  return [...text].slice(0, EXCERPT_CHARACTERS).join('').replaceAll('\u0000', '\ufffd');
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was reset.',
  UND_ERR_SOCKET: 'The connection was closed before an answer came.',
  UND_ERR_CONNECT_TIMEOUT: 'No connection was made within 10 seconds.',
  UND_ERR_HEADERS_OVERFLOW: 'The headers of the answer are too large.',
  ERR_ANSWER_TOO_LONG: 'The answer, with its head, is longer than 256 KiB.',
  ERR_RECORDS_TOO_LONG: 'More than 64 KiB of TLS came besides the answer.',
  ENOTFOUND: 'The name has no address.',
  EAI_AGAIN: 'The name could not be resolved.',
};

/** A failure in a few words, without anything of this machine's network. */
function reasonOf(error: unknown): string {
  if (error instanceof AddressRefused) return 'The address is not one of the public internet.';
  const { code = '', message = '' } = error as { code?: string; message?: string };
  // undici has no code of its own for it.
  if (message.startsWith('Proxy response')) return 'The proxy refused the connection.';
  if (/^(?:ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|EPROTO)/.test(code))
    return `TLS failed: ${code}.`;
  return REASONS[code] ?? `The attempt failed${code ? `: ${code}` : ''}.`;
}
