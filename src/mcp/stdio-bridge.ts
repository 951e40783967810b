import type { Readable, Writable } from 'node:stream';

/** Where the messages of standard input go. */
export interface Bridge {
  /** URL of a deployment's MCP endpoint. */
  endpoint: string;
  /** The origin that the session is bound to, sent with every request; null for none. */
  origin: string | null;
  /**
   * The session's token, read again for every request, so that it can be replaced while the agent runs; null for none.
   */
  readToken(): Promise<string | null>;
  input: Readable;
  /** Gets protocol messages alone, one a line. */
  output: Writable;
  /** Called with what a person should know. Default of the command: standard error. */
  warn(message: string): void;
}

type Id = string | number | null;

const TIMEOUT_MS = 30_000;
/** The service takes no longer message. */
const LONGEST_LINE_CHARACTERS = 1_048_576;
const PARSE_ERROR = -32_700;
const SERVER_ERROR = -32_000;

/**
 * Passes the messages of an agent on to the service, and the answers back, until the input ends and everything is
 * answered. A request that the service refuses as a whole is answered with an error, so that the agent does not wait
 * for it.
 */
export async function runBridge(bridge: Bridge): Promise<void> {
  const underWay = new Set<Promise<void>>();
  const sender = new Sender(bridge);
  for await (const line of linesOf(bridge.input)) {
    const passed = sender.pass(line).catch((error: Error) => bridge.warn(error.message));
    underWay.add(passed);
    void passed.finally(() => underWay.delete(passed));
  }
  await Promise.all(underWay);
}

class Sender {
  readonly #bridge: Bridge;
  /** The version that was agreed on in the answer to `initialize`. */
  #protocolVersion: string | null = null;

  constructor(bridge: Bridge) {
    this.#bridge = bridge;
  }

  /** Sends one message, and writes what is answered. */
  async pass(line: string): Promise<void> {
    const message = parsed(line);
    if (message === undefined) {
      this.#fail(null, PARSE_ERROR, 'The line is not JSON.');
      return;
    }
    const id = idOf(message);
    const refuse = (code: number, reason: string, data?: unknown): void => {
      this.#bridge.warn(reason);
      if (id !== undefined) this.#fail(id, code, reason, data);
    };
    let token: string | null;
    try {
      token = await this.#bridge.readToken();
    } catch (error) {
      refuse(SERVER_ERROR, reasonOf(error));
      return;
    }
    try {
      const response = await this.#post(line, token);
      const answer = parsed(await response.text());
      if (response.ok && isObject(answer)) {
        this.#remember(answer);
        this.#write(answer);
      } else if (!response.ok) {
        const { code, message: why, data } = explained(answer, response.status);
        refuse(code, why, data);
      }
    } catch (error) {
      refuse(
        SERVER_ERROR,
        `The service did not answer (${reasonOf(error)}). What was sent may have been done: ` +
          'send the same again, a redemption with the same idempotencyKey.',
      );
    }
  }

  #post(body: string, token: string | null): Promise<Response> {
    const { endpoint, origin } = this.#bridge;
    return fetch(endpoint, {
      method: 'POST',
      // A token is for the service that was named, not for where that points to.
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        ...(this.#protocolVersion !== null && { 'MCP-Protocol-Version': this.#protocolVersion }),
        ...(token !== null && { Authorization: `Bearer ${token}` }),
        ...(origin !== null && { Origin: origin }),
      },
      body,
    });
  }

  #remember({ result }: Record<string, unknown>): void {
    if (isObject(result) && typeof result.protocolVersion === 'string')
      this.#protocolVersion = result.protocolVersion;
  }

  #fail(id: Id, code: number, message: string, data?: unknown): void {
    this.#write({ jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } });
  }

  #write(message: object): void {
    this.#bridge.output.write(`${JSON.stringify(message)}\n`);
  }
}

/** The lines of a stream. Only a line feed ends one: JSON may contain the other line separators of Unicode. */
async function* linesOf(input: Readable): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of input.setEncoding('utf8') as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > LONGEST_LINE_CHARACTERS)
      throw new Error(`A message is longer than ${LONGEST_LINE_CHARACTERS} characters.`);
    for (const line of lines) if (line.trim() !== '') yield line;
  }
  if (rest.trim() !== '') yield rest;
}

/** The id of a message that waits for an answer; undefined for a notification. */
function idOf(message: unknown): Id | undefined {
  if (!isObject(message) || !('method' in message)) return undefined;
  const { id } = message;
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}

/** What the service said in the form of REST or of JSON-RPC. */
function explained(answer: unknown, status: number): { code: number; message: string; data?: unknown } {
  const error = isObject(answer) && isObject(answer.error) ? answer.error : {};
  const { code, message, requestId, data } = error;
  const why = typeof message === 'string' ? message : `The service answered with status ${status}.`;
  if (typeof code === 'number') return { code, message: why, data };
  return { code: SERVER_ERROR, message: why, data: { code, requestId, status } };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message || error.message : error.message;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
