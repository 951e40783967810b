import { showProgram } from '../../admin/shared/show-program.ts';
import { MOST_LABELS } from '../../commands/members/label-members.ts';
import { normalizeLabel } from '../../commands/shared/label.ts';
import { validateInput } from '../../graphql/schema/validate-input.ts';
import { importRows } from '../../import/import-rows.ts';
import { MEMBER_FILE, memberRows } from '../../import/members.ts';
import { isRefusal } from '../../refusal.ts';
import { orFail } from '../shell/failure.ts';
import type { Session } from '../shell/session.ts';
import { type ImportOptions, runImport } from './run-import.ts';

/** The options of `rewards import members`. */
export interface ImportMembersOptions extends ImportOptions {
  program?: string;
}

/** Imports a file of members (see `runImport`). @throws CliFailure also for a program that is not published */
export async function runMemberImport(
  path: string,
  options: ImportMembersOptions,
  session: Session,
): Promise<void> {
  const { prisma } = session.administrator;
  const { environment, program: programId = null } = options;
  if (programId !== null) orFail(await showProgram(prisma, environment, programId, null));
  const lookups = new Map<string, Promise<ReadonlySet<string> | null>>();
  const find = async (id: string): Promise<ReadonlySet<string> | null> => {
    const program = await showProgram(prisma, environment, id, null);
    return isRefusal(program) ? null : new Set(program.document.tiers.map((tier) => tier.id));
  };
  const tiersOf = (id: string): Promise<ReadonlySet<string> | null> => {
    const lookup = lookups.get(id) ?? find(id);
    lookups.set(id, lookup);
    return lookup;
  };
  const shared = {
    programId,
    validate: validateInput,
    normalizeTag: normalizeLabel,
    mostTags: MOST_LABELS,
    tiersOf,
  };
  await runImport(
    path,
    options,
    {
      kind: 'members',
      file: MEMBER_FILE,
      input: { programId },
      run: ({ rows, door, caller, progress, ...run }) =>
        importRows(rows, memberRows({ door, caller, ...shared }, progress), run, progress),
      describe: ({ committed, replayed, rejected, membersCreated }) => [
        `committed  ${committed}, ${membersCreated} new members`,
        `replayed   ${replayed}: they were there already, and stay as they are`,
        `rejected   ${rejected}`,
      ],
    },
    session,
  );
}
