import type { Statement } from '../../db/statement.ts';

export interface EnvironmentRecord {
  id: string;
  kind: 'sandbox' | 'production';
  locked: boolean;
  revision: number;
}

/** An environment as a batch reads it. */
export interface EnvironmentRow extends EnvironmentRecord {
  now: Date;
  /** Whether anyone could be listening: where nobody is, no delivery is written. */
  hasWebhookEndpoints: boolean;
}

/**
 * Says that a batch of the environment is under way, before its lock is looked at: `env lock` waits for those that
 * are, so that nothing is committed any more once it has answered.
 */
export function enterEnvironment(environmentId: string): Statement {
  return {
    name: 'enter_environment',
    text: 'select pg_advisory_xact_lock_shared(hashtextextended($1, 0))',
    values: [environmentId],
  };
}

/**
 * The environment, and the time after every lock was had. Milliseconds: what JSON and the pure core count in.
 */
export function loadEnvironment(environmentId: string): Statement {
  return {
    name: 'load_environment',
    text: `select id, kind, locked, revision, date_trunc('milliseconds', clock_timestamp()) as now,
        exists (
          select from webhook_endpoints w where w.environment_id = e.id
        ) as "hasWebhookEndpoints"
      from environments e
      where id = $1::uuid`,
    values: [environmentId],
  };
}
