import { CommanderError } from 'commander';
import { createCommandLine } from './command-line.ts';
import { CliFailure, EXIT } from './failure.ts';

// Errors whose message says all that an operator needs. By name: to import their classes is to load the database.
const SELF_EXPLAINING: ReadonlySet<string> = new Set(['ConfigError', 'MigrationError', 'DataDirInUseError']);

try {
  await createCommandLine().parseAsync();
} catch (error) {
  process.exitCode = exitCodeOf(error);
}

/** Tells what went wrong, as far as nobody has yet. */
function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) {
    // Help and version that were asked for end here too, with 0; help in place of a missing command does not.
    return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  }
  if (error instanceof CliFailure) {
    process.stderr.write(`${error.message}\n`);
    return error.exitCode;
  }
  if (error instanceof Error && SELF_EXPLAINING.has(error.name)) {
    process.stderr.write(`${error.message}\n`);
    return EXIT.failure;
  }
  process.stderr.write(`${describe(error)}\n`);
  return EXIT.failure;
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Connection failures of several addresses at once have no message of their own.
  const message = error instanceof AggregateError ? error.errors.map(String).join('; ') : error.message;
  const code = 'code' in error ? error.code : null;
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND') {
    return `The database cannot be reached (${message}). Check DATABASE_URL.`;
  }
  return process.env.DEBUG ? (error.stack ?? message) : `${message}\n(DEBUG=1 shows where)`;
}
