import { randomBytes } from 'node:crypto';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { ADMIN_CHANNEL } from '../../auth/admin-notices.ts';
import { hashSecret } from '../../auth/api-key.ts';
import { newUuid, toTypeId } from '../../ids.ts';
import { databaseTime } from '../shared/write-trail.ts';
import { writeTenantAudit } from './change-tenant.ts';

/** The longest that a session lasts. */
export const SESSION_SECONDS = 12 * 3_600;
const SECRET_BYTES = 32;

/** @property secret the cookie's value; only its hash is stored */
export interface BegunSession {
  secret: string;
  /** UUID. */
  personId: string;
  name: string;
}

interface SpentLink {
  tenantId: string;
  personId: string;
  name: string;
}

/**
 * Begins a session with the token of a sign-in link, which is spent by it, and ends the one that the browser had.
 * @param before the value of the cookie that came along; null for none
 * @returns null for a token that was never made, is spent or too old, or whose person is suspended
 */
export async function beginSession(
  prisma: PrismaClient,
  { token, before, requestId }: { token: string; before: string | null; requestId: string },
): Promise<BegunSession | null> {
  return prisma.$transaction(async (transaction) => {
    const now = await databaseTime(transaction);
    const [link] = await transaction.$queryRaw<SpentLink[]>`
      update sign_in_links l set used_at = ${now}
      from people p
      where l.token_hash = ${hashSecret(token)} and l.used_at is null and ${now} < l.expires_at
        and p.tenant_id = l.tenant_id and p.id = l.person_id and p.status = 'active'
      returning l.tenant_id as "tenantId", l.person_id as "personId", p.name`;
    if (!link) return null;
    const { tenantId, personId, name } = link;
    const secret = randomBytes(SECRET_BYTES).toString('base64url');
    const expiresAt = new Date(now.getTime() + SESSION_SECONDS * 1_000);
    const sessionId = newUuid();
    if (before !== null) {
      await transaction.$executeRaw`
        update person_sessions set ended_at = ${now} where secret_hash = ${hashSecret(before)} and ended_at is null`;
    }
    await transaction.$executeRaw`
      insert into person_sessions
        (tenant_id, id, person_id, secret_hash, begun_at, last_used_at, expires_at)
      values (${tenantId}::uuid, ${sessionId}::uuid, ${personId}::uuid, ${hashSecret(secret)}, ${now}, ${now}, ${expiresAt})`;
    const who = { type: 'person', id: toTypeId('prs', personId) } as const;
    const target = { targetType: 'session', targetId: toTypeId('ses', sessionId) };
    const audit = { action: 'session.begun', ...target, changes: { by: 'link' } };
    await writeTenantAudit(transaction, { actor: who, requestId }, { tenantId, at: now }, audit);
    return { secret, personId, name };
  });
}

/** A session, and who ends it. */
export interface Ending {
  /** UUID. */
  tenantId: string;
  /** UUID. */
  personId: string;
  /** UUID. */
  sessionId: string;
  requestId: string;
}

/** Ends a session of a person by itself. @returns false where the person has no such open session */
export async function endSession(
  prisma: PrismaClient,
  { tenantId, personId, sessionId, requestId }: Ending,
): Promise<boolean> {
  return prisma.$transaction(async (transaction) => {
    const now = await databaseTime(transaction);
    const ended = await transaction.$executeRaw`
      update person_sessions set ended_at = ${now}
      where tenant_id = ${tenantId}::uuid and id = ${sessionId}::uuid and person_id = ${personId}::uuid
        and ended_at is null`;
    if (ended === 0) return false;
    const who = { type: 'person', id: toTypeId('prs', personId) } as const;
    const target = { targetType: 'session', targetId: toTypeId('ses', sessionId) };
    const audit = { action: 'session.ended', ...target, changes: {} };
    await writeTenantAudit(transaction, { actor: who, requestId }, { tenantId, at: now }, audit);
    await transaction.$executeRaw`select pg_notify(${ADMIN_CHANNEL}, ${toTypeId('ten', tenantId)})`;
    return true;
  });
}
