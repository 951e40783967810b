import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { type PositionedProblem, positionIn } from '../../programs/parse/parse-document.ts';
import { parseWidget } from '../../widget/parse-widget.ts';
import type { WidgetDocument } from '../../widget/widget-document.ts';
import { refuseUnpublished } from './publish-widget.ts';

/** A document as its text says it, or everything that is wrong with it. */
export type ReadWidget =
  | { ok: true; document: WidgetDocument }
  | { ok: false; problems: PositionedProblem[] };

/**
 * Reads a document that is to be a widget, and checks its program, also where something else is wrong.
 * @param source YAML or JSON
 * @param unpublished says why a program cannot be shown, or null
 */
export async function readWidgetSource(
  source: string,
  unpublished: (programId: string) => Promise<string | null>,
): Promise<ReadWidget> {
  const parsed = parseWidget(source);
  const { program } = Object(parsed.ok ? parsed.document : parsed.value) as { program?: unknown };
  const problems = parsed.ok ? [] : parsed.problems;
  const isChecked = typeof program !== 'string' || problems.some(({ path }) => path === 'program');
  const message = isChecked ? null : await unpublished(program);
  if (message !== null) problems.push(unknownProgramAt(source, message));
  if (parsed.ok && problems.length === 0) return parsed;
  return { ok: false, problems: problems.toSorted((a, b) => a.line - b.line) };
}

/** The same with the programs of an environment. @param environmentId UUID */
export function checkWidget(
  prisma: Pick<PrismaClient, 'program'>,
  environmentId: string,
  source: string,
): Promise<ReadWidget> {
  return readWidgetSource(source, async (programId) => {
    const refusal = await refuseUnpublished(prisma, environmentId, programId);
    return refusal && NOT_PUBLISHED;
  });
}

/** What the API says of a program that is not there. */
export const NOT_PUBLISHED = 'This environment has no published program of this id.';

/** The problem of a document whose program is not published. @param source one that parses */
export function unknownProgramAt(source: string, message: string): PositionedProblem {
  return { path: 'program', ...positionIn(source, ['program']), message: `is unknown. ${message}` };
}
