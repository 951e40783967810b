import type { Environment, Prisma } from '../../../generated/prisma/client.ts';
import { toTypeId } from '../../ids.ts';
import { type Refusal, refuse } from '../../refusal.ts';

/** The environment with this UUID, or a refusal where there is none. */
export async function findEnvironment(
  prisma: Prisma.TransactionClient,
  environmentId: string,
): Promise<Environment | Refusal<'environment_not_found'>> {
  const environment = await prisma.environment.findUnique({ where: { id: environmentId } });
  return environment ?? unknownEnvironment(environmentId);
}

/**
 * Locks an environment's row until the transaction ends. Two concurrent publications thus run one after the other, and
 * the second one reads what the first has published.
 * @param environmentId UUID
 * @returns a refusal where there is no such environment, else null
 */
export async function lockEnvironmentRow(
  transaction: Prisma.TransactionClient,
  environmentId: string,
): Promise<Refusal<'environment_not_found'> | null> {
  const locked = await transaction.$executeRaw`
    select from environments where id = ${environmentId}::uuid for no key update`;
  return locked === 0 ? unknownEnvironment(environmentId) : null;
}

/** @param environmentId UUID */
export function unknownEnvironment(environmentId: string): Refusal<'environment_not_found'> {
  return refuse(
    'environment_not_found',
    `There is no environment ${toTypeId('env', environmentId)}. The environments there are: rewards env list`,
  );
}
