import type { IncomingMessage } from 'node:http';
import type { WidgetSession } from '../auth/widget/widget-session.ts';
import { networkOf } from '../http/network.ts';
import { deploymentNotFound, isRefusal, type Refusal } from '../refusal.ts';
import type { WidgetDeployment } from '../widget/widget-document.ts';
import { countRequest, overLimit } from './count-request.ts';
import type { Widgets } from './widgets.ts';

/** Who asks for what of a widget. */
export interface Visitor {
  /** The deployment in its present version. */
  deployment: WidgetDeployment;
  /** Null for nobody in particular. */
  session: WidgetSession | null;
}

/** A visitor who is let in, or why not; with headers of the response. */
export interface VisitorAdmission {
  visitor: Visitor | Refusal;
  headers: Readonly<Record<string, string>>;
}

const NO_HEADERS = Object.freeze({});

/** What of the widgets admits a visitor, with the limiter that counts those without a session. */
type Admitting = Pick<Widgets, 'directory' | 'sessions' | 'sessionLimiter' | 'anonymousLimiter'>;

/**
 * Finds the deployment that a request names, opens the session that it brings, and counts it: for the session, or else for
 * the deployment and the address that it comes from.
 * @param deploymentId TypeID, as the client sent it
 * @returns refusals: `deployment_not_found`, those of `WidgetSessions.open`, `rate_limited`
 */
export async function admitVisitor(
  { directory, sessions, sessionLimiter, anonymousLimiter }: Admitting,
  { headers: { authorization, origin }, socket }: IncomingMessage,
  deploymentId: string,
): Promise<VisitorAdmission> {
  const deployment = await directory.find(deploymentId);
  if (!deployment) return { visitor: deploymentNotFound, headers: NO_HEADERS };
  const session = authorization === undefined ? null : await sessions.open(authorization, origin, deployment);
  if (session && isRefusal(session)) return { visitor: session, headers: NO_HEADERS };
  const { verdict, headers } = session
    ? await countRequest(sessionLimiter, session.id)
    : await countRequest(anonymousLimiter, `${deploymentId} ${networkOf(socket.remoteAddress ?? '')}`);
  return { visitor: verdict.allowed ? { deployment, session } : overLimit(verdict), headers };
}
