import type { Prisma } from '../../../generated/prisma/client.ts';
import type { ProgramDocument } from '../../programs/document/program-document.ts';
import { hashDocument } from '../../programs/parse/parse-document.ts';
import { type AdministrationCode, type Refusal, refuse } from '../../refusal.ts';
import { type Administrator, changeEnvironment } from '../shared/admin-change.ts';
import { lockEnvironmentRow } from '../shared/find-environment.ts';
import { environmentNow } from '../shared/write-trail.ts';
import { checkOffersTogether } from './check-offers.ts';
import { checkPurchases } from './check-purchases.ts';

export interface Publication {
  /** UUID. */
  environmentId: string;
  /** A valid document, as parseProgram returns it. */
  document: ProgramDocument;
  /** The instant from which the version is in effect; null for now. */
  effectiveFrom: Date | null;
}

export interface PublishedVersion {
  programId: string;
  version: number;
  effectiveFrom: Date;
  /** False where nothing was published: the newest version is the same document and is in effect by then. */
  published: boolean;
}

/**
 * Publishes a document as the next version of its program; the first publication creates the program. Versions are
 * never changed. The value of points cannot change between them: currency and precision stay those of version 1.
 * @returns the version; a refusal for an unknown environment, another currency or another precision, or for more offers
 *   than can be evaluated
 */
export async function publishProgram(
  administrator: Administrator,
  { environmentId, document, effectiveFrom }: Publication,
): Promise<PublishedVersion | Refusal<AdministrationCode>> {
  const programId = document.id;
  const documentHash = Buffer.from(hashDocument(document));
  return changeEnvironment<PublishedVersion>(administrator, environmentId, async (transaction) => {
    // Locked before the versions are read, so that concurrent publications get consecutive numbers.
    const unknown = await lockEnvironmentRow(transaction, environmentId);
    if (unknown) return unknown;
    const last = await transaction.programVersion.findFirst({
      where: { environmentId, programId },
      orderBy: { version: 'desc' },
    });
    // By the clock that purchases are evaluated by: a version from a machine whose clock is ahead would not be in
    // effect yet.
    const publishedAt = await environmentNow(transaction, environmentId);
    const inEffectFrom = effectiveFrom ?? publishedAt;
    // A newest version that takes effect later does not count: the same document is then published with an earlier
    // date.
    if (last && Buffer.from(last.documentHash).equals(documentHash) && last.effectiveFrom <= inEffectFrom) {
      const { version, effectiveFrom: since } = last;
      return { result: { programId, version, effectiveFrom: since, published: false }, audit: null };
    }
    const conflict = last ? findConflict(last.document as unknown as ProgramDocument, document) : null;
    if (conflict) return refuse('program_conflict', conflict);
    const tooMany =
      checkPurchases(document) ?? (await checkOffersTogether(transaction, environmentId, document));
    if (tooMany) return tooMany;
    const row = { version: (last?.version ?? 0) + 1, effectiveFrom: inEffectFrom, documentHash };
    if (!last) await transaction.program.create({ data: { environmentId, id: programId } });
    await transaction.programVersion.create({
      data: {
        environmentId,
        programId,
        ...row,
        document: document as unknown as Prisma.InputJsonObject,
        publishedAt,
        publishedBy: administrator.operatorId,
      },
    });
    await transaction.environment.update({
      where: { id: environmentId },
      data: { revision: { increment: 1 } },
    });
    return {
      result: { programId, version: row.version, effectiveFrom: row.effectiveFrom, published: true },
      audit: {
        action: 'program.published',
        targetType: 'program',
        targetId: programId,
        changes: {
          version: row.version,
          effectiveFrom: row.effectiveFrom.toISOString(),
          documentHash: documentHash.toString('hex'),
        },
      },
      webhookEvents: [
        {
          type: 'program.published',
          data: { programId, version: row.version, effectiveFrom: row.effectiveFrom.toISOString() },
        },
      ],
    };
  });
}

/** The message why the document cannot be the next version, or null. */
function findConflict(last: ProgramDocument, next: ProgramDocument): string | null {
  const remedy = 'Give the program another id to begin anew.';
  if (last.currency !== next.currency) {
    return `${next.id} was published in ${last.currency} and cannot change to ${next.currency}. ${remedy}`;
  }
  if (last.loyaltyUnitPrecision !== next.loyaltyUnitPrecision) {
    return (
      `${next.id} was published with loyaltyUnitPrecision ${last.loyaltyUnitPrecision}; with ` +
      `${next.loyaltyUnitPrecision} every point on the books would change its worth. ${remedy}`
    );
  }
  return null;
}
