import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { toTypeId } from '../../ids.ts';
import { type AdministrationCode, type Refusal, refuse } from '../../refusal.ts';
import type { WidgetDocument } from '../../widget/widget-document.ts';

/** A widget deployment with its versions, ascending, and the document of one of them. */
export interface WidgetListing {
  /** TypeID. */
  deploymentId: string;
  /** TypeID. */
  environmentId: string;
  versions: { version: number; programId: string; publishedAt: Date; publishedBy: string }[];
  /** Number of the version that was asked for. */
  version: number;
  document: WidgetDocument;
}

/**
 * A widget deployment.
 * @param id UUID
 * @param version null for the newest
 */
export async function showWidget(
  prisma: PrismaClient,
  id: string,
  version: number | null,
): Promise<WidgetListing | Refusal<AdministrationCode>> {
  const deployment = await prisma.widgetDeployment.findFirst({
    where: { id },
    include: { versions: { orderBy: { version: 'asc' } } },
  });
  const newest = deployment?.versions.at(-1);
  if (!deployment || !newest) return unknownWidget(toTypeId('wdg', id));
  const shown = version === null ? newest : deployment.versions.find((one) => one.version === version);
  if (!shown) {
    return refuse(
      'version_not_found',
      `${toTypeId('wdg', id)} has no version ${version}; its versions are 1 to ${newest.version}.`,
    );
  }
  return {
    deploymentId: toTypeId('wdg', id),
    environmentId: toTypeId('env', deployment.environmentId),
    versions: deployment.versions.map((one) => ({
      version: one.version,
      programId: one.programId,
      publishedAt: one.publishedAt,
      publishedBy: one.publishedBy,
    })),
    version: shown.version,
    document: shown.document as unknown as WidgetDocument,
  };
}

/** The refusal of a command that names an unknown deployment. @param deploymentId TypeID */
export function unknownWidget(deploymentId: string): Refusal<'deployment_not_found'> {
  return refuse(
    'deployment_not_found',
    `There is no widget deployment ${deploymentId}. Those of an environment: rewards widget list -e ENVIRONMENT`,
  );
}
