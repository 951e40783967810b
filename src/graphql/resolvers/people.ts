import { endSession } from '../../admin/people/person-session.ts';
import { IDLE_MINUTES, type OpenSession, type PersonSession } from '../../auth/person/person-sessions.ts';
import type { PersonSession as SessionView } from '../../contract/generated/types.ts';
import { fromTypeId, toTypeId } from '../../ids.ts';
import { isRefusal, refuse } from '../../refusal.ts';
import { refusalError } from '../errors/errors.ts';
import type { MutationResolvers, QueryResolvers } from '../generated/resolver-types.ts';

export const peopleQueries: Required<Pick<QueryResolvers, 'personSession' | 'personSessions'>> = {
  personSession: async (_root, _args, { requestId, session, sessions }) => {
    const { personId, tenantId, name, email } = session;
    const environments = await sessions.environmentsOf(session);
    const ids = { id: toTypeId('prs', personId), tenantId: toTypeId('ten', tenantId) };
    return { requestId, person: { ...ids, name, email, environments }, session: viewOf(session, session) };
  },
  personSessions: async (_root, _args, { requestId, session, sessions }) => {
    const open = await sessions.openOf(session);
    return { requestId, data: open.map((each) => viewOf(each, session)) };
  },
};

export const peopleMutations: Required<Pick<MutationResolvers, 'endPersonSession'>> = {
  endPersonSession: async (_root, { input }, { requestId, session, management }) => {
    const { tenantId, personId } = session;
    const sessionId = input.sessionId ? fromTypeId('ses', input.sessionId) : session.sessionId;
    if (sessionId === null) throw refusalError(sessionNotFound, requestId);
    const ended = await management.run(tenantId, async (prisma) => ({
      found: await endSession(prisma, { tenantId, personId, sessionId, requestId }),
    }));
    if (isRefusal(ended)) throw refusalError(ended, requestId);
    if (!ended.found) throw refusalError(sessionNotFound, requestId);
    return { requestId, idempotent: false, sessionId: toTypeId('ses', sessionId) };
  },
};

const sessionNotFound = refuse('session_not_found', 'There is no open session of yours of this id.');

function viewOf(
  { sessionId, begunAt, lastUsedAt, expiresAt }: OpenSession,
  { sessionId: present }: Pick<PersonSession, 'sessionId'>,
): SessionView {
  return {
    id: toTypeId('ses', sessionId),
    current: sessionId === present,
    begunAt: begunAt.toISOString(),
    lastUsedAt: lastUsedAt.toISOString(),
    idleUntil: new Date(lastUsedAt.getTime() + IDLE_MINUTES * 60_000).toISOString(),
    expiresAt: expiresAt.toISOString(),
  };
}
