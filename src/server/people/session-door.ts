import type { IncomingMessage } from 'node:http';
import type { PersonSession, PersonSessions } from '../../auth/person/person-sessions.ts';
import { cookieNameOf, readSessionCookie, type SaidSession } from '../../auth/person/session-cookie.ts';
import { type Config, isLoopback } from '../../config.ts';
import { fromTypeId } from '../../ids.ts';
import { isRefusal, type Refusal, refuse } from '../../refusal.ts';

const keyAndSession = refuse(
  'unauthorized',
  'The request has a session and an Authorization header: send one of them.',
);
const repeatedSession = refuse('unauthorized', 'The cookie of the session came twice: sign in again.');
const noSession = refuse('unauthorized', 'You are not signed in, or your session has ended: sign in again.');
const noEnvironment = refuse(
  'unauthorized',
  "There is no X-Environment header: send the environment's id, env_….",
);
const noRole = refuse('insufficient_scope', 'You have no role in this environment.');
const foreignPage = refuse(
  'cross_site_request',
  'With a session, requests come from pages of this service: those that change something send ' +
    'X-Rewards-Console: 1 and the Origin of this service.',
);

/** A session in an environment. */
export interface InEnvironment {
  session: PersonSession;
  /** UUID. */
  environmentId: string;
  environment: NonNullable<Awaited<ReturnType<PersonSessions['find']>>>['environment'] & object;
}

/**
 * Lets people's requests in. Their browsers send the session by themselves, also for pages of others: so a request has
 * to show that a page of this service made it.
 */
export class SessionDoor {
  readonly #config: Pick<Config, 'baseUrl' | 'host'>;
  readonly #sessions: PersonSessions;

  constructor(config: Pick<Config, 'baseUrl' | 'host'>, sessions: PersonSessions) {
    this.#config = config;
    this.#sessions = sessions;
  }

  /** The origin of this service, never that of a header; null where people cannot sign in. */
  originFor({ socket }: IncomingMessage): string | null {
    const { baseUrl, host } = this.#config;
    return baseUrl ?? (isLoopback(host) ? `http://127.0.0.1:${socket.localPort}` : null);
  }

  /** What a request says of a session. */
  read(request: IncomingMessage): SaidSession {
    const origin = this.originFor(request);
    return origin === null
      ? { kind: 'none' }
      : readSessionCookie(request.headers.cookie, cookieNameOf(origin));
  }

  /**
   * The session of a request, whatever the environment.
   * @returns `unauthorized`; `cross_site_request`
   */
  async admit(request: IncomingMessage): Promise<PersonSession | Refusal> {
    const found = await this.#find(request, null);
    if (isRefusal(found)) return found;
    return found.session;
  }

  /**
   * The session of a request in the environment that it names.
   * @returns `unauthorized`; `cross_site_request`; `insufficient_scope` where the person has no role there
   */
  async admitIn(request: IncomingMessage): Promise<InEnvironment | Refusal> {
    const named = request.headers['x-environment'];
    if (typeof named !== 'string') return noEnvironment;
    const environmentId = fromTypeId('env', named);
    const found = await this.#find(request, environmentId);
    if (isRefusal(found)) return found;
    const { session, environment } = found;
    // As for a key of another tenant: it is not said which environments there are.
    if (environmentId === null || environment === null) return noSession;
    return environment.roles.length === 0 ? noRole : { session, environmentId, environment };
  }

  async #find(request: IncomingMessage, environmentId: string | null) {
    const said = this.read(request);
    if (said.kind === 'repeated') return repeatedSession;
    if (said.kind === 'none') return noSession;
    if (request.headers.authorization !== undefined) return keyAndSession;
    const foreign = this.refuseForeign(request);
    if (foreign) return foreign;
    const found = await this.#sessions.find(said.secret, environmentId);
    if (!found) return noSession;
    if (request.headers['x-rewards-background'] !== '1') {
      // A use that is not noted ends the session a minute early, which is no reason to fail.
      await this.#sessions.use(found.session).catch(() => undefined);
    }
    return found;
  }

  /** Why a request did not come from a page of this service. */
  refuseForeign(request: IncomingMessage): Refusal<'cross_site_request'> | null {
    const origin = this.originFor(request);
    const { host, 'sec-fetch-site': site } = request.headers;
    if (origin === null || host !== new URL(origin).host) return foreignPage;
    if (request.method === 'GET') return site === 'same-site' || site === 'cross-site' ? foreignPage : null;
    const isOwn =
      request.headers['x-rewards-console'] === '1' &&
      request.headers.origin === origin &&
      (site === undefined || site === 'same-origin');
    return isOwn ? null : foreignPage;
  }
}
