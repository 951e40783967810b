import { Argument, type Command } from 'commander';
import { print } from '../shell/output.ts';
import { bashCompletion, type CommandWords, fishCompletion, zshCompletion } from './completion-scripts.ts';

const SCRIPTS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;

/** Adds `rewards completion`. Its scripts complete all commands of `cli`, those added after this call included. */
export function addCompletionCommand(cli: Command): void {
  cli
    .command('completion')
    .description('print a script that lets a shell complete commands and options')
    .addArgument(new Argument('<shell>', 'which shell').choices(Object.keys(SCRIPTS)))
    .addHelpText(
      'after',
      `
It completes the name rewards. In a clone, where the command is npx rewards, make it an alias first.

Examples:
  $ alias rewards='npx rewards'; source <(rewards completion bash)
  $ rewards completion zsh > ~/.zfunc/_rewards
  $ rewards completion fish > ~/.config/fish/completions/rewards.fish
`,
    )
    .action((shell: keyof typeof SCRIPTS) => {
      const script = SCRIPTS[shell](commandWords(cli));
      print(false, {}, () => script.trimEnd());
    });
}

/** Every command of the command line with the words that may follow it, parents before children. */
export function commandWords(command: Command, path: readonly string[] = []): CommandWords[] {
  const help = command.createHelp();
  const children = help.visibleCommands(command);
  const ownWords: CommandWords = {
    path,
    commands: children.map((child) => ({ name: child.name(), description: child.description() })),
    options: help.visibleOptions(command).map((option) => ({
      names: [option.short, option.long].filter((name) => name !== undefined),
      description: option.description,
      value: !option.required && !option.optional ? null : option.flags.includes('<file>') ? 'file' : 'other',
      choices: option.argChoices ?? [],
    })),
    arguments: command.registeredArguments.map((argument) => ({
      file: argument.name() === 'file',
      choices: argument.argChoices ?? [],
    })),
  };
  // `commands` lacks the help command, which has no words of its own to complete.
  return [ownWords, ...command.commands.flatMap((child) => commandWords(child, [...path, child.name()]))];
}
