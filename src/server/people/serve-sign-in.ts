import type { Express, Request, Response } from 'express';
import { answerFailure } from '../../../rest-adapter/answer.ts';
import { beginSession, SESSION_SECONDS } from '../../admin/people/person-session.ts';
import { sessionCookie } from '../../auth/person/session-cookie.ts';
import { compileSchema } from '../../graphql/schema/validate-input.ts';
import type { RateLimiter } from '../../http/rate-limit.ts';
import { readJsonBody } from '../../http/read-json-body.ts';
import type { StaticDocument } from '../../http/static-document.ts';
import { parseStrictJson } from '../../http/strict-json.ts';
import { isRefusal, type Refusal, refuse } from '../../refusal.ts';
import { requestIdOf } from '../requests/send-error.ts';
import type { Management } from '../service/management.ts';
import type { Refusals } from '../service/refusals.ts';
import type { SessionDoor } from './session-door.ts';
import { createLinkPage, LINK_PATH } from './sign-in-page.ts';

export interface SignInOptions {
  door: SessionDoor;
  management: Management;
  /** Counts the tries of each address that failed. */
  failures: RateLimiter;
  reportRefusal: Refusals['note'];
}

const BODY_LIMIT_BYTES = 1_000;
/** Whose turn at management a sign-in takes: before it, nobody knows the tenant. */
const SIGN_IN = 'sign-in';

const checkBody = compileSchema({
  ...{ type: 'object', required: ['token'], additionalProperties: false },
  properties: { token: { type: 'string', minLength: 1, maxLength: 200 } },
});
const wrongLink = refuse(
  'unauthorized',
  'This link does not sign anybody in: it was used, is older than 15 minutes, or was never one. Ask for a new one.',
);
const tooMany = refuse('rate_limited', 'Too many links from your address did not work. Wait a minute.');

/**
 * Serves the page of sign-in links, and what its button sends. Nothing of it is logged: a token is as good as the
 * person. A valid link is never refused because others at the address have failed.
 */
export function serveSignIn(app: Express, options: SignInOptions): void {
  let page: StaticDocument | null = null;
  app.get(LINK_PATH, (request, response, next) => {
    if (options.door.originFor(request) === null) return next();
    page ??= createLinkPage();
    return page.send(request, response);
  });
  app.post(LINK_PATH, async (request, response, next) => {
    const origin = options.door.originFor(request);
    if (origin === null) return next();
    const requestId = requestIdOf(request);
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('X-Request-Id', requestId);
    const begun = await signIn(request, response, { ...options, requestId });
    if (isRefusal(begun)) {
      options.reportRefusal(response, begun.code);
      return answerFailure({ response, requestId, headers: {} }, begun);
    }
    response.setHeader('Set-Cookie', sessionCookie(origin, begun.secret, SESSION_SECONDS));
    return response.json({ requestId, name: begun.name });
  });
}

async function signIn(
  request: Request,
  response: Response,
  { door, management, failures, requestId }: SignInOptions & { requestId: string },
) {
  const foreign = door.refuseForeign(request);
  if (foreign) return foreign;
  const token = await readToken(request, response);
  if (typeof token !== 'string') return token;
  const said = door.read(request);
  const before = said.kind === 'one' ? said.secret : null;
  const begun = await management.run(SIGN_IN, (prisma) => beginSession(prisma, { token, before, requestId }));
  if (begun !== null) return begun;
  const { allowed } = await failures.take(request.socket.remoteAddress ?? '');
  return allowed ? wrongLink : tooMany;
}

async function readToken(request: Request, response: Response): Promise<string | Refusal> {
  const bytes = await readJsonBody(request, response, BODY_LIMIT_BYTES);
  if (!(bytes instanceof Uint8Array)) return bytes;
  const body = parseStrictJson(bytes);
  if (!body.ok) return refuse('invalid_json', body.message);
  const details = checkBody(body.value);
  if (details.length > 0)
    return refuse('validation_failed', 'The body has a token, and nothing else.', details);
  return (body.value as { token: string }).token;
}
