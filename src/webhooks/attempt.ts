import { type Dispatcher, request } from 'undici';
import { AddressRefused } from './guarded-agent.ts';

/** What one attempt sends. */
export interface AttemptRequest {
  url: string;
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

/**
 * Makes one attempt. Only a status of 2xx is success. A redirect is a failure: it is not followed.
 * @param stopping ends the attempt when the process stops
 */
export async function attempt(
  { url, headers, body }: AttemptRequest,
  dispatcher: Dispatcher,
  stopping: AbortSignal,
): Promise<AttemptResult> {
  const begun = performance.now();
  // One timer that ends with the attempt: signals of timeouts live on for their whole time, thousands at once.
  const ending = new AbortController();
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    ending.abort();
  }, TIMEOUT_MS);
  const stop = (): void => ending.abort();
  if (stopping.aborted) stop();
  else stopping.addEventListener('abort', stop);
  const failed = (error: string): AttemptResult => ({
    delivered: false,
    durationMs: Math.round(performance.now() - begun),
    responseStatus: null,
    responseExcerpt: null,
    error,
    retryAfter: null,
  });
  try {
    const response = await request(url, {
      method: 'POST',
      headers,
      body,
      dispatcher,
      signal: ending.signal,
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
    });
    const excerpt = await readExcerpt(response.body);
    const { statusCode } = response;
    const delivered = statusCode >= 200 && statusCode < 300;
    const retryAfter = response.headers['retry-after'];
    return {
      delivered,
      durationMs: Math.round(performance.now() - begun),
      responseStatus: statusCode,
      responseExcerpt: excerpt,
      error: delivered ? null : `The receiver answered ${statusCode}.`,
      retryAfter: typeof retryAfter === 'string' ? retryAfter : null,
    };
  } catch (error) {
    if (stopping.aborted) return failed('This process stopped before an answer came.');
    if (timedOut) return failed(`No answer came within ${TIMEOUT_MS / 1_000} seconds.`);
    return failed(reasonOf(error));
  } finally {
    clearTimeout(timer);
    stopping.removeEventListener('abort', stop);
  }
}

/** Reads at most READ_LIMIT_BYTES, and closes the connection where more comes. */
async function readExcerpt(body: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= READ_LIMIT_BYTES) break;
  }
  const text = Buffer.concat(chunks)
    .subarray(0, EXCERPT_CHARACTERS * 4)
    .toString('utf8');
  // A NUL cannot be stored as text.
  return [...text].slice(0, EXCERPT_CHARACTERS).join('').replaceAll('\u0000', '\ufffd');
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was reset.',
  UND_ERR_SOCKET: 'The connection was closed before an answer came.',
  UND_ERR_CONNECT_TIMEOUT: 'No connection was made within 10 seconds.',
  UND_ERR_HEADERS_OVERFLOW: 'The headers of the answer are too large.',
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
