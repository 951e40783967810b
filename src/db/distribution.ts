import type { Client } from 'pg';

/** A table of the service. */
export interface Table {
  name: string;
  /** The column that says which environment a row belongs to; null where rows belong to none. */
  column: string | null;
  /** Whether Citus keeps it already. */
  distributed: boolean;
}

/** What Citus knows of a database. */
export interface Distribution {
  citus: 'unavailable' | 'not_created' | 'created';
  /** Whether this node is the coordinator. */
  coordinator: boolean;
  /** How many nodes take shards. */
  nodes: number;
  tables: Table[];
}

/** Whether tables are without their foreign keys, because `rewards distribute` was interrupted. */
export const INTERRUPTED = `select to_regclass('rewards_distribution.foreign_keys') is not null as interrupted`;

/** Reads how the tables of a database are distributed. */
export async function readDistribution(client: Client): Promise<Distribution> {
  const { rows } = await client.query<{ created: boolean; available: boolean }>(
    `select exists (select from pg_extension where extname = 'citus') as created,
      exists (select from pg_available_extensions where name = 'citus') as available`,
  );
  const { created, available } = rows[0] ?? {};
  if (!created) {
    return { citus: available ? 'not_created' : 'unavailable', coordinator: false, nodes: 0, tables: [] };
  }
  const { rows: clusters } = await client.query<{ coordinator: boolean; nodes: number }>(
    `select citus_is_coordinator() as coordinator, (
        select count(*) from pg_dist_node where noderole = 'primary' and isactive and shouldhaveshards
      )::integer as nodes`,
  );
  const { coordinator = false, nodes = 0 } = clusters[0] ?? {};
  const { rows: tables } = await client.query<Table>(TABLES);
  return { citus: 'created', coordinator, nodes, tables };
}

const TABLES = `
  select c.relname::text as name,
    case when c.relname = 'environments' then 'id'
      when exists (
        select from pg_attribute a
        where a.attrelid = c.oid and a.attname = 'environment_id' and not a.attisdropped
      ) then 'environment_id'
    end as column,
    exists (select from pg_dist_partition d where d.logicalrelid = c.oid) as distributed
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> '_prisma_migrations'
    and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
  order by c.relname`;
