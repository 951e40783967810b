import { Command, InvalidArgumentError, Option } from 'commander';
import { type RateId, SCENARIOS } from './scenarios.ts';

/** The measurements on a database with a history, compared with an empty one. */
export const HISTORY_PARTS = ['earn', 'pages', 'close'] as const;

export type HistoryPart = (typeof HISTORY_PARTS)[number];

/** The options of a run. */
export interface BenchOptions {
  /** Length of one measurement. */
  seconds: number;
  /** How often each scenario is measured; the scenarios take turns. */
  rounds: number;
  /** HTTP connections, each with one request at a time; null: the best of a sweep. */
  connections: number | null;
  /** Connections of the baseline to Postgres; null: the best of a sweep. */
  baselineConnections: number | null;
  only: readonly (RateId | HistoryPart)[];
  members: number;
  keys: number;
  /** Items in each purchase. */
  items: number;
  /** Transactions of the history. */
  transactions: number;
  /** Minutes of mixed load instead of the measurements; null: the measurements. */
  soakMinutes: number | null;
  /** Folder for a CPU profile of the server; null: none. */
  profileDir: string | null;
}

type Size = Pick<
  BenchOptions,
  'seconds' | 'rounds' | 'connections' | 'baselineConnections' | 'members' | 'keys' | 'transactions'
>;

const FULL: Size = {
  seconds: 5,
  rounds: 3,
  connections: null,
  baselineConnections: null,
  members: 20_000,
  keys: 2_000,
  transactions: 1_000_000,
};

/** Sizes for a quick check that everything works; the figures are not meaningful. */
const QUICK: Size = {
  seconds: 1,
  rounds: 1,
  connections: 16,
  baselineConnections: 4,
  members: 2_000,
  keys: 200,
  transactions: 20_000,
};

const NAMES: readonly (RateId | HistoryPart)[] = [...SCENARIOS.map(({ id }) => id), ...HISTORY_PARTS];

/** Reads the command line. Ends the process with a message where it is wrong. */
export function readOptions(argv: readonly string[]): BenchOptions {
  const command = new Command('npm run bench --')
    .description('Measures the service against what Postgres and Express can do at best on this machine.')
    .addOption(number('--seconds <number>', `length of one measurement (default: ${FULL.seconds})`))
    .addOption(
      number('--rounds <number>', `measurements of each scenario, taking turns (default: ${FULL.rounds})`),
    )
    .addOption(number('--connections <number>', 'HTTP connections (default: the best of a sweep)'))
    .addOption(number('--baseline-connections <number>', "the baseline's (default: the best of a sweep)"))
    .option('--only <names>', `what to measure, such as a,b or earn: ${NAMES.join(', ')}`, names)
    .addOption(number('--members <number>', `members of the program (default: ${FULL.members})`))
    .addOption(
      number(
        '--keys <number>',
        `API keys that take turns: each is good for 600 requests a minute (default: ${FULL.keys})`,
      ),
    )
    .addOption(number('--items <number>', 'items in each purchase (default: 0)'))
    .addOption(
      number('--transactions <number>', `in the history, in thousands up (default: ${FULL.transactions})`),
    )
    .option('--quick', 'a few seconds of everything, to see that it works')
    .addOption(number('--soak <minutes>', 'mixed load for so long instead, with samples of memory'))
    .option('--profile <folder>', 'write a CPU profile of the server there (it slows the server down)')
    .parse(argv as string[]);
  const { only, items, soak, profile, quick, ...size } = command.opts();
  const chosen: Size = { ...(quick ? QUICK : FULL), ...size };
  return {
    ...chosen,
    transactions: Math.ceil(chosen.transactions / 1_000) * 1_000,
    only: only ?? NAMES,
    items: items ?? 0,
    soakMinutes: soak ?? null,
    profileDir: profile ?? null,
  };
}

function number(flags: string, description: string): Option {
  return new Option(flags, description).argParser((text: string) => {
    const value = Number(text);
    const least = flags.startsWith('--items') ? 0 : 0.1;
    if (!Number.isFinite(value) || value < least)
      throw new InvalidArgumentError('It must be a number above 0.');
    return value;
  });
}

function names(text: string): (RateId | HistoryPart)[] {
  const wanted = text.split(',').map((name) => name.trim());
  const known = NAMES.filter((name) => wanted.includes(name));
  if (known.length === 0 || wanted.some((name) => !known.some((id) => id === name))) {
    throw new InvalidArgumentError(`There are ${NAMES.join(', ')}.`);
  }
  return known;
}
