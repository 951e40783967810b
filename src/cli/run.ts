import { CommanderError } from 'commander';
import { createCommandLine } from './command-line.ts';
import { ENVIRONMENT_VARIABLE } from './shell/arguments.ts';
import { explainPermission } from './shell/explain-permission.ts';
import { CliFailure, EXIT } from './shell/failure.ts';
import { hint } from './shell/output.ts';

// Errors whose message says all that an operator needs. By name: to import their classes is to load the database.
const SELF_EXPLAINING: ReadonlySet<string> = new Set(['ConfigError', 'MigrationError', 'DataDirInUseError']);

/**
 * Runs one command and tells what went wrong, if anything.
 * @param args what stands behind `rewards`
 * @returns the exit code; a command that ends well with a difference to report has set `process.exitCode` itself
 */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  // As with every setting, an empty one counts as absent.
  if (process.env[ENVIRONMENT_VARIABLE] === '') delete process.env[ENVIRONMENT_VARIABLE];
  try {
    await createCommandLine().parseAsync(args, { from: 'user' });
    return Number(process.exitCode ?? EXIT.ok);
  } catch (error) {
    return explain(error);
  }
}

function explain(error: unknown): number {
  if (error instanceof CommanderError) {
    // Help and version that were asked for end here too, with 0; help in place of a missing command does not.
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
  // Connection failures of several addresses at once have no message of their own.
  const what = errors ? errors.map(String).join('; ') : (message ?? String(error));
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND') {
    return `The database cannot be reached (${what}). Check DATABASE_URL.`;
  }
  return process.env.DEBUG ? (stack ?? what) : `${what}\n(DEBUG=1 shows where)`;
}
