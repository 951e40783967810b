/**
 * SQL: an id as callers see it, and as the audit trail names it.
 * @param prefix such as `adj`
 * @param uuid an expression
 */
export function typeIdSql(prefix: string, uuid: string): string {
  return `(select '${prefix}_' || string_agg(
            substr('0123456789abcdefghjkmnpqrstvwxyz', 1 + substring(spelled.bits from 5 * place + 1 for 5)::integer, 1),
            '' order by place)
          from (select b'00' || ('x' || replace(${uuid}::text, '-', ''))::bit(128) as bits) as spelled,
            generate_series(0, 25) as place)`;
}

/** SQL: how often the audit trail says that somebody did something with a row of a table. */
export function timesSaid(
  row: string,
  prefix: string,
  action: string,
  actor: string,
  uuid = `${row}.id`,
): string {
  return `(select count(*) filter (where said.actor_id = ${actor}) * 1000 + count(*)
          from audit_events said
          where said.environment_id = ${row}.environment_id and said.target_id = ${typeIdSql(prefix, uuid)}
            and said.target_type <> 'transaction' and said.action = '${action}')`;
}

/**
 * SQL: whether a merge, `g`, took place, whatever became of it afterwards. The trail says of each of these who did it.
 */
export const TOOK_PLACE = `g.state in ('merged', 'unmerge_requested', 'unmerged')`;

/** What `timesSaid` gives where the trail says it once, of the one whom the row names. */
export const ONCE = 1001;
