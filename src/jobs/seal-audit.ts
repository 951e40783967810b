import type { Pool, PoolClient } from 'pg';
import { arrayLiteral } from '../db/array-literal.ts';
import type { Statement } from '../db/statement.ts';
import type { AuditRecord } from '../ledger/tables/audit-events.ts';
import { auditColumns, sealHash } from '../queries/audit/audit-event-view.ts';

/** Most events that are sealed in one transaction, and most bytes of their changes but for the last of them. */
const CHUNK = 1_000;
const CHUNK_BYTES = 4_194_304;

/**
 * How much earlier than the transaction that writes it an audit event can say that it was, in seconds. The time is read
 * in the transaction, which ends within two of its timeouts (src/db/pool.ts) where it does not go on to write.
 */
const MARGIN_SECONDS = 60;

/** The end of an environment's chain. */
interface Head {
  position: number;
  hash: Buffer;
}

/** How far an environment is sealed, when a run begins. Times are those of the database, as it writes them. */
interface Progress {
  /** Every event from before is sealed. */
  settledUntil: string;
  /** Where settledUntil moves when the run has ended; null where transactions are open that may still write before. */
  settles: string | null;
  now: string;
  /** All transactions that have begun are below this id. */
  nextTransaction: string;
}

interface UnsealedRow extends AuditRecord {
  at_text: string;
  /** How many were found, of which these are those that fit into a chunk. */
  found: number;
}

/** An event of the list of those without a seal, after which the next chunk begins. */
interface SealPosition {
  at: string;
  id: string;
}

/**
 * Seals the audit events of every environment that are committed and have no seal, in the order of their times, which
 * changes read under their locks. Any number of processes may do it at once: the row of the environment in audit_heads
 * lets one at a time add to its chain. An event whose transaction stays open for long delays no other; it is sealed
 * after its commit.
 * @param pool of rewards_app or the owner
 * @param signal aborted when the process stops: the current chunk is finished, and no other is begun
 * @returns how many events this call has sealed
 * @throws AggregateError where it failed for some environments, after the others are done
 */
export async function sealAudit(pool: Pick<Pool, 'connect'>, signal?: AbortSignal): Promise<number> {
  const client = await pool.connect();
  const errors: unknown[] = [];
  let sealed = 0;
  try {
    const { rows } = await client.query<{ id: string }>(FIND_ENVIRONMENTS);
    for (const { id } of rows) {
      if (signal?.aborted) break;
      sealed += await sealEnvironment(client, id, signal).catch((error: unknown) => {
        errors.push(error);
        return 0;
      });
    }
  } finally {
    client.release(errors.length > 0);
  }
  if (errors.length > 0) throw new AggregateError(errors, 'Audit events could not be sealed');
  return sealed;
}

async function sealEnvironment(
  client: PoolClient,
  environmentId: string,
  signal: AbortSignal | undefined,
): Promise<number> {
  await client.query(createHead(environmentId));
  const { rows } = await client.query<Progress>(readProgress(environmentId));
  const progress = rows[0];
  if (!progress) throw new Error(`no head of ${environmentId}`);
  let after: SealPosition | null = { at: progress.settledUntil, id: LOWEST_ID };
  let sealed = 0;
  while (after !== null) {
    if (signal?.aborted) return sealed;
    const chunk = await sealChunk(client, environmentId, after);
    sealed += chunk.sealed;
    after = chunk.next;
  }
  await client.query(moveProgress(environmentId, progress));
  return sealed;
}

/** @returns `next` is null where no further event was found */
async function sealChunk(
  client: PoolClient,
  environmentId: string,
  after: SealPosition,
): Promise<{ sealed: number; next: SealPosition | null }> {
  await client.query('begin isolation level read committed');
  try {
    // The lock is a statement of its own, so that the next one sees what its last holder has committed.
    const { rows: heads } = await client.query<Head>(lockHead(environmentId));
    const { rows } = await client.query<UnsealedRow>(findUnsealed(environmentId, after));
    const [head] = heads;
    if (!head) throw new Error(`no head of ${environmentId}`);
    const last = rows.at(-1);
    if (last) {
      let { hash } = head;
      const hashes = rows.map((record) => {
        hash = sealHash(hash, record);
        return hash;
      });
      await client.query(insertSeals(environmentId, head.position, rows, hashes));
      await client.query(moveHead(environmentId, head.position + rows.length, hash));
    }
    await client.query('commit');
    const more = last && (last.found > rows.length || rows.length === CHUNK);
    return { sealed: rows.length, next: more ? { at: last.at_text, id: last.id } : null };
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

const LOWEST_ID = '00000000-0000-0000-0000-000000000000';

/** Where the database's clock was set back, new events have times from before those that are sealed. */
const SEALED_UNTIL = `least(h.settled_until, statement_timestamp() - interval '${MARGIN_SECONDS} seconds')`;

const FIND_ENVIRONMENTS: Statement = {
  name: 'environments_to_seal',
  // Also where everything is sealed, until that is known: the newest event has to be settled, though none comes after
  // it.
  text: `select e.id
    from environments e
    left join audit_heads h on h.environment_id = e.id
    left join lateral (
      select a.at from audit_events a
      where a.environment_id = e.id
      order by a.at desc, a.id desc
      limit 1
    ) newest on true
    left join lateral (
      select a.at from audit_events a
      left join lateral (
        select chain_position from audit_seals
        where environment_id = e.id and event_at = a.at and event_id = a.id
        limit 1
      ) s on true
      where a.environment_id = e.id and a.at >= case when h.environment_id is null then '-infinity' else ${SEALED_UNTIL} end and s.chain_position is null
      order by a.at
      limit 1
    ) unsealed on true
    where unsealed.at is not null or h.settled_until <= newest.at
    order by e.id`,
  values: [],
};

function createHead(environmentId: string): Statement {
  return {
    name: 'create_audit_head',
    text: 'insert into audit_heads (environment_id) values ($1::uuid) on conflict do nothing',
    values: [environmentId],
  };
}

// The time of the statement is from before its snapshot: whoever is not below nextTransaction began later.
function readProgress(environmentId: string): Statement {
  return {
    name: 'read_audit_progress',
    text: `select (${SEALED_UNTIL})::text as "settledUntil", statement_timestamp()::text as now,
        pg_snapshot_xmax(s.snapshot)::text as "nextTransaction",
        case when pg_snapshot_xmin(s.snapshot)::text::bigint >= h.pending_transaction
          then (h.pending_until - interval '${MARGIN_SECONDS} seconds')::text end as settles
      from audit_heads h
      cross join (select pg_current_snapshot() as snapshot) s
      where h.environment_id = $1::uuid`,
    values: [environmentId],
  };
}

/** Begins to wait for the transactions that were open when the run began, unless earlier ones are still waited for. */
function moveProgress(environmentId: string, { settles, now, nextTransaction }: Progress): Statement {
  return {
    name: 'move_audit_progress',
    text: `update audit_heads
      set settled_until = greatest(settled_until, $2::timestamptz), pending_until = $3::timestamptz,
        pending_transaction = $4::bigint
      where environment_id = $1::uuid and (pending_transaction is null or $2::timestamptz is not null)`,
    values: [environmentId, settles, now, nextTransaction],
  };
}

function lockHead(environmentId: string): Statement {
  return {
    name: 'lock_audit_head',
    text: 'select position, hash from audit_heads where environment_id = $1::uuid for update',
    values: [environmentId],
  };
}

function findUnsealed(environmentId: string, { at, id }: SealPosition): Statement {
  return {
    name: 'find_unsealed_audit_events',
    text: `select ${auditColumns('e')}, e.at::text as at_text, e.found::integer as found
      from (
        select f.*, count(*) over () as found,
          sum(octet_length(changes::text)) over (order by at, id rows unbounded preceding)
            - octet_length(changes::text) as bytes_before
        from (
          select a.* from audit_events a
          left join lateral (
            select chain_position from audit_seals
            where environment_id = $1::uuid and event_at = a.at and event_id = a.id
            limit 1
          ) s on true
          where a.environment_id = $1::uuid and (a.at, a.id) > ($2::timestamptz, $3::uuid) and s.chain_position is null
          order by a.at, a.id
          limit ${CHUNK}
        ) f
      ) e
      where e.bytes_before < ${CHUNK_BYTES}
      order by e.at, e.id`,
    values: [environmentId, at, id],
  };
}

function insertSeals(
  environmentId: string,
  last: number,
  events: readonly UnsealedRow[],
  hashes: readonly Buffer[],
): Statement {
  return {
    name: 'insert_audit_seals',
    text: `insert into audit_seals (environment_id, chain_position, event_at, event_id, hash)
      select $1::uuid, $2::bigint + r.number, r.at, r.id, decode(r.hash, 'hex')
      from unnest($3::timestamptz[], $4::uuid[], $5::text[]) with ordinality as r(at, id, hash, number)`,
    values: [
      environmentId,
      last,
      arrayLiteral(events.map((event) => event.at_text)),
      arrayLiteral(events.map((event) => event.id)),
      arrayLiteral(hashes.map((hash) => hash.toString('hex'))),
    ],
  };
}

function moveHead(environmentId: string, position: number, hash: Buffer): Statement {
  return {
    name: 'move_audit_head',
    text: 'update audit_heads set position = $2::bigint, hash = $3::bytea where environment_id = $1::uuid',
    values: [environmentId, position, hash],
  };
}
