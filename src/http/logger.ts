import { type Logger, pino } from 'pino';
import type { LogLevel } from '../config.ts';

export type { Logger };

/**
 * Structured logs, one JSON object a line, to standard error. Secrets and personal data are never passed to the log; as
 * a second safeguard, fields that usually have such values are redacted.
 */
export function createLogger(level: LogLevel): Logger {
  return pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: {
        paths: ['*.authorization', '*.password', '*.secret', '*.email', '*.displayName', 'connectionString'],
        censor: '[redacted]',
      },
      serializers: { err: describeError },
    },
    pino.destination({ dest: 2, sync: true }),
  );
}

/**
 * An error without its `detail`, where Postgres puts values (for a unique key, such as a customer's id), and without
 * the parameters of the statement.
 */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const code = 'code' in error ? error.code : undefined;
  const constraint = 'constraint' in error ? error.constraint : undefined;
  return { type: error.name, message: error.message, code, constraint, stack: error.stack };
}
