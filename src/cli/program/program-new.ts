import { writeFile } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import { programOption } from '../shell/arguments.ts';
import { CliFailure, EXIT } from '../shell/failure.ts';
import { hint, print } from '../shell/output.ts';

/** Adds `rewards program new`. */
export function addProgramNew(program: Command): void {
  program
    .command('new')
    .description('write the smallest program document there is, with comments, to begin with')
    .argument('[file]', 'file to write, which must not be there yet; without it standard output')
    .addOption(programOption('id of the program').default('my-club'))
    .addOption(new Option('--currency <code>', 'ISO 4217 code of the purchases that earn').default('USD'))
    .addHelpText(
      'after',
      `
It can be published as it is: a point for each full unit of the currency, one tier, points that never lapse.

Examples:
  $ rewards program new tea-club.yaml -p tea-club --currency EUR
  $ rewards program new | rewards program validate -
`,
    )
    .action(async (file: string | undefined, options: { program: string; currency: string }) => {
      const [{ newProgram }, { parseProgram }] = await Promise.all([
        import('../../programs/parse/new-program.ts'),
        import('../../programs/parse/parse-program.ts'),
      ]);
      const text = newProgram({ id: options.program, currency: options.currency });
      const parsed = parseProgram(text);
      // The template itself is valid, so every problem comes from the given id or currency: a usage error.
      if (!parsed.ok) {
        const problems = parsed.problems.map(({ path, message }) => `${path} ${message}`);
        throw new CliFailure(problems.join('\n'), EXIT.usage);
      }
      if (file === undefined) return print(false, {}, () => text.trimEnd());
      await writeNew(file, text);
      hint(`${file} is written. Check it after your changes: rewards program validate ${file}`);
    });
}

async function writeNew(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text, { flag: 'wx' });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new CliFailure(
      code === 'EEXIST' ? `${file} is there already; nothing was written.` : `${file}: ${message}`,
    );
  }
}
