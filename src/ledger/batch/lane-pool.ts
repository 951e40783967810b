import { createPool, type Pool, type PoolOptions } from '../../db/pool.ts';

/**
 * The connections of the writer's lanes. Statements are pipelined: a batch is two round trips. Every statement finds
 * its rows by a key, a few hundred at the most, and its prepared plan lives as long as the session: so plans
 * by index, joined as they are written, are asked for, whatever the tables held when the session began.
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
