import type { IncomingMessage } from 'node:http';
import type { WidgetSession } from '../../auth/widget/widget-session.ts';
import { networkOf } from '../../http/network.ts';
import { deploymentNotFound, isRefusal, type Refusal } from '../../refusal.ts';
import type { WidgetDeployment } from '../../widget/widget-document.ts';
import { countRequest, overLimit } from '../requests/count-request.ts';
import type { Widgets } from './widgets.ts';

/**
 * Who asks for what of a widget: the member of a session, or where `Session` may be null, also nobody in particular.
 */
export interface Visitor<Session extends WidgetSession | null = WidgetSession | null> {
  /** The deployment in its present version. */
  deployment: WidgetDeployment;
  session: Session;
}

/** A visitor who is let in, or why not; with headers of the response. */
export interface VisitorAdmission<Session extends WidgetSession | null = WidgetSession | null> {
  visitor: Visitor<Session> | Refusal;
  headers: Readonly<Record<string, string>>;
}

const NO_HEADERS = Object.freeze({});

/** What of the widgets admits a visitor, with the limiter that counts those without a session. */
type Admitting = Pick<Widgets, 'directory' | 'sessions' | 'sessionLimiter' | 'anonymousLimiter'>;

/**
 * Admits whoever asks: finds the deployment that a request names, opens the session that it brings, and counts it: for
 * the session, or else for the deployment and the address that it comes from.
 * @param deploymentId TypeID, as the client sent it
 * @returns refusals: `deployment_not_found`, those of `WidgetSessions.open`, `rate_limited`
 */
export function admitVisitor(
  widgets: Admitting,
  request: IncomingMessage,
  deploymentId: string,
): Promise<VisitorAdmission> {
  const { authorization, origin } = request.headers;
  return admit(widgets, request, deploymentId, async (deployment) =>
    authorization === undefined ? null : widgets.sessions.open(authorization, origin, deployment),
  );
}

/**
 * Admits in the same way, but nobody without a session.
 * @param refuse looks at a session before it is counted
 * @returns refusals: those of `admitVisitor`, and those of `refuse`
 */
export function admitMember(
  widgets: Admitting,
  request: IncomingMessage,
  deploymentId: string,
  refuse: (session: WidgetSession) => Refusal | null,
): Promise<VisitorAdmission<WidgetSession>> {
  const { authorization, origin } = request.headers;
  return admit(widgets, request, deploymentId, async (deployment) => {
    const session = await widgets.sessions.open(authorization, origin, deployment);
    return isRefusal(session) ? session : (refuse(session) ?? session);
  });
}

async function admit<Session extends WidgetSession | null>(
  { directory, sessionLimiter, anonymousLimiter }: Admitting,
  { socket }: IncomingMessage,
  deploymentId: string,
  open: (deployment: WidgetDeployment) => Promise<Session | Refusal>,
): Promise<VisitorAdmission<Session>> {
  const deployment = await directory.find(deploymentId);
  if (!deployment) return { visitor: deploymentNotFound, headers: NO_HEADERS };
  const session = await open(deployment);
  if (session && isRefusal(session)) return { visitor: session, headers: NO_HEADERS };
  const { verdict, headers } = session
    ? await countRequest(sessionLimiter, session.id)
    : await countRequest(anonymousLimiter, `${deploymentId} ${networkOf(socket.remoteAddress ?? '')}`);
  return { visitor: verdict.allowed ? { deployment, session } : overLimit(verdict), headers };
}
