import type {
  ProgramChange as ChangeView,
  ProgramVersion,
  PublishProgramInput,
  PublishProgramPayload,
} from '../../contract/generated/types.ts';
import { diffProgram, type ProgramChange } from '../../programs/document/diff-program.ts';
import type { AdministrationCode, Refusal } from '../../refusal.ts';
import type { Administrator } from '../shared/admin-change.ts';
import { changeOnce, type KeyedReceipt } from '../shared/keyed-change.ts';
import { refuseProblems } from '../shared/refuse-problems.ts';
import { checkProgram, readProgramSource } from './check-program.ts';
import { type Publishing, publishing } from './publish-program.ts';

/** What is answered for a document, apart from what says which request it was. */
export type PublicationReceipt = Omit<PublishProgramPayload, 'requestId' | 'idempotent'>;

/**
 * Publishes the text of a document, once for each idempotency key; or says what would become of it.
 * @param environmentId UUID
 * @param input validated
 * @returns refusals: `validation_failed` with the problems of the document, `version_conflict`, `program_conflict`, and
 *   those of `changeOnce`
 */
export async function publishSource(
  administrator: Administrator,
  environmentId: string,
  input: PublishProgramInput,
): Promise<KeyedReceipt<PublicationReceipt> | Refusal<AdministrationCode>> {
  const { programId, source, effectiveAt, note = null, expectedVersion = null } = input;
  if (input.dryRun) {
    const { problems, changes } = await checkProgram(administrator.prisma, environmentId, programId, source);
    const receipt = { created: false, programId, version: null, changes: changes.map(changeView), problems };
    return { receipt, idempotent: false };
  }
  const read = readProgramSource(source, programId);
  if (!read.ok) return refuseProblems(read.problems);
  const change = publishing(administrator, {
    ...{ environmentId, document: read.document, note, expectedVersion },
    effectiveFrom: effectiveAt ? new Date(effectiveAt) : null,
  });
  return changeOnce(
    administrator,
    { environmentId, operation: 'publishProgram', input },
    async (transaction) => {
      const outcome = await change(transaction);
      return 'refused' in outcome
        ? outcome
        : { ...outcome, result: receiptOf(outcome.result, read.document) };
    },
  );
}

function receiptOf(made: Publishing, document: object): PublicationReceipt {
  const { programId, published, before } = made;
  return {
    created: published,
    programId,
    version: versionView(made),
    changes:
      published && before
        ? diffProgram(before, document as Publishing['before'] & object).map(changeView)
        : [],
    problems: [],
  };
}

function versionView({
  version,
  effectiveFrom,
  publishedAt,
  publishedBy,
  documentHash,
  note,
}: Publishing): ProgramVersion {
  return {
    configurationVersion: version,
    effectiveFrom: effectiveFrom.toISOString(),
    publishedAt: publishedAt.toISOString(),
    ...{ publishedBy, documentHash: documentHash.toString('hex'), note },
  };
}

/** A change as the API shows it: its values as JSON. */
export function changeView({ before, after, ...change }: ProgramChange): ChangeView {
  return {
    ...change,
    before: before === undefined ? null : JSON.stringify(before),
    after: after === undefined ? null : JSON.stringify(after),
  };
}
