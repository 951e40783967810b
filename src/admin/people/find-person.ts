import type { Prisma } from '../../../generated/prisma/client.ts';
import { toTypeId } from '../../ids.ts';
import { type Refusal, refuse } from '../../refusal.ts';

/** A person as it is stored. */
export interface PersonRow {
  /** UUID. */
  tenantId: string;
  /** UUID. */
  id: string;
  name: string;
  email: string;
  status: 'active' | 'suspended';
}

/** @param personId UUID */
export async function findPerson(
  prisma: Prisma.TransactionClient,
  personId: string,
): Promise<PersonRow | Refusal<'person_not_found'>> {
  const [person] = await prisma.$queryRaw<PersonRow[]>`
    select tenant_id as "tenantId", id, name, email, status from people where id = ${personId}::uuid`;
  return person ?? unknownPerson(personId);
}

/** @param personId UUID */
export function unknownPerson(personId: string): Refusal<'person_not_found'> {
  return refuse(
    'person_not_found',
    `There is no person ${toTypeId('prs', personId)}. Those there are: rewards person list --tenant TENANT`,
  );
}
