import type { Pool } from './pool.ts';

/**
 * Whether a commit of the service waits for no standby: a failover may then lose what was acknowledged. True where no
 * synchronous standby is named, and where commits do not wait for the one that is.
 */
export async function commitsAlone(pool: Pick<Pool, 'query'>): Promise<boolean> {
  const { rows } = await pool.query<{ alone: boolean }>(
    `select current_setting('synchronous_standby_names') = ''
       or current_setting('synchronous_commit') in ('off', 'local') as alone`,
  );
  return rows[0]?.alone ?? true;
}
