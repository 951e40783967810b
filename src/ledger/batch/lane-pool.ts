import { BY_KEY } from '../../db/planner-settings.ts';
import { createPool, type Pool, type PoolOptions } from '../../db/pool.ts';

/**
 * Creates the pool of connections for the writer's lanes. Statements are pipelined: those of one round are sent
 * together. Every statement finds at most a few hundred rows by a key.
 */
export function createLanePool(options: Omit<PoolOptions, 'pipeline' | 'settings'>): Pool {
  return createPool({ ...options, pipeline: true, settings: BY_KEY });
}
