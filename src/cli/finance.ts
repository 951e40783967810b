import { type Command, Option } from 'commander';
import { toTypeId } from '../ids.ts';
import type { ClosePolicy, FinanceSectionName } from '../queries/ledger-close/policy.ts';
import { jsonOption, parseName, programOption, requiredEnvironmentOption } from './arguments.ts';
import { orFail } from './failure.ts';
import { print, table } from './output.ts';
import { withSession } from './session.ts';

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
    .description('sign the sections finance and journal of the newest version of a program')
    .addOption(requiredEnvironmentOption())
    .addOption(programOption().makeOptionMandatory())
    .requiredOption('--as <principal>', 'who signs: another person than who published it', parseName)
    .addOption(
      new Option('--section <name>', 'what to sign').choices(['finance', 'journal', 'all']).default('all'),
    )
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
A signature is bound to the content of a section: it holds for later versions that leave the section as it was.

Example:
  $ rewards finance approve -e env_01h455vb4pex5vsknk084sn02q -p coffee-club --as grace
`,
    )
    .action(async (options: Options & { as: string; section: FinanceSectionName | 'all' }) => {
      const { approveFinance } = await import('../admin/approve-finance.ts');
      const sections: readonly FinanceSectionName[] =
        options.section === 'all' ? ['finance', 'journal'] : [options.section];
      const { approvals } = await withSession({ actor: options.as }, async ({ administrator }) =>
        orFail(await approveFinance(administrator, options.environment, options.program, sections)),
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
    });
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
      const { showFinance } = await import('../admin/show-finance.ts');
      const shown = await withSession({}, async ({ administrator }) =>
        orFail(await showFinance(administrator.prisma, options.environment, options.program)),
      );
      const { stringify } = await import('yaml');
      const { finance: policy, journal, version, publishedBy } = shown;
      print(options.json, shown, () =>
        [
          `${shown.programId} version ${version}, published by ${publishedBy}\n`,
          table(
            ['section', 'hash', 'approved'],
            [row('finance', shown.policy), row('journal', shown.policy)],
          ),
          stringify({ finance: policy, journal }).trimEnd(),
        ].join('\n'),
      );
    });
}

function row(section: FinanceSectionName, policy: ClosePolicy): string[] {
  const signed = policy[section];
  if (!signed) return [section, '-', 'there is none'];
  const missing = policy.journal?.missing ?? [];
  const incomplete = section === 'journal' && missing.length > 0 ? `; without ${missing.join(', ')}` : '';
  const by = signed.approved ? `by ${signed.approved.by}, ${signed.approved.at}` : 'no';
  return [section, signed.sectionHash.slice(0, 12), by + incomplete];
}
