import type { Prisma } from '../../../generated/prisma/client.ts';
import { newUuid, toTypeId } from '../../ids.ts';
import { hashDocument } from '../../programs/parse/parse-document.ts';
import { type AdministrationCode, isRefusal, type Refusal } from '../../refusal.ts';
import type { WidgetDocument } from '../../widget/widget-document.ts';
import { type Administrator, type AdminOutcome, changeEnvironment } from '../shared/admin-change.ts';
import { lockEnvironmentRow } from '../shared/find-environment.ts';
import { refuseVersion } from '../shared/refuse-version.ts';
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

/** A document that is to be the next version of its deployment. */
export interface WidgetPublication {
  /** UUID. */
  environmentId: string;
  /** A valid one, as parseWidget returns it. */
  document: WidgetDocument;
  /** The newest version that whoever publishes knows of, 0 for none; null or absent where that does not matter. */
  expectedVersion?: number | null;
}

/** A version of a widget that stands, as it was published now or before. */
export interface WidgetPublishing extends PublishedWidget {
  programId: string;
  documentHash: Buffer;
  publishedAt: Date;
  publishedBy: string;
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
  const made = await changeEnvironment(
    administrator,
    environmentId,
    publishingWidget(administrator, { environmentId, document }),
  );
  if (isRefusal(made)) return made;
  const { deploymentId, version, published } = made;
  return { deploymentId, version, published };
}

/** The deployment of a document's id, with its newest version; null where there is none. */
export function newestWidget(
  prisma: Pick<Prisma.TransactionClient, 'widgetDeployment'>,
  environmentId: string,
  documentKey: string,
) {
  return prisma.widgetDeployment.findUnique({
    where: { environmentId_documentKey: { environmentId, documentKey } },
    include: { versions: { orderBy: { version: 'desc' }, take: 1 } },
  });
}

/** The change that a publication is (see `publishWidget`); `version_conflict` where another version is the newest. */
export function publishingWidget(
  administrator: Administrator,
  { environmentId, document, expectedVersion = null }: WidgetPublication,
): (
  transaction: Prisma.TransactionClient,
) => Promise<AdminOutcome<WidgetPublishing> | Refusal<AdministrationCode>> {
  const { id: documentKey, program: programId } = document;
  const documentHash = Buffer.from(hashDocument(document));
  return async (transaction) => {
    // Locked before the versions are read, so that concurrent publications get consecutive numbers.
    const unknown = await lockEnvironmentRow(transaction, environmentId);
    if (unknown) return unknown;
    const unpublished = await refuseUnpublished(transaction, environmentId, programId);
    if (unpublished) return unpublished;
    const deployment = await newestWidget(transaction, environmentId, documentKey);
    const id = deployment?.id ?? newUuid();
    const deploymentId = toTypeId('wdg', id);
    const last = deployment?.versions[0];
    if (expectedVersion !== null && expectedVersion !== (last?.version ?? 0)) {
      return refuseVersion(documentKey, expectedVersion, last?.version ?? 0);
    }
    if (last && Buffer.from(last.documentHash).equals(documentHash)) {
      const { version, publishedAt, publishedBy } = last;
      const standing = { deploymentId, version, programId, documentHash, publishedAt, publishedBy };
      return { result: { ...standing, published: false }, audit: null };
    }
    const publishedAt = await environmentNow(transaction, environmentId);
    const row = {
      ...{ version: (last?.version ?? 0) + 1, programId, documentHash, publishedAt },
      publishedBy: administrator.actor.id,
    };
    if (!deployment) {
      await transaction.widgetDeployment.create({
        data: { environmentId, id, documentKey, createdAt: publishedAt },
      });
    }
    await transaction.widgetDeploymentVersion.create({
      data: {
        ...{ environmentId, deploymentId: id, ...row },
        document: document as unknown as Prisma.InputJsonObject,
      },
    });
    const changes = {
      version: row.version,
      documentKey,
      programId,
      documentHash: documentHash.toString('hex'),
    };
    return {
      result: { deploymentId, ...row, published: true },
      audit: {
        action: 'widget.published',
        targetType: 'widget_deployment',
        targetId: deploymentId,
        changes,
      },
    };
  };
}
