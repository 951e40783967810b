import { Command, InvalidArgumentError, Option } from 'commander';
import { describeGoal, type Rounds } from './goals.ts';
import { GROUPS, RATE_COMPARISONS } from './rate-comparisons.ts';

/** The measurements on a database with a history, compared with an empty one. */
export const HISTORY_PARTS = ['earn', 'pages', 'close'] as const;

export type HistoryPart = (typeof HISTORY_PARTS)[number];

/** The measurements of deliveries, on a server that may send to this machine. */
export const DELIVERY_PARTS = ['deliver', 'fair', 'backlog'] as const;

export type DeliveryPart = (typeof DELIVERY_PARTS)[number];

/** The measurement of lists, on databases of its own. */
export const LISTS_PART = 'lists';

/** The line that is measured only beside a checkout of pgledger. */
const PGLEDGER_LINE = 't';

/** The options of a run. */
export interface BenchOptions extends Rounds {
  /** Length of one measurement. */
  seconds: number;
  /** HTTP connections, each with one request at a time; null: the best of a sweep. */
  connections: number | null;
  /** Connections of the baseline to Postgres; null: the best of a sweep. */
  baselineConnections: number | null;
  /** Names of comparisons, of measurements of deliveries and of parts of the history; no groups. */
  only: readonly string[];
  members: number;
  keys: number;
  /** Items in each purchase. */
  items: number;
  /** Transactions of the history; rows of each long list. */
  transactions: number;
  /** Codes of a pool. */
  codes: number;
  /** Minutes of mixed load instead of the measurements; null: the measurements. */
  soakMinutes: number | null;
  /** A checkout of pgledger; null: it is not measured. */
  pgledgerDir: string | null;
  /** Folder in which the database with the history stays, as a DATA_DIR; null: it is removed. */
  keepDir: string | null;
  /** Folder for a CPU profile of the server; null: none. */
  profileDir: string | null;
}

type Size = Pick<
  BenchOptions,
  | 'seconds'
  | 'rounds'
  | 'mostRounds'
  | 'connections'
  | 'baselineConnections'
  | 'members'
  | 'keys'
  | 'transactions'
  | 'codes'
>;

const FULL: Size = {
  seconds: 4,
  rounds: 3,
  mostRounds: 9,
  connections: null,
  baselineConnections: null,
  members: 20_000,
  keys: 2_000,
  transactions: 1_000_000,
  codes: 1_000_000,
};

/** Sizes for a quick check that everything works; the figures are not meaningful. */
const QUICK: Size = {
  seconds: 1,
  rounds: 1,
  mostRounds: 1,
  connections: 16,
  baselineConnections: 4,
  members: 2_000,
  keys: 200,
  transactions: 20_000,
  codes: 100_000,
};

const NAMES: readonly string[] = [
  ...RATE_COMPARISONS.map(({ id }) => id),
  ...DELIVERY_PARTS,
  ...HISTORY_PARTS,
  LISTS_PART,
];

/** Reads the command line. Ends the process with a message where it is wrong. */
export function readOptions(argv: readonly string[]): BenchOptions {
  const command = new Command('npm run bench --')
    .description('Measures the service against what Postgres and Express can do at best on this machine.')
    .addOption(number('--seconds <number>', `length of one measurement (default: ${FULL.seconds})`))
    .addOption(
      number('--rounds <number>', `of each comparison: base and measured by turns (default: ${FULL.rounds})`),
    )
    .addOption(
      number(
        '--most-rounds <number>',
        `where rounds contradict each other about a target (default: ${FULL.mostRounds})`,
      ),
    )
    .addOption(number('--connections <number>', 'HTTP connections (default: the best of a sweep)'))
    .addOption(number('--baseline-connections <number>', "the baseline's (default: the best of a sweep)"))
    .option('--only <names>', 'what to measure, such as b,c or open: see below', names)
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
    .addOption(number('--codes <number>', `of the pool of k (default: ${FULL.codes})`))
    .option('--quick', 'a few seconds of everything, to see that it works')
    .addOption(number('--soak <minutes>', 'mixed load for so long instead, with samples of memory'))
    .option('--pgledger <folder>', 'a checkout of github.com/pgr0ss/pgledger, for t')
    .option('--keep <folder>', 'leave the database with the history there, as a DATA_DIR')
    .option('--profile <folder>', 'write a CPU profile of the server there (it slows the server down)')
    .addHelpText('after', `\n${describeNames()}`)
    .parse(argv as string[]);
  const { only, items, soak, profile, keep, pgledger, quick, ...size } = command.opts();
  if (only?.includes(PGLEDGER_LINE) && !pgledger) command.error('t needs --pgledger and a folder.');
  if (keep && only && !HISTORY_PARTS.some((part) => only.includes(part)))
    command.error(`--keep is for ${HISTORY_PARTS.join(', ')}.`);
  const chosen: Size = { ...(quick ? QUICK : FULL), ...size };
  return {
    ...chosen,
    mostRounds: Math.max(chosen.rounds, chosen.mostRounds),
    transactions: Math.ceil(chosen.transactions / 1_000) * 1_000,
    only: only ?? NAMES.filter((name) => name !== PGLEDGER_LINE || pgledger),
    items: items ?? 0,
    soakMinutes: soak ?? null,
    keepDir: keep ?? null,
    profileDir: profile ?? null,
    pgledgerDir: pgledger ?? null,
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

/** Reads names of comparisons, of other measurements and of groups. */
function names(text: string): string[] {
  const given = text.split(',').map((name) => name.trim());
  const wanted = new Set(given.flatMap((name) => GROUPS[name] ?? name));
  if (Array.from(wanted).some((name) => !NAMES.includes(name))) {
    throw new InvalidArgumentError(`There are ${[...NAMES, ...Object.keys(GROUPS)].join(', ')}.`);
  }
  return NAMES.filter((name) => wanted.has(name));
}

function describeNames(): string {
  const lines = RATE_COMPARISONS.map(({ id, title, against, connections, goal }) => {
    const base = against ? `, against ${against}` : '';
    const at =
      connections === 'best' ? '' : `, ${connections} connection${connections === 1 ? '' : 's'} each`;
    return [id, `${title}${base}${at}${goal ? ` (${describeGoal(goal)})` : ''}`];
  });
  const parts = [
    ['deliver', 'webhooks delivered to a sink, against posts of the same bodies (at least 0.5)'],
    ['fair', 'p95 of 48 endpoints beside a silent and a slow one, against without (at most 1.1)'],
    ['backlog', 'the same beside one with 100,000 waiting (at most 1.1)'],
    ['earn', 'b on a database with a history, against an empty one (at least 0.9)'],
    ['pages', 'pages of transactions with a long history, against a short one (at most 1.2)'],
    ['lists', 'pages of long lists, against short ones: --transactions says how long (at most 1.2)'],
    ['close', 'the close of a month, against a bare aggregate (at most 2.5)'],
  ];
  const groups = Object.entries(GROUPS).map(([name, ids]) => [name, ids.join(', ')]);
  const all = [...lines, ...parts, ...groups].map(([name = '', text]) => `  ${name.padEnd(9)} ${text}`);
  return ['Names for --only (a is a bare stored function, e0 bare Express with one select):', ...all].join(
    '\n',
  );
}
