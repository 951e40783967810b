import { findEnvironment } from '../../admin/shared/find-environment.ts';
import { validateInput } from '../../graphql/schema/validate-input.ts';
import { importList, LIST_FILE } from '../../import/list.ts';
import { type ImportOptions, runImport } from '../import/run-import.ts';
import { orFail } from '../shell/failure.ts';
import type { Session } from '../shell/session.ts';

/** The options of `rewards list import`. */
export type ListImportOptions = Omit<ImportOptions, 'inFlight'>;

/**
 * Puts the members of a file on a list (see `runImport`).
 * @param list normalized name
 * @throws CliFailure also for an unknown environment
 */
export async function runListImport(
  list: string,
  path: string,
  options: ListImportOptions,
  session: Session,
): Promise<void> {
  orFail(await findEnvironment(session.administrator.prisma, options.environment));
  await runImport(
    path,
    { ...options, inFlight: 1 },
    {
      kind: 'list',
      file: LIST_FILE,
      // The name of a list says something about its members, who can be erased: the operation's record does not have
      // it.
      input: {},
      run: ({ rows, door, caller, progress, ...run }) =>
        importList(rows, { door, caller, list, validate: validateInput }, run, progress),
      describe: ({ committed, replayed, rejected }) => [
        `committed  ${committed}: put on the list`,
        `replayed   ${replayed}: they were on it already`,
        `rejected   ${rejected}`,
      ],
    },
    session,
  );
}
