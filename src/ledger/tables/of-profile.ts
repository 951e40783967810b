import { arrayLiteral } from '../../db/array-literal.ts';
import type { Index, Select, Stored } from './look-up.ts';
import { MEMBER_WANTED, ofMember } from './members.ts';

interface ProfileName {
  programId: string;
  externalCustomerId: string;
}

/** A look-up of the rows of profiles that are in one state: the statement, and the same in memory. */
export function ofProfile<R extends { memberId: string; programId: string; state: string }>(
  table: string,
  state: R['state'],
) {
  const index: Index<R> = { properties: ['memberId', 'programId'], includes: (row) => row.state === state };
  return {
    text: (select: Select<R>) => `select ${select('r')}
      from unnest($2::text[], $3::text[]) as wanted(program_id, external_customer_id)
      cross join lateral (${MEMBER_WANTED}) m
      cross join lateral (
        select * from ${table}
        where environment_id = $1::uuid and member_id = m.id and program_id = wanted.program_id
          and state = '${state}'
        offset 0
      ) r`,
    values: (keys: readonly ProfileName[]) => [
      arrayLiteral(keys.map(({ programId }) => programId)),
      arrayLiteral(keys.map(({ externalCustomerId }) => externalCustomerId)),
    ],
    find: (stored: Stored, { programId, externalCustomerId }: ProfileName) =>
      ofMember<R>(stored, { name: table }, index, externalCustomerId, programId),
  };
}
