import type { Prisma } from '../../../generated/prisma/client.ts';
import { newUuid, toTypeId } from '../../ids.ts';
import { hashDocument } from '../../programs/parse/parse-document.ts';
import type { AdministrationCode, Refusal } from '../../refusal.ts';
import type { WidgetDocument } from '../../widget/widget-document.ts';
import { type Administrator, changeEnvironment } from '../shared/admin-change.ts';
import { lockEnvironmentRow } from '../shared/find-environment.ts';
import { unknownProgram } from '../shared/unknown-program.ts';
import { environmentNow } from '../shared/write-trail.ts';

export interface PublishedWidget {
  /** TypeID `wdg_…`, the same for every version. */
  deploymentId: string;
  version: number;
  /** False where nothing was published: the newest version is the same document. */
  published: boolean;
}

/** The refusal of a widget's program that is not published in an environment; null where it is. */
export async function refuseUnpublished(
  prisma: Pick<Prisma.TransactionClient, 'program'>,
  environmentId: string,
  programId: string,
): Promise<Refusal<'program_not_found'> | null> {
  const where = { environmentId_id: { environmentId, id: programId } };
  return (await prisma.program.findUnique({ where })) ? null : unknownProgram(programId);
}

/**
 * Publishes a document as the next version of its deployment; the first publication creates the deployment. Versions
 * are never changed, and the newest one is served.
 * @param environmentId UUID
 * @param document a valid one, as parseWidget returns it
 * @returns the version; a refusal for an unknown environment, or a program that is not published there
 */
export async function publishWidget(
  administrator: Administrator,
  environmentId: string,
  document: WidgetDocument,
): Promise<PublishedWidget | Refusal<AdministrationCode>> {
  const { id: documentKey, program: programId } = document;
  const documentHash = Buffer.from(hashDocument(document));
  return changeEnvironment<PublishedWidget>(administrator, environmentId, async (transaction) => {
    // Locked before the versions are read, so that concurrent publications get consecutive numbers.
    const unknown = await lockEnvironmentRow(transaction, environmentId);
    if (unknown) return unknown;
    const unpublished = await refuseUnpublished(transaction, environmentId, programId);
    if (unpublished) return unpublished;
    const known = await transaction.widgetDeployment.findUnique({
      where: { environmentId_documentKey: { environmentId, documentKey } },
      include: { versions: { orderBy: { version: 'desc' }, take: 1 } },
    });
    const id = known?.id ?? newUuid();
    const deploymentId = toTypeId('wdg', id);
    const last = known?.versions[0];
    if (last && Buffer.from(last.documentHash).equals(documentHash)) {
      return { result: { deploymentId, version: last.version, published: false }, audit: null };
    }
    const version = (last?.version ?? 0) + 1;
    const publishedAt = await environmentNow(transaction, environmentId);
    if (!known) {
      await transaction.widgetDeployment.create({
        data: { environmentId, id, documentKey, createdAt: publishedAt },
      });
    }
    await transaction.widgetDeploymentVersion.create({
      data: {
        ...{ environmentId, deploymentId: id, version, programId, documentHash, publishedAt },
        document: document as unknown as Prisma.InputJsonObject,
        publishedBy: administrator.actor.id,
      },
    });
    return {
      result: { deploymentId, version, published: true },
      audit: {
        action: 'widget.published',
        targetType: 'widget_deployment',
        targetId: deploymentId,
        changes: { version, documentKey, programId, documentHash: documentHash.toString('hex') },
      },
    };
  });
}
