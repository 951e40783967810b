import type { PoolClient } from 'pg';
import { createPool, type Pool, type PoolOptions } from '../../src/db/pool.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { fixture } from './fixture.ts';
import { createWorld, type World } from './surfaces/world.ts';

/** @param options `twins`: whether every environment gets a twin */
export function useDatabase(options: { twins?: boolean } = {}): { database: TestDatabase; world: World } {
  const database = fixture(
    'the database',
    () => createTestDatabase(options),
    (created) => created.drop(),
  );
  return { database, world: fixture('the world', () => createWorld(database)) };
}

/** A pool beside that of the database. @param options `url` is known once the database is there */
export function usePool(options: () => PoolOptions): Pool {
  return fixture(
    'the pool',
    () => createPool(options()),
    (pool) => pool.end(),
  );
}

/** One connection of a pool. */
export function useConnection(pool: () => Pool): PoolClient {
  return fixture(
    'the connection',
    () => pool().connect(),
    (connection) => connection.release(),
  );
}
