import { readFileSync } from 'node:fs';
import type { Config } from '../../config.ts';
import type { Logger } from '../../http/logger.ts';

/**
 * Connections to the database beside those of `databasePoolSize`, modules, logs, and what libraries open for a moment.
 */
const OTHER_FILES = 200;

/**
 * How many connections of clients a process may have. Each is an open file: where the system allows fewer than
 * `connectionLimit` needs, there are fewer, so that some are left for the database. A warning is logged then.
 */
export function connectionsWithin(
  { connectionLimit, databasePoolSize }: Pick<Config, 'connectionLimit' | 'databasePoolSize'>,
  logger: Pick<Logger, 'warn'>,
  openFiles = readOpenFilesLimit(),
): number {
  const possible = Math.max(1, openFiles - databasePoolSize - OTHER_FILES);
  if (connectionLimit <= possible) return connectionLimit;
  logger.warn(
    { openFiles, connectionLimit, connections: possible },
    'The limit of open files (ulimit -n) allows fewer connections than CONNECTION_LIMIT',
  );
  return possible;
}

/** The most files that this process may have open; Infinity where the system does not tell. */
function readOpenFilesLimit(): number {
  try {
    const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
