/**
 * Settings of sessions whose statements find at most a few hundred rows by a key, and keep their prepared plans. With
 * them the planner uses indexes and keeps the written order of joins, even where the tables were still small, or
 * without statistics, when the session planned the statement.
 */
export const BY_KEY: Readonly<Record<string, string>> = {
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  join_collapse_limit: '1',
  from_collapse_limit: '1',
  plan_cache_mode: 'force_generic_plan',
  jit: 'off',
};

/**
 * Settings of sessions that read pages of lists, as the embedded Postgres has them. The pages of an index and the rows
 * that it leads to are in memory mostly: with the default, which is for disks, the planner would rather read and sort
 * all rows of an environment than follow an index to a few of them.
 */
export const LIST_READS: Readonly<Record<string, string>> = { random_page_cost: '1.1', jit: 'off' };

/**
 * Where the tables are distributed by Citus, a plan without the values of its parameters does not say which node has
 * the rows, so that every statement is planned for its values. Citus' own plans for one environment are made in a
 * fraction of a millisecond. Run once on each new connection; without Citus it changes nothing.
 */
export const PLAN_FOR_VALUES_ON_CITUS =
  "select set_config('plan_cache_mode', 'force_custom_plan', false) from pg_extension where extname = 'citus'";
