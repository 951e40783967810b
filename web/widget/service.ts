import type { RedeemAction, Surface } from '../../src/widget/surface.ts';
import type { Session } from './session.ts';
import type { Redeemed } from './surface.ts';

/** Why a request has no result. */
export interface Failure {
  ok: false;
  /** The code of the service's refusal; or `offline`, `network_error`, `token_unavailable`. */
  code: string;
  /** The HTTP status; null where no answer came. */
  status: number | null;
  requestId: string | null;
  /** A request without an answer may have been carried out. */
  uncertain: boolean;
}

/** What a customer has confirmed, and on which surface. */
export interface Intent {
  action: RedeemAction;
  rewardId: string;
  surfaceId: string;
  /** The price that the customer confirms. */
  pointsCost: number;
}

export type Result<Value> = { ok: true; value: Value; status: number } | Failure;

const ANSWER_WITHIN_MS = 15_000;
/** Waits before a redemption without an answer is sent again. */
const AGAIN_AFTER_MS = [400, 1_500];
/**
 * What is refused with these statuses is refused before its key is looked up: it tells nothing of an earlier request.
 */
const BEFORE_THE_KEY = new Set([401, 403, 408, 429]);
const ACTIONS_PREFIX = '/api/v1/widgets/';

/** The two requests that the element makes. */
export class Service {
  readonly #base: string;
  readonly #deployment: string;
  readonly #session: Session;

  /**
   * @param base the address of the rewards service, such as `https://rewards.example`, where requests and tokens go
   */
  constructor(base: string, deployment: string, session: Session) {
    this.#base = new URL(base, location.href).href.replace(/\/+$/, '');
    this.#deployment = deployment;
    this.#session = session;
  }

  /** Reads the surface of the session's customer, or the anonymous one. */
  async surface({
    anonymous = false,
    signal,
  }: {
    anonymous?: boolean;
    signal: AbortSignal;
  }): Promise<Result<Surface>> {
    const url = `${this.#base}${ACTIONS_PREFIX}${encodeURIComponent(this.#deployment)}/surface`;
    const send = (token: string | null): Promise<Result<Surface>> => request(url, { token, signal });
    const result = await (anonymous ? send(null) : this.#withToken(send));
    if (!result.ok && result.code === 'network_error') void tellOfOrigin(url, signal);
    return result;
  }

  /**
   * Redeems a reward that the customer has confirmed. What gets no answer is sent again with the same key, so that it
   * counts once.
   * @param onRepeat is called before each repetition
   */
  async redeem(
    { action, rewardId, surfaceId, pointsCost }: Intent,
    idempotencyKey: string,
    onRepeat: () => void,
  ): Promise<Result<Redeemed>> {
    if (!action.href.startsWith(ACTIONS_PREFIX)) return failure('invalid_action');
    const url = `${this.#base}${action.href}`;
    const body = { action: 'redeem', rewardId, confirmed: true, idempotencyKey };
    const send = (token: string | null): Promise<Result<Redeemed>> =>
      request(url, { token, body, ifMatch: `"${surfaceId};points=${pointsCost}"` });
    if (!navigator.onLine) return failure('offline');
    let earlier = false;
    for (let repeats = 0; ; repeats += 1) {
      const result = await this.#withToken(send);
      if (result.ok) return result;
      const wait = AGAIN_AFTER_MS[repeats];
      const uncertain = result.uncertain || (earlier && BEFORE_THE_KEY.has(result.status ?? 0));
      if (!result.uncertain || wait === undefined) return { ...result, uncertain };
      earlier = true;
      await new Promise((resolve) => setTimeout(resolve, wait));
      onRepeat();
    }
  }

  /** Sends with the session's token, and once more with a new one if it is refused. */
  async #withToken<Value>(send: (token: string | null) => Promise<Result<Value>>): Promise<Result<Value>> {
    let token: string | null;
    try {
      token = await this.#session.token();
    } catch {
      return failure('token_unavailable');
    }
    const result = await send(token);
    if (result.ok || result.status !== 401 || token === null) return result;
    const renewed = await this.#session.renewed(token);
    return renewed === null ? result : send(renewed);
  }
}

let hasTold = false;

/**
 * Tells the page's developer, once, where the service answers and the browser does not let the page read it. To a
 * script that looks the same as a service that cannot be reached.
 */
async function tellOfOrigin(url: string, signal: AbortSignal): Promise<void> {
  if (hasTold) return;
  try {
    await fetch(url, { mode: 'no-cors', credentials: 'omit', cache: 'no-store', signal });
  } catch {
    return;
  }
  if (hasTold) return;
  hasTold = true;
  console.warn(
    `svc-rewards: the widget is not published for pages of ${location.origin}. Add "${location.origin}" to the origins of its document, ` +
      'and publish it again: rewards widget publish FILE -e ENVIRONMENT',
  );
}

async function request<Value>(
  url: string,
  {
    token,
    body,
    ifMatch,
    signal,
  }: { token: string | null; body?: object; ifMatch?: string; signal?: AbortSignal },
): Promise<Result<Value>> {
  const headers: Record<string, string> = { Accept: 'application/json' };
  if (token !== null) headers.Authorization = `Bearer ${token}`;
  if (body) headers['Content-Type'] = 'application/json';
  if (ifMatch !== undefined) headers['If-Match'] = ifMatch;
  const timeout = AbortSignal.timeout(ANSWER_WITHIN_MS);
  const sent: RequestInit = {
    method: body ? 'POST' : 'GET',
    headers,
    credentials: 'omit',
    // The anonymous surface is asked for again by its entity tag; what belongs to a customer is not stored.
    cache: token === null ? 'no-cache' : 'no-store',
    redirect: 'error',
    referrerPolicy: 'no-referrer',
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
  };
  if (body) sent.body = JSON.stringify(body);
  try {
    const response = await fetch(url, sent);
    const { ok, status } = response;
    const answer: unknown = await response.json();
    if (ok) return { ok: true, value: answer as Value, status };
    const { code, requestId } = errorOf(answer);
    return failure(code, { status, requestId, uncertain: status >= 500 });
  } catch {
    return failure(navigator.onLine ? 'network_error' : 'offline', { uncertain: true });
  }
}

function errorOf(answer: unknown): { code: string; requestId: string | null } {
  const { error } = (answer ?? {}) as { error?: { code?: unknown; requestId?: unknown } };
  return {
    code: typeof error?.code === 'string' ? error.code : 'unknown',
    requestId: typeof error?.requestId === 'string' ? error.requestId : null,
  };
}

function failure(code: string, more: Partial<Failure> = {}): Failure {
  return { ok: false, code, status: null, requestId: null, uncertain: false, ...more };
}
