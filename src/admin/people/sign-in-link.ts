import { randomBytes } from 'node:crypto';
import { hashSecret } from '../../auth/api-key.ts';
import { toTypeId } from '../../ids.ts';
import { type AdministrationCode, isRefusal, type Refusal, refuse } from '../../refusal.ts';
import type { Administrator } from '../shared/admin-change.ts';
import { changeTenant } from './change-tenant.ts';
import { findPerson } from './find-person.ts';

/** How long a link is good. */
const LIFETIME_MS = 15 * 60_000;
const TOKEN_BYTES = 32;

/** @property token good once, until then; only its hash is stored */
export interface SignInLink {
  token: string;
  expiresAt: Date;
}

/**
 * Makes the token of a link with which a person signs in once, within 15 minutes.
 * @param personId UUID
 * @returns a refusal for an unknown person, or one that is suspended
 */
export async function makeSignInLink(
  administrator: Administrator,
  personId: string,
): Promise<SignInLink | Refusal<AdministrationCode>> {
  const person = await findPerson(administrator.prisma, personId);
  if (isRefusal(person)) return person;
  if (person.status === 'suspended') {
    return refuse(
      'person_suspended',
      'The person is suspended: rewards person resume PERSON lets it sign in again.',
    );
  }
  const { tenantId } = person;
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return changeTenant(administrator, tenantId, async (transaction, now) => {
    const expiresAt = new Date(now.getTime() + LIFETIME_MS);
    await transaction.$executeRaw`
      insert into sign_in_links (token_hash, tenant_id, person_id, made_by, made_at, expires_at)
      values (${hashSecret(token)}, ${tenantId}::uuid, ${personId}::uuid, ${administrator.actor.id}, ${now}, ${expiresAt})`;
    const target = { targetType: 'person', targetId: toTypeId('prs', personId) };
    const audit = { action: 'sign_in_link.made', ...target, changes: { expiresAt: expiresAt.toISOString() } };
    return { result: { token, expiresAt }, audit };
  });
}
