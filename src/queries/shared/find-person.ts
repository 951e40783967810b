import type { Pool } from 'pg';
import { fromTypeId } from '../../ids.ts';

/** Who is looked for. */
export interface Person {
  /** UUIDs. */
  environmentId: string;
  memberId: string;
  externalCustomerId: string;
}

/**
 * Finds a member by what people call it.
 * @param id the member's externalCustomerId, or else its `mem_…`
 * @returns null where the environment has no such member
 */
export async function findPerson(
  pool: Pick<Pool, 'query'>,
  environmentId: string,
  id: string,
): Promise<Person | null> {
  const { rows } = await pool.query<{ id: string; external_customer_id: string }>({
    name: 'find_person',
    text: `select m.id, m.external_customer_id
      from members named
      join members m on m.environment_id = $1::uuid and m.id = coalesce(named.merged_into, named.id)
      where named.environment_id = $1::uuid and (named.external_customer_id = $2 or named.id = $3::uuid)
      order by named.external_customer_id = $2 desc
      limit 1`,
    values: [environmentId, id, fromTypeId('mem', id)],
  });
  const [row] = rows;
  return row ? { environmentId, memberId: row.id, externalCustomerId: row.external_customer_id } : null;
}
