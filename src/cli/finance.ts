import { type Command, Option } from 'commander';
import type { FinanceListing } from '../admin/programs/show-finance.ts';
import { toTypeId } from '../ids.ts';
import type { FinanceSectionName } from '../queries/reports/ledger-close/policy.ts';
import {
  jsonOption,
  parseName,
  parsePositiveInteger,
  programOption,
  requiredEnvironmentOption,
} from './shell/arguments.ts';
import { orFail } from './shell/failure.ts';
import { print, table } from './shell/output.ts';
import { withSession } from './shell/session.ts';

interface Options {
  environment: string;
  program: string;
  json?: boolean;
}

/** Adds `rewards finance …`. */
export function addFinanceCommands(cli: Command): void {
  const finance = cli
    .command('finance')
    .description("finance's signatures under what close reports value points by");
  addApprove(finance);
  addShow(finance);
}

function addApprove(finance: Command): void {
  finance
    .command('approve')
    .description('sign the sections finance and journal of a version of a program')
    .addOption(requiredEnvironmentOption())
    .addOption(programOption().makeOptionMandatory())
    .requiredOption('--as <principal>', 'who signs: another person than who published it', parseName)
    .option('--version <number>', 'which version to sign (default: the newest)', parsePositiveInteger)
    .addOption(
      new Option('--section <name>', 'what to sign').choices(['finance', 'journal', 'all']).default('all'),
    )
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
A signature is bound to the content of a section: it applies to every version that has the same section. A close
report is valued by the version that was in force at the end of its period.

Example:
  $ rewards finance approve -e env_01h455vb4pex5vsknk084sn02q -p coffee-club --as grace
`,
    )
    .action(
      async (options: Options & { as: string; version?: number; section: FinanceSectionName | 'all' }) => {
        const { approveFinance } = await import('../admin/programs/approve-finance.ts');
        const sections: readonly FinanceSectionName[] =
          options.section === 'all' ? ['finance', 'journal'] : [options.section];
        const { approvals } = await withSession({ actor: options.as }, async ({ administrator }) =>
          orFail(
            await approveFinance(administrator, {
              environmentId: options.environment,
              programId: options.program,
              version: options.version ?? null,
              sections,
            }),
          ),
        );
        const environmentId = toTypeId('env', options.environment);
        print(options.json, { environmentId, programId: options.program, approvals }, () =>
          approvals
            .map(({ section, version, sectionHash, approvedBy, approved }) =>
              approved
                ? `${section} of version ${version} is approved by ${approvedBy} (${sectionHash.slice(0, 12)}).`
                : `${section} of version ${version} was approved already; nothing changed.`,
            )
            .join('\n'),
        );
      },
    );
}

function addShow(finance: Command): void {
  finance
    .command('show')
    .description('the sections of the newest version of a program, and who has signed them')
    .addOption(requiredEnvironmentOption())
    .addOption(programOption().makeOptionMandatory())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      '\nExample:\n  $ rewards finance show -e env_01h455vb4pex5vsknk084sn02q -p coffee-club\n',
    )
    .action(async (options: Options) => {
      const { showFinance } = await import('../admin/programs/show-finance.ts');
      const shown = await withSession({}, async ({ administrator }) =>
        orFail(await showFinance(administrator.prisma, options.environment, options.program)),
      );
      const { stringify } = await import('yaml');
      const { finance: policy, journal, version, publishedBy } = shown;
      print(options.json, shown, () =>
        [
          `${shown.programId} version ${version}, published by ${publishedBy}\n`,
          table(['section', 'hash', 'approved'], [row('finance', shown), row('journal', shown)]),
          stringify({ finance: policy, journal }).trimEnd(),
        ].join('\n'),
      );
    });
}

function row(section: FinanceSectionName, { policy, approvals }: FinanceListing): string[] {
  const hashed = policy[section];
  if (!hashed) return [section, '-', 'there is none'];
  const missing = policy.journal?.missing ?? [];
  const incomplete = section === 'journal' && missing.length > 0 ? `; without ${missing.join(', ')}` : '';
  const signed = approvals.find((one) => one.section === section);
  const by = signed ? `by ${signed.approvedBy} in version ${signed.version}, ${signed.approvedAt}` : 'no';
  return [section, hashed.sectionHash.slice(0, 12), by + incomplete];
}
