/**
 * SQL: joins the members that were merged to rows that have a member, so that `ownerOf` of the same alias can be
 * selected. They are few, so that the join costs a control nothing that matters.
 */
export function withOwner(alias: string): string {
  return `left join (select environment_id, id, merged_into from members
            where merged_into is not null and ($1::uuid is null or environment_id = $1)) ${alias}_merged
          on ${alias}_merged.environment_id = ${alias}.environment_id and ${alias}_merged.id = ${alias}.member_id`;
}

/** SQL: the member that a row belongs to: another one where its own was merged. */
export function ownerOf(alias: string): string {
  return `coalesce(${alias}_merged.merged_into, ${alias}.member_id)`;
}

/** SQL: joins the lots of postings, so that `originOf` of the same alias can be selected. */
export function withLot(alias: string): string {
  return `left join lots ${alias}_lot on ${alias}_lot.environment_id = ${alias}.environment_id
          and ${alias}_lot.member_id = ${alias}.member_id and ${alias}_lot.program_id = ${alias}.program_id
          and ${alias}_lot.id = ${alias}.lot_id`;
}

/** SQL: the lot that a posting's lot was to begin with: another one where merges have moved it. */
export function originOf(alias: string): string {
  return `coalesce(${alias}_lot.origin_lot_id, ${alias}.lot_id)`;
}
