import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { toTypeId } from '../../ids.ts';
import { isRefusal, type Refusal } from '../../refusal.ts';
import { findEnvironment } from '../shared/find-environment.ts';

/** A widget deployment with its newest version. */
export interface WidgetSummary {
  /** TypeID. */
  deploymentId: string;
  /** The id in the merchant's document. */
  documentKey: string;
  programId: string;
  version: number;
  publishedAt: Date;
  publishedBy: string;
}

/**
 * The widget deployments of an environment, sorted by the ids in their documents.
 * @param environmentId UUID
 * @returns a refusal for an unknown environment
 */
export async function listWidgets(
  prisma: PrismaClient,
  environmentId: string,
): Promise<{ widgets: WidgetSummary[] } | Refusal<'environment_not_found'>> {
  const environment = await findEnvironment(prisma, environmentId);
  if (isRefusal(environment)) return environment;
  const deployments = await prisma.widgetDeployment.findMany({
    where: { environmentId },
    orderBy: { documentKey: 'asc' },
    include: {
      versions: {
        orderBy: { version: 'desc' },
        take: 1,
        select: { programId: true, version: true, publishedAt: true, publishedBy: true },
      },
    },
  });
  return {
    widgets: deployments.flatMap(({ id, documentKey, versions }) =>
      versions.map((newest) => ({ deploymentId: toTypeId('wdg', id), documentKey, ...newest })),
    ),
  };
}
