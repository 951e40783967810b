import { Command, InvalidArgumentError, Option } from 'commander';
import { SCENARIOS, type ScenarioId } from './scenarios.ts';

/** What a run was asked for. */
export interface BenchOptions {
  /** Length of one measurement. */
  seconds: number;
  /** How often each scenario is measured; the scenarios take turns. */
  rounds: number;
  /** HTTP connections, each with one request at a time; null: the best of a sweep. */
  connections: number | null;
  /** Connections of the baseline to Postgres; null: the best of a sweep. */
  baselineConnections: number | null;
  only: readonly ScenarioId[];
  members: number;
  keys: number;
  /** Items in each purchase. */
  items: number;
  /** Minutes of mixed load instead of the measurements; null: the measurements. */
  soakMinutes: number | null;
  /** Folder for a CPU profile of the server; null: none. */
  profileDir: string | null;
}

/** Reads the command line. Ends the process with a message where it is wrong. */
export function readOptions(argv: readonly string[]): BenchOptions {
  const command = new Command('npm run bench --')
    .description('Measures the service against what Postgres and Express can do at best on this machine.')
    .addOption(number('--seconds <number>', 'length of one measurement', 5))
    .addOption(number('--rounds <number>', 'measurements of each scenario, taking turns', 3))
    .addOption(number('--connections <number>', 'HTTP connections (default: the best of a sweep)'))
    .addOption(number('--baseline-connections <number>', "the baseline's (default: the best of a sweep)"))
    .option(
      '--only <letters>',
      'scenarios to measure, such as a,b',
      letters,
      SCENARIOS.map(({ id }) => id),
    )
    .addOption(number('--members <number>', 'members of the program', 20_000))
    .addOption(
      number('--keys <number>', 'API keys that take turns: each is good for 600 requests a minute', 2_000),
    )
    .addOption(number('--items <number>', 'items in each purchase', 0))
    .addOption(number('--soak <minutes>', 'mixed load for so long instead, with samples of memory'))
    .option('--profile <folder>', 'write a CPU profile of the server there (it slows the server down)')
    .parse(argv as string[]);
  const options = command.opts();
  return {
    seconds: options.seconds,
    rounds: options.rounds,
    connections: options.connections ?? null,
    baselineConnections: options.baselineConnections ?? null,
    only: options.only,
    members: options.members,
    keys: options.keys,
    items: options.items,
    soakMinutes: options.soak ?? null,
    profileDir: options.profile ?? null,
  };
}

function number(flags: string, description: string, otherwise?: number): Option {
  const option = new Option(flags, description).argParser((text: string) => {
    const value = Number(text);
    const least = flags.startsWith('--items') ? 0 : 0.1;
    if (!Number.isFinite(value) || value < least)
      throw new InvalidArgumentError('It must be a number above 0.');
    return value;
  });
  return otherwise === undefined ? option : option.default(otherwise);
}

function letters(text: string): ScenarioId[] {
  const wanted = text.split(',').map((letter) => letter.trim());
  const known = SCENARIOS.filter(({ id }) => wanted.includes(id)).map(({ id }) => id);
  if (known.length === 0 || wanted.some((letter) => !known.some((id) => id === letter))) {
    throw new InvalidArgumentError(`The scenarios are ${SCENARIOS.map(({ id }) => id).join(', ')}.`);
  }
  return known;
}
