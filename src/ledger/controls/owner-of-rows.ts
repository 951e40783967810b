/**
 * SQL: joins the members that were merged to rows that have a member, so that `ownerOf` of the same alias can be selected.
 * They are few, so that the join costs a control nothing that matters.
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
