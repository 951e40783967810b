import { showProgram } from '../../admin/shared/show-program.ts';
import { validateInput } from '../../graphql/schema/validate-input.ts';
import { importRows } from '../../import/import-rows.ts';
import { PURCHASE_FILE } from '../../import/purchase-columns.ts';
import type { RowDefaults } from '../../import/purchase-row.ts';
import { purchaseRows } from '../../import/purchases.ts';
import { orFail } from '../shell/failure.ts';
import type { Session } from '../shell/session.ts';
import { describePoints, type ImportOptions, runImport } from './run-import.ts';

/** The options of `rewards import purchases`. */
export interface ImportPurchasesOptions extends ImportOptions {
  program: string;
  channel: 'web' | 'store' | 'app';
  currency?: string;
  enroll?: boolean;
  noticeVersion?: string;
  atEventTime?: boolean;
  configurationVersion?: number;
  memberTier?: string;
}

/** Imports a file of purchases (see `runImport`). @throws CliFailure also for a program that is not published */
export async function runPurchaseImport(
  path: string,
  options: ImportPurchasesOptions,
  session: Session,
): Promise<void> {
  const { environment, program, noticeVersion = '', enroll = false, atEventTime = false } = options;
  orFail(await showProgram(session.administrator.prisma, environment, program, null));
  const shared = {
    defaults: defaultsOf(options),
    enroll: enroll ? { noticeVersion } : null,
    validate: validateInput,
  };
  await runImport(
    path,
    options,
    {
      kind: 'purchases',
      file: PURCHASE_FILE,
      input: { programId: program, enroll, noticeVersion: noticeVersion || null, atEventTime },
      run: ({ rows, door, caller, progress, ...run }) =>
        importRows(rows, purchaseRows({ door, caller, ...shared }, progress), run, progress),
      describe: (progress) => [...describePoints(progress), `new members ${progress.membersCreated}`],
    },
    session,
  );
}

function defaultsOf(options: ImportPurchasesOptions): RowDefaults {
  return {
    programId: options.program,
    channel: options.channel,
    currency: options.currency ?? null,
    atEventTime: options.atEventTime
      ? { configurationVersion: options.configurationVersion ?? null, memberTier: options.memberTier ?? null }
      : null,
  };
}
