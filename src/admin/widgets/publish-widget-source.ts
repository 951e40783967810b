import type { PublishWidgetInput, PublishWidgetPayload } from '../../contract/generated/types.ts';
import { toTypeId } from '../../ids.ts';
import { type AdministrationCode, isRefusal, type Refusal } from '../../refusal.ts';
import { parseWidget } from '../../widget/parse-widget.ts';
import type { Administrator } from '../shared/admin-change.ts';
import { changeOnce, type KeyedReceipt } from '../shared/keyed-change.ts';
import { refuseProblems } from '../shared/refuse-problems.ts';
import { checkWidget, NOT_PUBLISHED, unknownProgramAt } from './check-widget.ts';
import { newestWidget, publishingWidget, type WidgetPublishing } from './publish-widget.ts';

/** What is answered for a document, apart from what says which request it was. */
export type WidgetReceipt = Omit<PublishWidgetPayload, 'requestId' | 'idempotent'>;

/**
 * Publishes the text of a widget's document, once for each idempotency key; or says what would become of it.
 * @param environmentId UUID
 * @param input validated
 * @returns refusals: `validation_failed` with the problems of the document, `version_conflict`, and those of
 *   `changeOnce`
 */
export async function publishWidgetSource(
  administrator: Administrator,
  environmentId: string,
  input: PublishWidgetInput,
): Promise<KeyedReceipt<WidgetReceipt> | Refusal<AdministrationCode>> {
  const { source, expectedVersion = null } = input;
  if (input.dryRun) return { receipt: await dryRun(administrator, environmentId, source), idempotent: false };
  const parsed = parseWidget(source);
  if (!parsed.ok) {
    // With its program, which may be unknown as well.
    const checked = await checkWidget(administrator.prisma, environmentId, source);
    return refuseProblems(checked.ok ? parsed.problems : checked.problems);
  }
  const change = publishingWidget(administrator, {
    environmentId,
    document: parsed.document,
    expectedVersion,
  });
  return changeOnce(
    administrator,
    { environmentId, operation: 'publishWidget', input },
    async (transaction) => {
      const outcome = await change(transaction);
      if (!isRefusal(outcome)) return { ...outcome, result: receiptOf(outcome.result) };
      const unpublished = outcome.code === 'program_not_found';
      return unpublished ? refuseProblems([unknownProgramAt(source, NOT_PUBLISHED)]) : outcome;
    },
  );
}

async function dryRun(
  { prisma }: Administrator,
  environmentId: string,
  source: string,
): Promise<WidgetReceipt> {
  const checked = await checkWidget(prisma, environmentId, source);
  const known = checked.ok ? await newestWidget(prisma, environmentId, checked.document.id) : null;
  return {
    created: false,
    deploymentId: known ? toTypeId('wdg', known.id) : null,
    version: null,
    problems: checked.ok ? [] : checked.problems,
  };
}

function receiptOf({
  deploymentId,
  published,
  documentHash,
  publishedAt,
  ...version
}: WidgetPublishing): WidgetReceipt {
  const { version: number, programId, publishedBy } = version;
  return {
    created: published,
    deploymentId,
    version: {
      ...{ version: number, programId, documentHash: documentHash.toString('hex') },
      ...{ publishedAt: publishedAt.toISOString(), publishedBy },
    },
    problems: [],
  };
}
