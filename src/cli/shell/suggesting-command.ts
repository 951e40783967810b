import { Command, type ErrorOptions } from 'commander';
import { toTypeId } from '../../ids.ts';
import { didYouMean, nearestNames } from '../../programs/document/nearest-name.ts';
import { ENVIRONMENT_VARIABLE } from './arguments.ts';

/**
 * A command whose usage errors suggest what was probably meant. Commander's own suggestions find names with wrong
 * letters, but neither `--environment` for `--env` nor anything for a short option. Commander also reports a mistyped
 * required option as missing, not as unknown.
 */
export class SuggestingCommand extends Command {
  constructor(name?: string) {
    super(name);
    this.showSuggestionAfterError(false);
  }

  override createCommand(name?: string): Command {
    return new SuggestingCommand(name);
  }

  override error(message: string, options?: ErrorOptions): never {
    const missing = options?.code === 'commander.missingMandatoryOptionValue';
    // Commander checks for missing options first. To somebody who typed --env, "--environment is missing" is no help.
    const [mistyped] = (missing && this.args.find((arg) => /^-./.test(arg))?.split('=')) || [];
    if (mistyped) {
      const code = 'commander.unknownOption';
      return this.error(`error: unknown option '${mistyped}'`, { ...options, code });
    }
    const suggestion = this.#suggestion(message, options?.code);
    return super.error(suggestion ? `${message}\n(${suggestion})` : message, options);
  }

  /** The command as it was typed, with the missing option. @param flags such as `-e, --environment <id>` */
  #filledIn(flags: string): string {
    const path: string[] = [];
    for (let command: Command | null = this; command; command = command.parent) path.unshift(command.name());
    const [short = ''] = flags.split(', ');
    const [, placeholder = ''] = /<([^>]+)>/.exec(flags) ?? [];
    const option = short.split(' ')[0] ?? '';
    const value = option === '-e' || /environment/.test(flags) ? 'env_…' : placeholder.toUpperCase();
    // What was typed after the command's own name, which the shell has taken out of its quotes.
    const typed = this.#typedWords().map((word) =>
      /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`,
    );
    return [...path, ...typed, option, value].filter((word) => word !== '').join(' ');
  }

  /** Arguments and options with the values that were given to them, but for those of defaults. */
  #typedWords(): string[] {
    const typedOptions = this.options.flatMap((option) => {
      const name = option.attributeName();
      if (this.getOptionValueSource(name) !== 'cli') return [];
      const value: unknown = this.getOptionValue(name);
      const flag = option.short ?? option.long ?? '';
      if (option.isBoolean()) return [flag];
      if (option.long === '--environment') return [flag, toTypeId('env', String(value))];
      return typeof value === 'string' || typeof value === 'number' ? [flag, String(value)] : [flag, '…'];
    });
    return [...this.args, ...typedOptions];
  }

  #suggestion(message: string, code: string | undefined): string {
    const [, named = ''] = /'([^']*)'/.exec(message) ?? [];
    switch (code) {
      case 'commander.unknownOption':
        return didYouMean(optionsLike(named, this));
      case 'commander.unknownCommand':
        return didYouMean(
          nearestNames(
            named,
            this.commands.map((command) => command.name()),
          ),
        );
      case 'commander.missingMandatoryOptionValue':
        return [`Such as: ${this.#filledIn(named)}`, whereToFind(named)]
          .filter((line) => line !== '')
          .join('\n ');
      default:
        return '';
    }
  }
}

/** Where the values of an option are found. */
function whereToFind(flags: string): string {
  if (flags.includes('--program'))
    return 'The programs of an environment: rewards program list -e ENVIRONMENT';
  if (flags.includes('--environment'))
    return `Or set ${ENVIRONMENT_VARIABLE}. The environments there are: rewards env list`;
  return '';
}

function optionsLike(typed: string, command: Command): string[] {
  const options = command
    .createHelp()
    .visibleOptions(command)
    .flatMap(({ long }) => long ?? []);
  // An unknown short option has only its letter to compare: the first letter of the long options.
  return /^-\w$/.test(typed)
    ? options.filter((option) => option.startsWith(`-${typed}`))
    : nearestNames(typed, options);
}
