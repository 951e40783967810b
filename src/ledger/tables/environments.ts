import type { Statement } from '../../db/statement.ts';

export interface EnvironmentRecord {
  id: string;
  kind: 'sandbox' | 'production';
  locked: boolean;
  revision: number;
}

/** An environment as a batch reads it. */
export interface EnvironmentRow extends EnvironmentRecord {
  /** The database's time. */
  now: Date;
}

/**
 * Takes a shared advisory lock for a batch of the environment, before the batch reads whether the environment is locked.
 * `env lock` waits for these advisory locks, so that no batch commits a change after it has returned.
 */
export function enterEnvironment(environmentId: string): Statement {
  return {
    name: 'enter_environment',
    text: 'select pg_advisory_xact_lock_shared(hashtextextended($1, 0))',
    values: [environmentId],
  };
}

/**
 * Reads the environment and the database's time, in milliseconds, which JSON and the pure core use. A batch sends it
 * after its locks.
 */
export function loadEnvironment(environmentId: string): Statement {
  return {
    name: 'load_environment',
    text: `select id, kind, locked, revision, date_trunc('milliseconds', clock_timestamp()) as now
      from environments
      where id = $1::uuid`,
    values: [environmentId],
  };
}
