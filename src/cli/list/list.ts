import type { Command } from 'commander';
import { actorOption, jsonOption, parseLabel, requiredEnvironmentOption } from '../shell/arguments.ts';
import { CliFailure, EXIT } from '../shell/failure.ts';
import { withSession } from '../shell/session.ts';
import type { ListOptions } from './run-list-change.ts';
import type { ListImportOptions } from './run-list-import.ts';

/** Adds `rewards list …`. */
export function addListCommands(cli: Command): void {
  const list = cli.command('list').description('lists of members: audiences look at them');
  addChange(list, 'add', true);
  addChange(list, 'remove', false);
  addImport(list);
  list
    .command('show')
    .description('list the members on a list, one externalCustomerId in a line')
    .argument('<list>', 'name of the list', parseLabel)
    .addOption(requiredEnvironmentOption())
    .option('--file <file>', 'write them to this file')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      '\nExample:\n  $ rewards list show spring-mailing -e env_01h455vb4pex5vsknk084sn02q\n',
    )
    .action(async (name: string, options: ListOptions) => {
      const { showList } = await import('./run-list-show.ts');
      await withSession({}, (session) => showList(name, options, session));
    });
}

function addChange(list: Command, verb: 'add' | 'remove', adds: boolean): void {
  list
    .command(verb)
    .description(adds ? 'put members on a list' : 'take members off a list')
    .argument('<list>', 'name of the list, 1 to 100 characters', parseLabel)
    .argument('[customers...]', 'externalCustomerIds')
    .addOption(requiredEnvironmentOption())
    .option('--file <file>', 'externalCustomerIds, one in a line, in UTF-8; - for standard input')
    .addOption(actorOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
A member stands on 50 lists at most. Run again after an interruption: what is done stays done. Exit code 1 if there was
a customer whom nothing could be done for.

Examples:
  $ rewards list ${verb} spring-mailing customer-ada -e env_01h455vb4pex5vsknk084sn02q
  $ rewards list ${verb} spring-mailing --file customers.txt -e env_01h455vb4pex5vsknk084sn02q
`,
    )
    .action(async (name: string, customers: string[], options: ListOptions) => {
      if (customers.length > 0 === (options.file !== undefined)) {
        throw new CliFailure('Name customers, or a file with --file.', EXIT.usage);
      }
      const { changeList } = await import('./run-list-change.ts');
      await withSession({ ...options, endsWhenInterrupted: true }, (session) =>
        changeList({ list: name, adds, customers }, options, session),
      );
    });
}

function addImport(list: Command): void {
  list
    .command('import')
    .description('put the customers of a large file on a list, as a long-running operation')
    .argument('<list>', 'name of the list, 1 to 100 characters', parseLabel)
    .argument('<file>', 'CSV in UTF-8 with a header')
    .addOption(requiredEnvironmentOption())
    .option(
      '--report <file>',
      'write rejected rows to this CSV file: line, external_customer_id, code, message',
    )
    .addOption(actorOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
Columns:
  external_customer_id   the merchant's own customer id

A thousand rows are written in each transaction. Members who are on the list already are counted as replayed,
so a second run of the same file finishes what was interrupted. Customers who are no members, and members on
50 lists, are rejected; they do not stop the import, and the exit code is then 1.

Example:
  $ rewards list import spring-mailing customers.csv -e env_01h455vb4pex5vsknk084sn02q --report rejected.csv
`,
    )
    .action(async (name: string, file: string, options: ListImportOptions) => {
      const { runListImport } = await import('./run-list-import.ts');
      await withSession({ ...options, endsWhenInterrupted: true }, (session) =>
        runListImport(name, file, options, session),
      );
    });
}
