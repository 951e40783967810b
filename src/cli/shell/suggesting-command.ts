import { Command, type ErrorOptions } from 'commander';
import { didYouMean, nearestNames } from '../../programs/document/nearest-name.ts';
import { ENVIRONMENT_VARIABLE } from './arguments.ts';

/**
 * A command whose usage errors suggest what was probably meant. Commander's own suggestions find names with wrong letters,
 * but neither `--environment` for `--env` nor anything for a short option. Commander also reports a mistyped required option
 * as missing, not as unknown.
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
        if (named.includes('--program'))
          return 'The programs of an environment: rewards program list -e ENVIRONMENT';
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
  // An unknown short option has only its letter to compare: the first letter of the long options.
  return /^-\w$/.test(typed)
    ? options.filter((option) => option.startsWith(`-${typed}`))
    : nearestNames(typed, options);
}
