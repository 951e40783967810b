import { Client } from 'pg';

/** How the shards of the service's tables compare with the tables of one Postgres. */
export interface ComparedGuards {
  tables: number;
  shards: number;
  /** How many columns, constraints, indexes and privileges the tables have. */
  guards: number;
  /** One line for each that a shard lacks, or has besides. */
  problems: string[];
}

/** What guards the rows of one table, one line each, without the names of shards. */
type Guards = Set<string>;

/**
 * Compares what the database itself guards: columns with their defaults, constraints, indexes, and the privileges of
 * the server's role. Foreign keys are put back after the distribution, privileges follow the tables; this looks whether
 * each shard has them.
 * @param plainUrl of a database with the same migrations that is not distributed
 * @param workerUrls of the distributed database on every worker, with a superuser's login
 */
export async function compareGuards(
  plainUrl: string,
  workerUrls: readonly string[],
): Promise<ComparedGuards> {
  const plain = new Map(await readGuards(plainUrl, TABLES));
  const problems: string[] = [];
  let shards = 0;
  for (const url of workerUrls) {
    for (const [name, guards] of await readGuards(url, SHARDS)) {
      shards += 1;
      const expected = plain.get(name) ?? new Set();
      for (const guard of expected.difference(guards)) problems.push(`a shard of ${name} lacks: ${guard}`);
      for (const guard of guards.difference(expected))
        problems.push(`a shard of ${name} has besides: ${guard}`);
    }
  }
  return {
    tables: plain.size,
    shards,
    guards: [...plain.values()].reduce((sum, { size }) => sum + size, 0),
    problems: [...new Set(problems)],
  };
}

const TABLES = `
  select c.relname::text as name, c.oid as id from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> '_prisma_migrations'`;

/** Those of this worker; of a copied table its copy. */
const SHARDS = `
  select s.logicalrelid::text as name, to_regclass(shard_name(s.logicalrelid, s.shardid))::oid as id
  from pg_dist_shard s
  where to_regclass(shard_name(s.logicalrelid, s.shardid)) is not null`;

/** @param relations SQL of the columns `name`, of the table, and `id`, of what is looked at */
async function readGuards(url: string, relations: string): Promise<[name: string, Guards][]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    // Without this Citus hides shards from those who look into the catalog.
    await client.query('set citus.override_table_visibility = off');
    const { rows } = await client.query<{ name: string; guards: string[] }>(
      `select r.name, array_agg(regexp_replace(guard, '_\\d{6,}\\M', '', 'g')) as guards
       from (${relations}) r
       cross join lateral (${GUARDS}) g(guard)
       group by r.name, r.id`,
    );
    return rows.map(({ name, guards }) => [name, new Set(guards)]);
  } finally {
    await client.end();
  }
}

const GUARDS = `
  select format('column %s %s%s default %s', a.attname, format_type(a.atttypid, a.atttypmod),
    case when a.attnotnull then ' not null' end, coalesce(pg_get_expr(d.adbin, d.adrelid), 'none'))
  from pg_attribute a
  left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where a.attrelid = r.id and a.attnum > 0 and not a.attisdropped
  union all
  select format('constraint %s%s', pg_get_constraintdef(k.oid), case when not k.convalidated then ' not validated' end)
  from pg_constraint k where k.conrelid = r.id and k.contype <> 't'
  union all
  select regexp_replace(pg_get_indexdef(i.indexrelid), 'INDEX \\S+ ON', 'INDEX ON')
    || case when i.indisvalid then '' else ' not valid' end
  from pg_index i where i.indrelid = r.id
  union all
  select format('privilege %s of rewards_app', p.privilege_type)
  from pg_class c cross join lateral aclexplode(c.relacl) p
  where c.oid = r.id and p.grantee = 'rewards_app'::regrole
  union all
  select format('privilege %s (%s) of rewards_app', p.privilege_type, a.attname)
  from pg_attribute a cross join lateral aclexplode(a.attacl) p
  where a.attrelid = r.id and p.grantee = 'rewards_app'::regrole
  union all
  select 'trigger ' || t.tgname from pg_trigger t where t.tgrelid = r.id and not t.tgisinternal`;
