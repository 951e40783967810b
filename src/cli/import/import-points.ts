import { showProgram } from '../../admin/shared/show-program.ts';
import { validateInput } from '../../graphql/schema/validate-input.ts';
import { BALANCE_FILE, balanceRows } from '../../import/balances.ts';
import { EXCHANGE_FILE, exchangeRows } from '../../import/exchange.ts';
import { importRows } from '../../import/import-rows.ts';
import { orFail } from '../shell/failure.ts';
import type { Session } from '../shell/session.ts';
import { describePoints, type ImportOptions, runImport } from './run-import.ts';

/** The options of `rewards import balances` and `rewards import exchange`. */
export interface ImportPointsOptions extends ImportOptions {
  program: string;
}

/** Imports a file of opening balances (see `runImport`). @throws CliFailure also for a program that is not published */
export async function runBalanceImport(
  path: string,
  options: ImportPointsOptions,
  session: Session,
): Promise<void> {
  const shared = await shareOf(options, session);
  await runImport(
    path,
    options,
    {
      kind: 'balances',
      file: BALANCE_FILE,
      input: { programId: options.program },
      run: ({ rows, door, caller, progress, ...run }) =>
        importRows(rows, balanceRows({ door, caller, ...shared }), run, progress),
      describe: describePoints,
    },
    session,
  );
}

/** Imports a file of settlements with partners, as `runBalanceImport` does. */
export async function runExchangeImport(
  path: string,
  options: ImportPointsOptions,
  session: Session,
): Promise<void> {
  const shared = await shareOf(options, session);
  await runImport(
    path,
    options,
    {
      kind: 'exchange',
      file: EXCHANGE_FILE,
      input: { programId: options.program },
      run: ({ rows, door, caller, progress, ...run }) =>
        importRows(rows, exchangeRows({ door, caller, ...shared }), run, progress),
      describe: describePoints,
    },
    session,
  );
}

async function shareOf({ environment, program }: ImportPointsOptions, { administrator }: Session) {
  orFail(await showProgram(administrator.prisma, environment, program, null));
  return { programId: program, validate: validateInput };
}
