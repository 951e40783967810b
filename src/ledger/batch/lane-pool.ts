import { createPool, type Pool, type PoolOptions } from '../../db/pool.ts';

/**
 * Creates the pool of connections for the writer's lanes. Statements are pipelined: those of one round are sent
 * together. Every statement finds at most a few hundred rows by a key, and its prepared plan is kept as long as the
 * session. The settings make the planner use indexes and keep the written order of joins, even where the tables were
 * still small when the session planned the statement.
 */
export function createLanePool(options: Omit<PoolOptions, 'pipeline' | 'settings'>): Pool {
  return createPool({
    ...options,
    pipeline: true,
    settings: {
      enable_seqscan: 'off',
      enable_hashjoin: 'off',
      enable_mergejoin: 'off',
      join_collapse_limit: '1',
      from_collapse_limit: '1',
      plan_cache_mode: 'force_generic_plan',
      jit: 'off',
    },
  });
}
