import type { Prisma } from '../../../generated/prisma/client.ts';
import type { ProgramDocument } from '../../programs/document/program-document.ts';
import { hashDocument } from '../../programs/parse/parse-document.ts';
import { type AdministrationCode, isRefusal, type Refusal, refuse } from '../../refusal.ts';
import { type Administrator, type AdminOutcome, changeEnvironment } from '../shared/admin-change.ts';
import { lockEnvironmentRow } from '../shared/find-environment.ts';
import { refuseVersion } from '../shared/refuse-version.ts';
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
  /** What is new in it, in the words of whoever publishes. Default: nothing is said. */
  note?: string | null;
  /** The newest version that whoever publishes knows of, 0 for none; null or absent where that does not matter. */
  expectedVersion?: number | null;
}

export interface PublishedVersion {
  programId: string;
  version: number;
  effectiveFrom: Date;
  /** False where nothing was published: the newest version is the same document and is in effect by then. */
  published: boolean;
}

/** A version with the document of the one before. */
export interface Publishing extends PublishedVersion {
  publishedAt: Date;
  publishedBy: string;
  note: string | null;
  documentHash: Buffer;
  /** Null for the first version. */
  before: ProgramDocument | null;
}

/**
 * Publishes a document as the next version of its program; the first publication creates the program. Versions are
 * never changed. The value of points cannot change between them: currency and precision stay those of version 1.
 * @returns the version; a refusal for an unknown environment, another currency or another precision, or for more offers
 *   than can be evaluated
 */
export async function publishProgram(
  administrator: Administrator,
  publication: Publication,
): Promise<PublishedVersion | Refusal<AdministrationCode>> {
  const made = await changeEnvironment(
    administrator,
    publication.environmentId,
    publishing(administrator, publication),
  );
  if (isRefusal(made)) return made;
  const { programId, version, effectiveFrom, published } = made;
  return { programId, version, effectiveFrom, published };
}

/** The newest version of a program, with its document; null where there is none. */
export function newestVersion(
  transaction: Prisma.TransactionClient,
  environmentId: string,
  programId: string,
) {
  return transaction.programVersion.findFirst({
    where: { environmentId, programId },
    orderBy: { version: 'desc' },
  });
}

/** The change that a publication is (see `publishProgram`); `version_conflict` where another version is the newest. */
export function publishing(
  administrator: Administrator,
  { environmentId, document, effectiveFrom, note = null, expectedVersion = null }: Publication,
): (
  transaction: Prisma.TransactionClient,
) => Promise<AdminOutcome<Publishing> | Refusal<AdministrationCode>> {
  const programId = document.id;
  const documentHash = Buffer.from(hashDocument(document));
  return async (transaction) => {
    // Locked before the versions are read, so that concurrent publications get consecutive numbers.
    const unknown = await lockEnvironmentRow(transaction, environmentId);
    if (unknown) return unknown;
    const last = await newestVersion(transaction, environmentId, programId);
    if (expectedVersion !== null && expectedVersion !== (last?.version ?? 0)) {
      return refuseVersion(programId, expectedVersion, last?.version ?? 0);
    }
    const before = last ? (last.document as unknown as ProgramDocument) : null;
    // By the clock that purchases are evaluated by: a version from a machine whose clock is ahead would not be in
    // effect yet.
    const publishedAt = await environmentNow(transaction, environmentId);
    const inEffectFrom = effectiveFrom ?? publishedAt;
    // A newest version that takes effect later does not count: the same document is then published with an earlier
    // date.
    if (last && Buffer.from(last.documentHash).equals(documentHash) && last.effectiveFrom <= inEffectFrom) {
      const { version, effectiveFrom: since, publishedAt: at, publishedBy: by, note: words } = last;
      const present = {
        programId,
        version,
        effectiveFrom: since,
        publishedAt: at,
        publishedBy: by,
        note: words,
      };
      return { result: { ...present, documentHash, before, published: false }, audit: null };
    }
    const refusal = await refuseDocument(transaction, environmentId, document, before);
    if (refusal) return refusal;
    const publishedBy = administrator.actor.id;
    const row = {
      ...{ version: (last?.version ?? 0) + 1, effectiveFrom: inEffectFrom, documentHash },
      ...{ publishedAt, publishedBy, note },
    };
    if (!last) await transaction.program.create({ data: { environmentId, id: programId } });
    await addVersion(transaction, { environmentId, programId, ...row, document });
    return { result: { programId, ...row, before, published: true }, ...trailOf(programId, row) };
  };
}

/** The row of a version, as it is inserted. */
interface NewVersion extends VersionRow {
  environmentId: string;
  programId: string;
  document: ProgramDocument;
}

type VersionRow = Pick<
  Publishing,
  'version' | 'effectiveFrom' | 'documentHash' | 'publishedAt' | 'publishedBy' | 'note'
>;

async function addVersion(
  transaction: Prisma.TransactionClient,
  { environmentId, document, documentHash, ...row }: NewVersion,
): Promise<void> {
  await transaction.programVersion.create({
    data: {
      environmentId,
      ...row,
      documentHash: Buffer.from(documentHash),
      document: document as unknown as Prisma.InputJsonObject,
    },
  });
  await transaction.environment.update({
    where: { id: environmentId },
    data: { revision: { increment: 1 } },
  });
}

function trailOf(programId: string, { version, effectiveFrom, documentHash }: VersionRow) {
  const data = { version, effectiveFrom: effectiveFrom.toISOString() };
  return {
    audit: {
      action: 'program.published',
      targetType: 'program',
      targetId: programId,
      changes: { ...data, documentHash: documentHash.toString('hex') },
    },
    webhookEvents: [{ type: 'program.published' as const, data: { programId, ...data } }],
  };
}

/**
 * Why a document cannot be the next version of its program.
 * @param before the document of the newest version; null where there is none
 */
export async function refuseDocument(
  transaction: Prisma.TransactionClient,
  environmentId: string,
  document: ProgramDocument,
  before: ProgramDocument | null,
): Promise<Refusal<AdministrationCode> | null> {
  const conflict = before ? findConflict(before, document) : null;
  if (conflict) return refuse('program_conflict', conflict);
  return checkPurchases(document) ?? (await checkOffersTogether(transaction, environmentId, document));
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
