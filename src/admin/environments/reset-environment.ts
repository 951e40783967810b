import type { Pool } from 'pg';
import { ENVIRONMENT_TIME_OF_STATEMENT } from '../../db/environment-time.ts';
import type { Statement } from '../../db/statement.ts';
import { toTypeId } from '../../ids.ts';
import { EVERY_TABLE } from '../../ledger/tables/every-handling.ts';
import { type AdministrationCode, isRefusal, type Refusal, refuse } from '../../refusal.ts';
import { type Administrator, changeEnvironment } from '../shared/admin-change.ts';
import { beginEpochNow } from '../shared/begin-epoch-now.ts';
import { findEnvironment } from '../shared/find-environment.ts';
import { environmentNow } from '../shared/write-trail.ts';

/**
 * What a reset keeps: how the environment is set up, and the audit trail with its seals. Every other table of an
 * environment is emptied.
 */
export const KEPT_TABLES: readonly string[] = EVERY_TABLE.flatMap(({ name, handling: { owner, reset } }) =>
  reset === 'kept' && owner !== 'service' ? [name] : [],
);

/** The default of `chunkRows`. */
const CHUNK_ROWS = 5_000;
/** From so many removed rows on, a table is vacuumed before the next one, whose foreign keys are checked against it. */
const VACUUM_FROM = 20_000;
/** How long the last step may take, which runs alone. */
const LAST_STEP_MS = 60_000;

export interface Resetter {
  administrator: Administrator;
  /** Of the owner: the server's role may not delete. */
  pool: Pool;
  /** Ends the reset early, between two statements. The environment stays locked; the next call goes on. */
  signal: AbortSignal;
  /** Most rows that one statement removes. Default 5,000. */
  chunkRows?: number;
  /** Called after each table. */
  onProgress?(done: number, total: number): void;
}

export interface Reset {
  /** How many rows were removed. */
  removed: number;
  /** False where it was interrupted. */
  complete: boolean;
}

/**
 * Empties a Sandbox: members, ledger, events, deliveries, operations and all else but `KEPT_TABLES`, and gives it the
 * real time again. It is locked meanwhile, so that commands are refused. Where it was interrupted, the same call goes
 * on.
 * @param environmentId UUID
 * @returns a refusal for Production and for an unknown environment
 */
export async function resetEnvironment(
  resetter: Resetter,
  environmentId: string,
): Promise<Reset | Refusal<AdministrationCode>> {
  const { administrator, pool, signal, chunkRows = CHUNK_ROWS } = resetter;
  const beginning = await begin(administrator, environmentId);
  if (!('locked' in beginning)) return beginning;
  const tables = await tablesInOrder(pool);
  let removed = 0;
  for (const [index, table] of tables.entries()) {
    let ofTable = 0;
    for (;;) {
      if (signal.aborted) return { removed: removed + ofTable, complete: false };
      const { rowCount } = await pool.query(emptyTable(environmentId, table, chunkRows));
      ofTable += rowCount ?? 0;
      if (rowCount) continue;
      const { rows } = await pool.query<{ left: boolean }>(hasRowsLeft(environmentId, table));
      if (!rows[0]?.left) break;
    }
    if (ofTable >= VACUUM_FROM) await pool.query(`vacuum ${table.name}`);
    removed += ofTable;
    resetter.onProgress?.(index + 1, tables.length);
  }
  return finish(administrator, environmentId, { tables, removed, chunkRows });
}

/** Locks the environment, after its running batches have ended. */
async function begin(
  administrator: Administrator,
  environmentId: string,
): Promise<{ locked: true } | Refusal<AdministrationCode>> {
  return changeEnvironment<{ locked: true }>(
    administrator,
    environmentId,
    async (transaction) => {
      const environment = await findEnvironment(transaction, environmentId);
      if (isRefusal(environment)) return environment;
      const target = toTypeId('env', environmentId);
      if (environment.kind !== 'sandbox') {
        return refuse('sandbox_required', `Only a Sandbox can be emptied, and ${target} is Production.`);
      }
      const result = { locked: true } as const;
      if (environment.locked) return { result, audit: null };
      await transaction.environment.update({ where: { id: environmentId }, data: { locked: true } });
      return {
        result,
        audit: {
          action: 'environment.reset_begun',
          targetType: 'environment',
          targetId: target,
          changes: { locked: { from: false, to: true } },
        },
      };
    },
    { alone: true },
  );
}

/** Removes what jobs have written meanwhile, gives the environment the real time, and unlocks it. */
async function finish(
  administrator: Administrator,
  environmentId: string,
  { tables, removed, chunkRows }: { tables: readonly EmptiedTable[]; removed: number; chunkRows: number },
): Promise<Reset | Refusal<AdministrationCode>> {
  return changeEnvironment<Reset>(
    administrator,
    environmentId,
    async (transaction) => {
      let remainingRows = 0;
      for (const table of tables) {
        const { text, values } = emptyTable(environmentId, table, chunkRows);
        const look = hasRowsLeft(environmentId, table);
        for (;;) {
          const rows = await transaction.$executeRawUnsafe(text, ...values);
          remainingRows += rows;
          if (rows > 0) continue;
          const [row] = await transaction.$queryRawUnsafe<{ left: boolean }[]>(look.text, ...look.values);
          if (!row?.left) break;
        }
      }
      const result = { removed: removed + remainingRows, complete: true };
      const before = await environmentNow(transaction, environmentId);
      // Servers read again what they have cached of an environment whose revision has changed.
      const { count } = await transaction.environment.updateMany({
        where: { id: environmentId, locked: true },
        data: { locked: false, clockAheadMs: 0, clockStandsAt: null, revision: { increment: 1 } },
      });
      if (count === 0) return { result, audit: null };
      for (const { text, values } of bringToPresent(environmentId, before)) {
        await transaction.$executeRawUnsafe(text, ...values);
      }
      // Positions begin anew: nothing that was read before holds on.
      await beginEpochNow(transaction, environmentId, null);
      return {
        result,
        audit: {
          action: 'environment.reset',
          targetType: 'environment',
          targetId: toTypeId('env', environmentId),
          changes: { removed: result.removed },
        },
      };
    },
    { alone: true, timeoutMs: LAST_STEP_MS },
  );
}

/**
 * Dates what is kept, and was published or activated by a clock that ran ahead, to the present: else programs would not
 * be in effect, and endpoints get no events, before the real time got there.
 * @param before what the clock showed until now
 */
export function bringToPresent(environmentId: string, before: Date): Statement[] {
  return [
    {
      name: 'bring_versions_to_present',
      text: `update program_versions v
        set published_at = present.now,
          effective_from = case when v.effective_from <= $2::timestamptz then present.now else v.effective_from end
        from (select ${ENVIRONMENT_TIME_OF_STATEMENT} as now) present
        where v.environment_id = $1::uuid and v.published_at > present.now`,
      values: [environmentId, before],
    },
    {
      name: 'bring_deployments_to_present',
      text: `update widget_deployment_versions set published_at = ${ENVIRONMENT_TIME_OF_STATEMENT}
        where environment_id = $1::uuid and published_at > ${ENVIRONMENT_TIME_OF_STATEMENT}`,
      values: [environmentId],
    },
    {
      name: 'bring_endpoints_to_present',
      text: `update webhook_endpoints set activated_at = ${ENVIRONMENT_TIME_OF_STATEMENT}
        where environment_id = $1::uuid and activated_at > ${ENVIRONMENT_TIME_OF_STATEMENT}`,
      values: [environmentId],
    },
  ];
}

/** A table that a reset empties. Names are quoted for SQL. */
interface EmptiedTable {
  name: string;
  /** SQL: for each foreign key to the table itself, that the row `r` refers to the row `t`. */
  ownReferences: readonly string[];
  /** The columns that these foreign keys refer to. */
  ownKeys: readonly string[];
}

/**
 * The tables to empty, each after those whose foreign keys refer to it: tables that a later release adds are emptied
 * too, unless `KEPT_TABLES` names them.
 */
async function tablesInOrder(pool: Pool): Promise<EmptiedTable[]> {
  const { rows } = await pool.query<EmptiedTable & { referring: string[] }>(FIND_TABLES);
  let remaining = rows.filter(({ name }) => !KEPT_TABLES.includes(name));
  const ordered: EmptiedTable[] = [];
  while (remaining.length > 0) {
    const free = remaining.filter(({ referring }) =>
      remaining.every(({ name }) => !referring.includes(name)),
    );
    if (free.length === 0) throw new Error('tables refer to each other in a circle');
    ordered.push(...free);
    remaining = remaining.filter((table) => !free.includes(table));
  }
  return ordered;
}

const FIND_TABLES: Statement = {
  name: 'tables_of_environments',
  text: `select c.relname::text as name, array(
        select distinct r.conrelid::regclass::text from pg_constraint r
        where r.contype = 'f' and r.confrelid = c.oid and r.conrelid <> c.oid
      ) as referring, array(
        select (
          select string_agg(format('r.%I = t.%I', own.attname, key.attname), ' and ')
          from unnest(r.conkey, r.confkey) as k(own, key)
          join pg_attribute own on own.attrelid = c.oid and own.attnum = k.own
          join pg_attribute key on key.attrelid = c.oid and key.attnum = k.key
        )
        from pg_constraint r
        where r.contype = 'f' and r.conrelid = c.oid and r.confrelid = c.oid
        order by r.conname
      ) as "ownReferences", array(
        select distinct quote_ident(key.attname)
        from pg_constraint r
        join pg_attribute key on key.attrelid = c.oid and key.attnum = any (r.confkey)
        where r.contype = 'f' and r.conrelid = c.oid and r.confrelid = c.oid
      ) as "ownKeys"
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'environment_id' and not a.attisdropped
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
    order by 1`,
  values: [],
};

/** SQL: that the row `t` is of the environment, and that the environment is locked. */
const OF_LOCKED =
  't.environment_id = $1::uuid and exists (select from environments where id = $1::uuid and locked)';

/**
 * Whether there is something to remove from a table. `emptyTable` leaves rows that another transaction, such as the
 * step of a job, has changed since it began: that it has removed none does not say that none is left.
 */
export function hasRowsLeft(environmentId: string, { name }: Pick<EmptiedTable, 'name'>): Statement {
  return {
    name: `rows_left_in_${name}`,
    text: `select exists (select from ${name} t where ${OF_LOCKED}) as left`,
    values: [environmentId],
  };
}

/**
 * Removes some rows of an environment from a table, and with them those of the table that refer to them, since rows may
 * refer to each other: a transaction and its reversal. It does nothing where the environment is not locked: another
 * process has finished the reset, and rows are new.
 */
export function emptyTable(
  environmentId: string,
  { name, ownReferences, ownKeys }: EmptiedTable,
  chunkRows: number,
): Statement {
  const columns = (row: string): string => ownKeys.map((key) => `, ${row}.${key}`).join('');
  const first = `select t.ctid as place${columns('t')} from ${name} t
        where ${OF_LOCKED}
        limit $2::integer`;
  const referring = ownReferences.map(
    (refers) =>
      `select r.ctid as place${columns('r')} from ${name} r where r.environment_id = $1::uuid and ${refers}`,
  );
  const chosen =
    referring.length === 0
      ? `chosen as (${first})`
      : `recursive chosen as (
        (${first})
        union
        select r.* from chosen t cross join lateral (${referring.join(' union all ')}) r
      )`;
  return {
    name: `empty_${name}`,
    text: `with ${chosen}
      delete from ${name} where environment_id = $1::uuid and ctid = any (array(select place from chosen))`,
    values: [environmentId, chunkRows],
  };
}
