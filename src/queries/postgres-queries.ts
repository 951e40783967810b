import type { Pool } from 'pg';
import { findMember } from './member.ts';
import type { Queries } from './queries.ts';

/** The reads of the service on Postgres. */
export function createQueries(pool: Pool): Queries {
  return {
    member: (environmentId, externalCustomerId) => findMember(pool, environmentId, externalCustomerId),
  };
}
