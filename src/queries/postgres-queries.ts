import type { Pool } from 'pg';
import { MemberReader } from './member-reader.ts';
import { findOwner } from './owners.ts';
import type { Queries } from './queries.ts';

/** The reads of the service on Postgres. */
export function createQueries(pool: Pool): Queries {
  const members = new MemberReader(pool);
  return {
    member: (environmentId, externalCustomerId) => members.find(environmentId, externalCustomerId),
    owner: (environmentId, owned) => findOwner(pool, environmentId, owned),
  };
}
