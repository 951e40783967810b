import { type Command, CommanderError } from 'commander';
import { addServeCommand } from './serve/serve-command.ts';
import { ENVIRONMENT_VARIABLE } from './shell/arguments.ts';
import { explainPermission } from './shell/explain-permission.ts';
import { CliFailure, EXIT } from './shell/failure.ts';
import { hint } from './shell/output.ts';
import { createRoot } from './shell/root.ts';

// Errors whose message says all that an operator needs. By name: importing the classes would load the database code.
const SELF_EXPLAINING: ReadonlySet<string> = new Set([
  'ConfigError',
  'MigrationError',
  'DistributionError',
  'DataDirInUseError',
  'PoolerError',
  'ReleaseError',
]);

/**
 * Runs one command, and prints the error where it fails.
 * @param args the words after `rewards`
 * @returns the exit code; a command that does not fail but has a difference to report sets `process.exitCode` itself
 */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  // An empty variable counts as absent, as with every setting.
  if (process.env[ENVIRONMENT_VARIABLE] === '') delete process.env[ENVIRONMENT_VARIABLE];
  try {
    const cli = args[0] === 'serve' ? serveAlone() : (await import('./command-line.ts')).createCommandLine();
    await cli.parseAsync(args, { from: 'user' });
    return Number(process.exitCode ?? EXIT.ok);
  } catch (error) {
    return explain(error);
  }
}

/** A server runs for long, so it does not keep the other commands, which take 2 MB. */
function serveAlone(): Command {
  const cli = createRoot();
  addServeCommand(cli);
  return cli;
}

function explain(error: unknown): number {
  if (error instanceof CommanderError) {
    // --help and --version end here too, with exit code 0. Help that is shown because a command is missing is a usage
    // error.
    return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  }
  if (error instanceof CliFailure) {
    hint(error.message);
    return error.exitCode;
  }
  hint(explainPermission(error, process.env.DATABASE_URL || null) ?? describe(error));
  return EXIT.failure;
}

function describe(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error);
  const { name, message, code, errors, stack } = error as Partial<AggregateError> & { code?: unknown };
  if (SELF_EXPLAINING.has(name ?? '')) return message ?? '';
  // An AggregateError of connections to several addresses has no message of its own.
  const what = errors ? errors.map(String).join('; ') : (message ?? String(error));
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND') {
    return `The database cannot be reached (${what}). Check DATABASE_URL.`;
  }
  return process.env.DEBUG ? (stack ?? what) : `${what}\n(DEBUG=1 shows where)`;
}
