import { Command, type ErrorOptions } from 'commander';
import { didYouMean, nearestNames } from '../../programs/document/nearest-name.ts';
import { ENVIRONMENT_VARIABLE } from './arguments.ts';

/**
 * A command whose usage errors say what was probably meant. Commander's own suggestions know letters that are wrong, but
 * not `--env` for `--environment`, nor short options, and a mistyped option that is needed counts as missing.
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
    // Commander looks for what is missing first. Who typed --env is not helped by hearing that --environment is missing.
    const [mistyped] = (missing && this.args.find((arg) => /^-./.test(arg))?.split('=')) || [];
    if (mistyped) {
      const code = 'commander.unknownOption';
      return this.error(`error: unknown option '${mistyped}'`, { ...options, code });
    }
    const suggestion = this.#suggestion(message, options?.code);
    return super.error(suggestion ? `${message}\n(${suggestion})` : message, options);
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
        return named.includes('--environment')
          ? `Or set ${ENVIRONMENT_VARIABLE}. The environments there are: rewards env list`
          : '';
      default:
        return '';
    }
  }
}

function optionsLike(typed: string, command: Command): string[] {
  const options = command
    .createHelp()
    .visibleOptions(command)
    .flatMap(({ long }) => long ?? []);
  // Of a short option that there is not, its letter is all that can be compared.
  return /^-\w$/.test(typed)
    ? options.filter((option) => option.startsWith(`-${typed}`))
    : nearestNames(typed, options);
}
